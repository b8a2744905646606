//! What is found in a document: patterns with their places, subscribers, and what could not be read.

use std::ops::Range;

use eventrie::Dialect;
use eventrie::diagnostic::Finding;
use eventrie::service::Source;

use crate::located::Located;
use crate::path::Path;
use crate::state::About;

/// Nobody reads more, of each kind.
pub(super) const MOST: usize = 1_000;

/// A pattern in a document.
#[derive(Debug)]
pub(crate) struct Place {
    /// The path of the resource and in it.
    pub(crate) path: Path,
    pub(crate) dialect: Dialect,
    pub(crate) pattern: Located,
    /// Whether a condition decides if this pattern or another one is at the path.
    pub(crate) is_conditional: bool,
    /// Where the records come from, if the file says so.
    pub(crate) source: Option<Source>,
    /// What the file says of the rule.
    pub(crate) about: About,
}

/// What was found in a document.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// In the order of the text.
    pub(crate) patterns: Vec<Place>,
    /// What is wrong around the patterns, its places being those of the file.
    pub(crate) findings: Vec<(Path, Finding)>,
    /// Patterns that could not be read, because they are only known when the template is deployed.
    pub(crate) unknown: Vec<Path>,
    /// The subscribers of Custom Event Buses. Their patterns are among all.
    pub(crate) subscribers: Vec<Subscriber>,
    /// Where a property was expected that a resource of this type does not have: byte and message.
    pub(crate) unread: Vec<(usize, String)>,
    /// How many more of these there were.
    pub(crate) left_out: usize,
}

/// The filter configuration of a subscriber, as it is in a document.
#[derive(Clone, Debug)]
pub struct Subscriber {
    pub(crate) name: Path,
    pub(crate) place: Range<usize>,
    pub(crate) language: Option<String>,
    pub(crate) filters: Vec<SubscriberFilter>,
    pub(crate) is_open: bool,
}

/// One filter of a subscriber, as it is in a document.
#[derive(Clone, Debug)]
pub struct SubscriberFilter {
    pub(crate) scope: Option<String>,
    pub(crate) place: Range<usize>,
    pub(crate) pattern: Option<usize>,
    pub(crate) has_pattern: bool,
}

impl Subscriber {
    /// The name of the subscriber, or the path of its resource.
    #[must_use]
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Where in the file the configuration is.
    #[must_use]
    pub fn place(&self) -> Range<usize> {
        self.place.clone()
    }

    /// Its `Language`, if it has one.
    #[must_use]
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// The filters, in the order of the text.
    #[must_use]
    pub fn filters(&self) -> &[SubscriberFilter] {
        &self.filters
    }

    /// Whether a part of it is only known when the template is deployed.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.is_open
    }
}

impl Subscriber {
    /// The same subscriber, with so many patterns before those of its document.
    pub(crate) fn after(mut self, patterns: usize) -> Subscriber {
        for at in self.filters.iter_mut().filter_map(|filter| filter.pattern.as_mut()) {
            *at += patterns;
        }
        self
    }
}

impl SubscriberFilter {
    /// Its scope as it is written, if it has one.
    #[must_use]
    pub fn scope(&self) -> Option<&str> {
        self.scope.as_deref()
    }

    /// Where in the file the filter is.
    #[must_use]
    pub fn place(&self) -> Range<usize> {
        self.place.clone()
    }

    /// Whether there is anything where its pattern belongs.
    #[must_use]
    pub fn has_pattern(&self) -> bool {
        self.has_pattern
    }

    /// Its pattern, as a position in [`Document::patterns`](crate::Document::patterns).
    #[must_use]
    pub fn pattern(&self) -> Option<usize> {
        self.pattern
    }
}
