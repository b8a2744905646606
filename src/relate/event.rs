//! Events made of chosen values.

use super::paths::ByPath;
use super::values::Sample;
use crate::base::ListMap;
use crate::base::text::json_string as quote;

/// The values of each path; several make a list.
pub(super) type Chosen = ByPath<Vec<String>>;

pub(super) fn choose(chosen: &mut Chosen, path: &str, sample: &Sample) {
    match sample.json() {
        None => chosen.remove(path),
        Some(json) => chosen.insert(path, vec![json]),
    }
}

#[derive(Default)]
struct Object {
    members: Vec<(String, Member)>,
    places: ListMap<String, usize>,
}

enum Member {
    Value(String),
    Object(Object),
}

impl Object {
    /// Puts a value below; false if one of the names is taken by something else.
    fn put(&mut self, path: &str, value: &str) -> bool {
        let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
        let known = self.places.get(name).and_then(|at| self.members.get_mut(*at));
        match (known, rest) {
            (Some((_, Member::Object(inner))), Some(rest)) => inner.put(rest, value),
            (Some(_), _) => false,
            (None, rest) => {
                let member = match rest {
                    None => Member::Value(value.to_owned()),
                    Some(rest) => {
                        let mut inner = Object::default();
                        inner.put(rest, value);
                        Member::Object(inner)
                    }
                };
                self.places.insert(name.to_owned(), self.members.len());
                self.members.push((name.to_owned(), member));
                true
            }
        }
    }

    fn write(&self, out: &mut String) {
        out.push('{');
        for (index, (name, member)) in self.members.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            out.push_str(&quote(name));
            out.push(':');
            match member {
                Member::Value(value) => out.push_str(value),
                Member::Object(inner) => inner.write(out),
            }
        }
        out.push('}');
    }
}

/// The deepest nesting that is written out; deeper paths become names with dots.
const DEEP: usize = 100;

/// The event as JSON. Where a path cannot be nested, since another value is in its way, it is a name with dots,
/// which is the same path.
pub(super) fn event(chosen: &Chosen) -> String {
    let (mut object, mut flat) = (Object::default(), Vec::new());
    for (path, values) in chosen.iter() {
        let value = match &**values {
            [one] => one.clone(),
            several => format!("[{}]", several.join(",")),
        };
        // A name with dots is also what an empty step needs, to be the same path for every reader.
        if path.matches('.').count() >= DEEP || !object.put(path, &value) {
            flat.push((path.clone(), Member::Value(value)));
        }
    }
    object.members.extend(flat);
    let mut out = String::new();
    object.write(&mut out);
    out
}
