//! The two verdicts that no single field accounts for: fields that match only separately, and a match.

use super::build::{Builder, Built, Cause, PATH, SEARCHES};
use super::join::Hits;
use super::paths::{Conjunction, Field, Item};
use super::place;
use super::report::{Conflict, Element, FieldReport, MissKind};
use super::words::{self, plain};
use crate::base::Span;
use crate::json::EventError;
use crate::pattern::ast::{Test, TestKind};

/// An array, a field, and the index of an element in which the array has a value for the field.
type InElement = (u32, usize, u32);

impl Builder<'_, '_> {
    /// Fields that match one by one, but not together.
    pub(super) fn conflict(&mut self, piece: &[&Item]) -> Result<Conflict, EventError> {
        let leaves = std::rc::Rc::clone(&self.decider.leaves);
        let fields: Vec<Field> = piece
            .iter()
            .filter_map(|item| match item {
                Item::Field(field) => Some(*field),
                Item::Group(_) => None,
            })
            .collect();
        // For each array: each field's elements that have a value for it.
        let mut places = Vec::new();
        for (at, field) in fields.iter().enumerate() {
            for leaf in self.decider.hits(*field)?.iter() {
                places.extend(leaves.chain(leaf.trail).map(|(_, trail)| (trail.array, at, trail.index)));
            }
        }
        places.sort_unstable();
        places.dedup();
        let arrays = places.chunk_by(|left, right| left.0 == right.0);
        let mut arrays = arrays.map(|places| places.chunk_by(|left, right| left.1 == right.1).collect::<Vec<_>>());
        let names: Vec<String> = fields.iter().map(|field| plain(&self.decider.paths.text(field.path, PATH))).collect();
        let split = arrays.find(|by_field| {
            let has =
                |places: &[InElement], element: &u32| places.binary_search_by_key(element, |place| place.2).is_ok();
            let Some((first, others)) = by_field.split_first() else { return false };
            let common = |(_, _, element): &InElement| others.iter().all(|places| has(places, element));
            !others.is_empty() && !first.iter().any(common)
        });
        let has_field = |at: usize| move |places: &&[InElement]| places.first().is_some_and(|place| place.1 == at);
        let involved = |at: &usize| split.as_ref().is_none_or(|by_field| by_field.iter().any(has_field(*at)));
        let spans = fields.iter().enumerate().filter(|(at, _)| involved(at)).map(|(_, field)| self.span(field.node));
        let spans: Vec<Span> = spans.collect();
        let paths: Vec<String> =
            names.iter().enumerate().filter(|(at, _)| involved(at)).map(|(_, name)| name.clone()).collect();
        let mut together: Vec<String> = paths.iter().map(|name| format!("`{name}`")).collect();
        if piece.iter().any(|item| matches!(item, Item::Group(_))) {
            together.push("an alternative of `$or`".to_owned());
        }
        let message = match &split {
            Some(by_field) => {
                let array =
                    by_field.iter().copied().flatten().next().and_then(|place| leaves.arrays.get(place.0 as usize));
                let node = array.map_or(0, |array| array.node);
                let array = self.map.spoken(node);
                let last = array.rsplit('.').next().unwrap_or(&array).to_owned();
                let told = by_field.iter().filter_map(|elements| {
                    let name = names.get(elements.first()?.1)?;
                    let short = name.rsplit('.').next().unwrap_or(name);
                    let mut places: Vec<String> =
                        elements.iter().take(3).map(|(_, _, index)| format!("{last}[{index}]")).collect();
                    if elements.len() > 3 {
                        places.push(format!("{} more", elements.len() - 3));
                    }
                    Some(format!("`{short}` matches in {}", words::join(places, "and")))
                });
                let told: Vec<String> = told.collect();
                let both = if told.len() == 2 { "both" } else { "all" };
                format!("no single element of `{array}` satisfies {both}: {}", words::join(told, "and"))
            }
            None => format!(
                "{} match one by one, but not together in the same elements of the event's arrays",
                words::join(together, "and")
            ),
        };
        let help = Some("in an array of objects, one object must match all of these fields".to_owned());
        Ok(Conflict { spans, paths, message, help })
    }

