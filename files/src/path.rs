//! Where in a document a pattern is: steps that patterns share, written out only when shown.

use std::fmt::{Display, Formatter, Write};
use std::sync::Arc;

/// A longer key is shortened in the middle when shown.
const LONGEST_KEY: usize = 100;
/// Of a path with more steps, only this many at each end are shown.
const SHOWN_STEPS: usize = 12;

/// The path of a pattern in its document, such as `Resources.Rule.Properties.EventPattern`, or the name of a rule.
///
/// Paths share their beginnings, so a path costs one step of memory however long it is. Shown, long keys and very
/// deep paths are shortened in the middle; the name of a rule never is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(Option<Arc<Step>>);

#[derive(Debug, PartialEq, Eq)]
struct Step {
    before: Path,
    here: Here,
}

#[derive(Debug, PartialEq, Eq)]
enum Here {
    /// The name of a rule: identifies it, and is shown in full.
    Name(Box<str>),
    /// The key of a member.
    Key(Box<str>),
    /// The position of an element.
    Index(usize),
    /// An element that has a name.
    Element(Box<str>),
}

impl Here {
    fn bytes(&self) -> usize {
        match self {
            Here::Name(text) | Here::Key(text) | Here::Element(text) => text.len(),
            Here::Index(_) => 0,
        }
    }
}

impl Path {
    /// The path that consists of a rule's name alone.
    pub(crate) fn name(name: &str) -> Path {
        Path::default().step(Here::Name(name.into()))
    }

    pub(crate) fn key(&self, key: &str) -> Path {
        self.step(Here::Key(key.into()))
    }

    pub(crate) fn index(&self, index: usize) -> Path {
        self.step(Here::Index(index))
    }

    pub(crate) fn element(&self, name: &str) -> Path {
        self.step(Here::Element(name.into()))
    }

    fn step(&self, here: Here) -> Path {
        crate::work::note(1 + here.bytes());
        Path(Some(Arc::new(Step { before: self.clone(), here })))
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let (mut steps, mut path) = (Vec::new(), self);
        while let Some(step) = &path.0 {
            crate::work::note(1);
            steps.push(&step.here);
            path = &step.before;
        }
        steps.reverse();
        let left_out = SHOWN_STEPS..steps.len().saturating_sub(SHOWN_STEPS);
        for (at, step) in steps.into_iter().enumerate() {
            if left_out.contains(&at) {
                if at == left_out.start {
                    f.write_str(".…")?;
                }
                continue;
            }
            match step {
                Here::Name(name) => f.write_str(name)?,
                Here::Key(key) => {
                    if at > 0 {
                        f.write_char('.')?;
                    }
                    shortened(key, f)?;
                }
                Here::Index(index) => write!(f, "[{index}]")?,
                Here::Element(name) => {
                    f.write_char('[')?;
                    shortened(name, f)?;
                    f.write_char(']')?;
                }
            }
        }
        Ok(())
    }
}

fn shortened(key: &str, f: &mut Formatter<'_>) -> std::fmt::Result {
    if key.len() <= LONGEST_KEY {
        return f.write_str(key);
    }
    let half = LONGEST_KEY / 2;
    let head = (0..=half).rev().find(|at| key.is_char_boundary(*at)).unwrap_or(0);
    let tail = (key.len() - half..key.len()).find(|at| key.is_char_boundary(*at)).unwrap_or(key.len());
    write!(f, "{}…{}", key.get(..head).unwrap_or(""), key.get(tail..).unwrap_or(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_in_full_where_short() {
        let path = Path::default().key("Resources").key("R").key("Filters").index(2).key("Pattern");
        assert_eq!(path.to_string(), "Resources.R.Filters[2].Pattern");
        assert_eq!(Path::default().key("Rules").element("n").key("EventPattern").to_string(), "Rules[n].EventPattern");
        assert_eq!(Path::default().index(1).key("x").to_string(), "[1].x");
        let name = "é".repeat(500);
        assert_eq!(Path::name(&name).to_string(), name);
    }

    #[test]
    fn shortened_where_long() {
        let key = Path::default().key(&"é".repeat(500)).to_string();
        assert_eq!(key, format!("{}…{}", "é".repeat(25), "é".repeat(25)));
        let deep = (0..200).fold(Path::default(), |path, at| path.key(&at.to_string()));
        assert_eq!(deep.to_string().split('.').count(), 25);
        assert!(deep.to_string().starts_with("0.1.2.") && deep.to_string().ends_with(".198.199"));
    }
}
