//! The members of a packed input, one after another.

use std::io::{self, Read};

/// Reads member after member.
pub(super) struct Members<R, M> {
    /// The input between two members.
    between: Option<R>,
    member: Option<M>,
    /// Begins the next member; none at the end of the input.
    begin: fn(R) -> io::Result<Option<M>>,
    /// Gives the input back at the end of a member.
    end: fn(M) -> R,
}

impl<R, M> Members<R, M> {
    pub(super) fn new(packed: R, begin: fn(R) -> io::Result<Option<M>>, end: fn(M) -> R) -> Members<R, M> {
        Members { between: Some(packed), member: None, begin, end }
    }
}

impl<R, M: Read> Read for Members<R, M> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Nothing read would be taken for the end of a member.
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(member) = &mut self.member {
                match member.read(buffer)? {
                    0 => self.between = self.member.take().map(self.end),
                    read => return Ok(read),
                }
            }
            let Some(packed) = self.between.take() else { return Ok(0) };
            self.member = (self.begin)(packed)?;
            if self.member.is_none() {
                return Ok(0);
            }
        }
    }
}
