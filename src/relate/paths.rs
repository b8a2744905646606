//! What each of some paths has.

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

    /// Quick where the path lies behind all others, else linear in those behind it.
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
}
