//! Checks answers first: nothing is timed before it is known to be right.

use eventrie::{Dialect, Pattern};

use crate::rivals::{Engine, Rival};

/// How many (pattern, event) pairs are checked one by one.
const PAIRS: usize = 20_000;

/// Explains patterns one by one on the first events, which shares nothing with the matcher, and compares. Returns how
/// many events that were.
///
/// # Errors
/// The first event on which the two differ.
pub fn against_explainer(patterns: &[String], events: &[Vec<u8>], engine: &mut Engine) -> Result<usize, String> {
    let count = (PAIRS / patterns.len().max(1)).clamp(1, events.len());
    let parsed = patterns.iter().map(|pattern| Pattern::parse(pattern, Dialect::EventBridge));
    let parsed = parsed.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    for (index, event) in events.iter().take(count).enumerate() {
        let mut expected = 0;
        for pattern in &parsed {
            expected += usize::from(pattern.explain(event).map_err(|error| error.to_string())?.matched());
        }
        let found = engine.count(event);
        if found != Some(expected) {
            return Err(format!("event {index}: {found:?} matches, {expected} explained"));
        }
    }
    Ok(count)
}

/// Compiles the rivals, and keeps those that answer. `note` is called for each one that rejects the patterns, or
/// answers differently (only those of eventrie must answer as expected).
///
/// # Errors
/// eventrie itself is wrong.
pub fn engines(
    rivals: &[Rival],
    patterns: &[String],
    events: &[Vec<u8>],
    expected: Option<usize>,
    mut note: impl FnMut(Rival, &str),
) -> Result<(Vec<Engine>, usize), String> {
    let mut engines = Vec::new();
    let mut whole = Engine::new(Rival::Whole, patterns)?;
    let total = whole.total(events).ok_or("an event is refused")?;
    if expected.is_some_and(|expected| expected != total) {
        return Err(format!("{total} matches, {expected:?} expected"));
    }
    for rival in rivals {
        let mut engine = match Engine::new(*rival, patterns) {
            Ok(engine) => engine,
            Err(reason) => {
                note(*rival, &reason);
                continue;
            }
        };
        match engine.total(events) {
            None => note(*rival, "refuses an event"),
            Some(found) if rival.matches() && found != total => {
                if matches!(rival, Rival::Whole | Rival::Early) {
                    return Err(format!("{}: {found} matches, {total} expected", rival.name()));
                }
                note(*rival, &format!("{found} matches instead of {total}"));
                engines.push(engine);
            }
            Some(_) => engines.push(engine),
        }
    }
    Ok((engines, total))
}

#[cfg(test)]
mod tests {
    use super::{against_explainer, engines};
    use crate::hostile::SHAPES;
    use crate::rivals::{Engine, Rival};
    use crate::rules::{self, Mix};
    use crate::{aws, city};

    const BOTH: [Rival; 2] = [Rival::Whole, Rival::Early];

    fn agree(name: &str, rivals: &[Rival], patterns: &[String], events: &[Vec<u8>], expected: Option<usize>) {
        let mut whole = Engine::new(Rival::Whole, patterns).unwrap();
        against_explainer(patterns, events, &mut whole).unwrap_or_else(|error| panic!("{name}: {error}"));
        let note = |_, note: &str| panic!("{name}: {note}");
        engines(rivals, patterns, events, expected, note).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    #[test]
    fn hostile_shapes_have_the_answers_they_claim() {
        for shape in SHAPES {
            let case = (shape.make)(24);
            let rivals = if shape.needs_whole() { &BOTH[..1] } else { &BOTH };
            agree(shape.name, rivals, &case.patterns, &case.events, Some(case.expected));
        }
    }

    #[test]
    fn families_and_rules_agree_with_the_explainer() {
        for family in city::families() {
            agree(family.name, &BOTH, &family.patterns, &city::lots(20), None);
        }
        for mix in [Mix::Full, Mix::Exact] {
            agree(mix.name(), &BOTH, &rules::patterns(mix, 100), &aws::events(30), None);
        }
    }
}