    /// Why it matches, where that is worth a sentence.
    pub(super) fn success(&mut self, conjunction: &Conjunction, built: &Built) -> Cause {
        let report = &built.report;
        let live: Vec<&FieldReport> = report.fields.iter().filter(|field| field.overridden_by.is_none()).collect();
        // An absence that does not look like one. For each, the event is searched.
        let paths = conjunction.items.iter().filter_map(|item| match item {
            Item::Field(field) => Some(field.path),
            Item::Group(_) => None,
        });
        let absences = report.fields.iter().zip(paths).filter(|(field, _)| field.value_count == 0);
        for (field, path) in absences.filter(|(field, _)| field.overridden_by.is_none()).take(SEARCHES) {
            let miss = place::absent(&self.map, &self.decider.paths.steps(path), &[], self.pattern.dialect());
            if matches!(miss.kind, MissKind::IsObject | MissKind::IsEmpty) {
                let what = if miss.kind == MissKind::IsObject { "an object" } else { "empty" };
                return Cause {
                    message: format!(
                        "`{}` counts as absent: it is {what}, and `exists` tests only single values",
                        field.path
                    ),
                    help: miss.help,
                    pattern: Some(field.span),
                    event: miss.place,
                };
            }
        }
        let groups = report.groups.iter().filter_map(|group| group.branches.iter().position(|branch| branch.held));
        let branches: Vec<String> = groups.map(|at| format!("branch {} of `$or`", at + 1)).collect();
        match (&*live, &*branches) {
            ([], []) => Cause { message: "the pattern has no conditions".to_owned(), ..Cause::default() },
            ([field], []) => self.because(field),
            (fields, branches) => {
                let mut parts = Vec::new();
                match fields {
                    [] => {}
                    [field] => parts.push(format!("`{}` is satisfied", field.path)),
                    [_, _] => parts.push("both fields are satisfied".to_owned()),
                    fields => parts.push(format!("all {} fields are satisfied", fields.len())),
                }
                let mut elements: Vec<String> = fields
                    .iter()
                    .flat_map(|field| &field.values)
                    .filter(|value| value.chosen)
                    .filter_map(|value| {
                        value.elements.iter().rev().find(|element| {
                            !value.place.pointer.ends_with(&format!("{}/{}", element.array, element.index))
                        })
                    })
                    .map(|element| {
                        format!("`{}[{}]`", element.array.trim_start_matches('/').replace('/', "."), element.index)
                    })
                    .collect();
                elements.dedup();
                if let [element] = &*elements
                    && let Some(part) = parts.first_mut()
                {
                    part.push_str(&format!(" in the same element, {element}"));
                }
                if !branches.is_empty() {
                    let verb = if branches.len() == 1 { "matches" } else { "match" };
                    parts.push(format!("{} {verb}", words::join(branches.to_vec(), "and")));
                }
                Cause { message: words::join(parts, "and"), ..Cause::default() }
            }
        }
    }

    fn because(&self, field: &FieldReport) -> Cause {
        let at = field.tests.iter().position(|test| test.held).unwrap_or(0);
        let tests =
            self.decider.ast.tests.iter().find(|test| Some(test.span) == field.tests.get(at).map(|test| test.span));
        let mut message = match field.values.iter().find(|value| value.held) {
            None => format!("`{}` is absent, which the pattern accepts", field.path),
            Some(value) => {
                let place = if value.elements.is_empty() {
                    field.path.clone()
                } else {
                    spoken_pointer(&value.place.pointer, &value.elements)
                };
                format!("`{place}` is {}{}", value.text, tests.map_or_else(String::new, fits))
            }
        };
        if field.tests.len() > 1 {
            message.push_str(&format!(" (alternative {} of {})", at + 1, field.tests.len()));
        }
        let event = field.values.iter().find(|value| value.held).map(|value| value.place.clone());
        Cause { message, help: None, pattern: field.tests.get(at).map(|test| test.span), event }
    }
}

fn spoken_pointer(pointer: &str, elements: &[Element]) -> String {
    let mut out = String::new();
    let mut so_far = String::new();
    for step in pointer.split('/').skip(1) {
        let is_index = elements.iter().any(|element| element.array == so_far && element.index.to_string() == step);
        if is_index {
            out.push_str(&format!("[{step}]"));
        } else {
            if !out.is_empty() {
                out.push('.');
            }
            out.push_str(&step.replace("~1", "/").replace("~0", "~"));
        }
        so_far.push('/');
        so_far.push_str(step);
    }
    plain(&out)
}

/// How a value satisfies a test, as a clause.
fn fits(test: &Test) -> String {
    use words::quoted;
    match &test.kind {
        TestKind::String(_)
        | TestKind::Number(_)
        | TestKind::Bool(_)
        | TestKind::Null
        | TestKind::Exactly(_)
        | TestKind::Exists(_) => String::new(),
        TestKind::Prefix(operand) => format!(", which begins with {}", quoted(&operand.text)),
        TestKind::Suffix(operand) => format!(", which ends with {}", quoted(&operand.text)),
        TestKind::PrefixIgnoreCase(fold) => {
            format!(", which begins with {} (ignoring case)", quoted(&fold.operand.text))
        }
        TestKind::SuffixIgnoreCase(fold) => {
            format!(", which ends with {} (ignoring case)", quoted(&fold.operand.text))
        }
        TestKind::EqualsIgnoreCase(fold) => format!(", which is {} (ignoring case)", quoted(&fold.operand.text)),
        TestKind::Wildcard(wildcard) => format!(", which matches the wildcard {}", quoted(&wildcard.operand.text)),
        TestKind::Numeric(_) => format!(", which is {}", words::wanted(test, "").trim_start_matches("a number ")),
        TestKind::Cidr(operand, _) => format!(", which is in {}", plain(&operand.text)),
        TestKind::AnythingBut(_) => ", which `anything-but` does not exclude".to_owned(),
    }
}
