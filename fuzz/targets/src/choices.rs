//! Decisions made by the bytes of an input.

/// The bytes that are left. When there are none, every decision is the first choice, so whatever is made ends.
pub(crate) struct Choices<'b> {
    bytes: &'b [u8],
}

impl<'b> Choices<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Choices<'b> {
        Choices { bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((byte, rest)) => {
                self.bytes = rest;
                *byte
            }
            None => 0,
        }
    }

    /// A number below `count`, which is at most 256.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count.max(1)
    }

    /// A number of two bytes.
    pub(crate) fn wide(&mut self) -> usize {
        usize::from(u16::from_le_bytes([self.byte(), self.byte()]))
    }

    /// True so many times of 256; never once the bytes are used up.
    pub(crate) fn rarely(&mut self, of_256: u8) -> bool {
        self.byte() > u8::MAX - of_256
    }

    pub(crate) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        let at = self.below(all.len());
        all[at]
    }

    /// What is left.
    pub(crate) fn rest(self) -> &'b [u8] {
        self.bytes
    }
}
