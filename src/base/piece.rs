//! Strings that are mostly pieces of a longer one.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::Span;

/// A string that is a piece of a shared text: a pattern has dozens of names and operands, and one allocation for
/// all of them takes a fraction of the time of one for each.
#[derive(Clone)]
pub(crate) struct Piece {
    whole: Arc<str>,
    span: Span,
}

impl Piece {
    /// The part that a span covers.
    pub(crate) fn of(whole: &Arc<str>, span: Span) -> Piece {
        Piece { whole: Arc::clone(whole), span }
    }
}

impl Deref for Piece {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.span.slice(&self.whole)
    }
}

impl From<&str> for Piece {
    fn from(text: &str) -> Piece {
        // INVARIANT: what patterns consist of is shorter than 4 GiB.
        Piece { whole: text.into(), span: Span::new(0, text.len() as u32) }
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Piece {
        text.as_str().into()
    }
}

impl From<Cow<'_, str>> for Piece {
    fn from(text: Cow<'_, str>) -> Piece {
        (&*text).into()
    }
}

impl PartialEq for Piece {
    fn eq(&self, other: &Piece) -> bool {
        **self == **other
    }
}

impl Eq for Piece {}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Piece;
    use crate::base::Span;

    #[test]
    fn a_piece_is_what_its_span_covers() {
        let whole: Arc<str> = "{\"é\":1}".into();
        let piece = Piece::of(&whole, Span::new(2, 4));
        assert_eq!((&*piece, &piece, piece.to_string().as_str()), ("é", &Piece::from("é"), "é"));
        assert_ne!(piece, Piece::of(&whole, Span::new(1, 4)));
    }
}
