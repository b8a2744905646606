//! What the user wrote.

pub(crate) mod ast;
mod dialect;

use std::sync::Arc;

pub use dialect::Dialect;

use ast::Ast;

/// A pattern that was read and found valid. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Pattern(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    source: Box<str>,
    dialect: Dialect,
    ast: Ast,
}

impl Pattern {
    /// The text that was parsed.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// The dialect it was parsed in.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.0.dialect
    }

    pub(crate) fn ast(&self) -> &Ast {
        &self.0.ast
    }
}
