//! A map from paths to what each has.

/// Paths and what they have, ascending. In a plain list: it is made at once or in order, and looked up often.
#[derive(Clone, Debug)]
pub(super) struct ByPath<V> {
    entries: Vec<(String, V)>,
}

impl<V> Default for ByPath<V> {
    fn default() -> ByPath<V> {
        ByPath { entries: Vec::new() }
    }
}

impl<V> ByPath<V> {
    fn place(&self, path: &str) -> Result<usize, usize> {
        self.entries.binary_search_by(|(other, _)| other.as_str().cmp(path))
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn get(&self, path: &str) -> Option<&V> {
        self.place(path).ok().and_then(|at| self.entries.get(at)).map(|(_, value)| value)
    }

    pub(super) fn get_mut(&mut self, path: &str) -> Option<&mut V> {
        self.place(path).ok().and_then(|at| self.entries.get_mut(at)).map(|(_, value)| value)
    }

    /// Quick where the path is after all others, else linear in those after it.
    pub(super) fn insert(&mut self, path: &str, value: V) {
        match self.place(path) {
            Ok(at) => {
                if let Some(entry) = self.entries.get_mut(at) {
                    entry.1 = value;
                }
            }
            Err(at) => self.entries.insert(at, (path.to_owned(), value)),
        }
    }

    pub(super) fn remove(&mut self, path: &str) {
        if let Ok(at) = self.place(path) {
            self.entries.remove(at);
        }
    }

    /// Whether there is another path that begins with the same step.
    pub(super) fn has_beside(&self, path: &str) -> bool {
        let step = path.split('.').next().unwrap_or(path);
        // Those that go on after the step follow each other.
        let below = |other: &str| other.strip_prefix(step).is_some_and(|rest| rest.starts_with('.'));
        let from = self.entries.partition_point(|(other, _)| {
            let other = other.as_bytes();
            let begin = other.get(..step.len()).unwrap_or(other);
            (begin, other.get(step.len())) < (step.as_bytes(), Some(&b'.'))
        });
        let mut inside =
            self.entries.iter().skip(from).map(|(other, _)| other.as_str()).take_while(|other| below(other));
        inside.any(|other| other != path) || (step != path && self.get(step).is_some())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &V)> {
        self.entries.iter().map(|(path, value)| (path, value))
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &String> {
        self.entries.iter().map(|(path, _)| path)
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|(_, value)| value)
    }
}

/// In any order; of entries with one path the last counts.
impl<V> From<Vec<(String, V)>> for ByPath<V> {
    fn from(mut entries: Vec<(String, V)>) -> ByPath<V> {
        entries.sort_by(|left, right| left.0.cmp(&right.0));
        entries.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                std::mem::swap(later, kept);
            }
            same
        });
        ByPath { entries }
    }
}

#[cfg(test)]
mod tests {
    use super::ByPath;

    #[test]
    fn the_last_of_a_path_counts() {
        let entries = [("b", 1), ("a", 2), ("b", 3), ("c", 4), ("b", 5)];
        let mut by_path = ByPath::from(entries.map(|(path, value)| (path.to_owned(), value)).to_vec());
        assert!(by_path.iter().map(|(path, value)| (path.as_str(), *value)).eq([("a", 2), ("b", 5), ("c", 4)]));
        by_path.insert("bb", 6);
        by_path.insert("a", 7);
        by_path.remove("c");
        by_path.remove("x");
        assert!(by_path.values().eq(&[7, 5, 6]) && by_path.paths().eq(["a", "b", "bb"]));
        assert_eq!((by_path.get("bb"), by_path.get("c"), by_path.len()), (Some(&6), None, 3));
    }

    #[test]
    fn paths_that_begin_with_one_step() {
        let paths = ["", ".x", "a", "a-b.c", "a.b", "aa.b", "b.c", "b.d.e", "c.", "d", "é.a", "é.b"];
        let by_path = ByPath::from(paths.map(|path| (path.to_owned(), ())).to_vec());
        let beside: Vec<_> = paths.into_iter().filter(|path| by_path.has_beside(path)).collect();
        assert_eq!(beside, ["", ".x", "a", "a.b", "b.c", "b.d.e", "é.a", "é.b"]);
    }
}
