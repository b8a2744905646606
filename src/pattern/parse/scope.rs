//! What the Custom Event Bus rejects beyond the language: the scopes of a subscriber's filter, and event sources.

use super::{Open, Reader, begun};
use crate::base::Span;
use crate::diagnostic::{Code, Finding, Severity};
use crate::dialect::envelope::SET_BY_EVENT_SOURCE;
use crate::dialect::{Dialect, Operator, Support, wording};
use crate::json::{self, Kind};

impl Reader<'_> {
    /// Reports a member that the scope does not take, such as `$or` or an object in METADATA; returns whether it did.
    pub(super) fn not_in_scope(&mut self, node: &json::Node, key: Span, name: &str) -> bool {
        if !self.reading.dialect.is_scope() {
            return false;
        }
        let (message, label, help) = if name == "$or" && self.support(Operator::Or) == Support::No {
            (
                "`$or` is not allowed in a METADATA filter".to_owned(),
                "not allowed here",
                "list the accepted values of each key; for alternatives between keys, create one subscriber for each",
            )
        } else if node.kind == Kind::Object && self.support(Operator::Nesting) == Support::No {
            (
                format!("the value of `{}` must be an array of strings, found an object", super::suggest::short(name)),
                "metadata has no nested fields",
                "write the values that the key may have: `[\"value\"]`; a dot in a key is part of the key",
            )
        } else {
            return false;
        };
        let mut finding = self.error(Code::ShapeNotInDialect, key, message).label(label).help(help);
        finding.raised_at = begun(node);
        self.push(finding);
        true
    }

    /// Reports an operator in METADATA, which takes literal values only; returns whether it did.
    pub(super) fn no_operators(&mut self, object: &json::Node, key: Span, name: &str) -> bool {
        if self.reading.dialect != Dialect::EventsV2Metadata {
            return false;
        }
        let mut finding = self
            .error(Code::NotInDialect, key, "a METADATA filter takes literal values only, no operators")
            .label("not allowed here")
            .help(
                "list the accepted values; to test a range, a prefix or absence, use a DATA filter, or SYSTEM_METADATA for a \
                 field that the service sets",
            );
        finding.raised_at = object.span.end;
        let wildcard = name == "wildcard" || name == "anything-but" && self.source(object.span).contains("wildcard");
        if wildcard {
            finding = finding.service(wording::NO_WILDCARDS, object.span.end).located(0);
        }
        self.push(finding);
        true
    }

    /// A field that the event source sets itself, at the top level or in a branch of an `$or` there; returns whether it
    /// was reported.
    pub(super) fn set_by_source(&mut self, open: &Open, node: &json::Node, key: Span, name: &str) -> bool {
        let top = || {
            open.iter().all(|frame| frame.group || self.ast.nodes.get(frame.node).is_none_or(|node| node.key.is_none()))
        };
        if self.reading.dialect != Dialect::EventsV2EventSource || !SET_BY_EVENT_SOURCE.contains(&name) || !top() {
            return false;
        }
        let mut finding = self
            .error(Code::SetByService, key, format!("the pattern of an event source cannot test `{name}`"))
            .label("set by the event source")
            .help(format!("remove `{name}`: the event source already selects events by service, account and Region"));
        finding.raised_at = begun(node);
        self.push(finding);
        true
    }

    /// An array at the root of a DATA pattern: documented as allowed, but not what it means. Returns whether it is one.
    pub(super) fn array_at_root(&mut self, root: &json::Node) -> bool {
        if self.reading.dialect != Dialect::EventsV2Data || root.kind != Kind::Array || !root.closed {
            return false;
        }
        let finding = Finding::new(
            Code::RootArray,
            Severity::Note,
            Span::new(root.span.start, root.span.start + 1),
            "a DATA pattern may be an array, but what it then matches is not documented",
        )
        .label("array at the top level")
        .help("write an object instead: eventrie does not guess which events an array matches");
        self.push(finding);
        true
    }
}
