//! Writes JSON text: what is passed to JavaScript. This takes less code than serializing objects.

use std::fmt::Write as _;

/// JSON text that is being written. Commas are set where the text so far needs one.
#[derive(Default)]
pub(crate) struct Json {
    text: String,
}

impl Json {
    /// The text of the value that `write` writes.
    pub(crate) fn of(write: impl FnOnce(&mut Json)) -> String {
        let mut json = Json::default();
        write(&mut json);
        json.text
    }

    fn separate(&mut self) {
        if !matches!(self.text.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.text.push(',');
        }
    }

    pub(crate) fn open(&mut self, bracket: char) {
        self.separate();
        self.text.push(bracket);
    }

    pub(crate) fn close(&mut self, bracket: char) {
        self.text.push(bracket);
    }

    /// An array with whatever `write` writes of each item.
    pub(crate) fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Json, T)) {
        self.open('[');
        for item in items {
            write(self, item);
        }
        self.close(']');
    }

    /// The value comes next.
    pub(crate) fn key(&mut self, key: &str) -> &mut Json {
        self.string(key);
        self.text.push(':');
        self
    }

    pub(crate) fn string(&mut self, value: &str) {
        self.separate();
        self.text.push('"');
        for char in value.chars() {
            match char {
                '"' | '\\' => self.text.extend(['\\', char]),
                '\0'..'\u{20}' => {
                    self.text.push_str("\\u00");
                    let code = char as u32;
                    self.text
                        .extend([code / 16, code % 16].into_iter().filter_map(|digit| char::from_digit(digit, 16)));
                }
                _ => self.text.push(char),
            }
        }
        self.text.push('"');
    }

    pub(crate) fn number(&mut self, value: u64) {
        self.separate();
        // INVARIANT: writing to an input never fails.
        _ = write!(self.text, "{value}");
    }

    pub(crate) fn truth(&mut self, value: bool) {
        self.separate();
        self.text.push_str(if value { "true" } else { "false" });
    }

    fn null(&mut self) {
        self.separate();
        self.text.push_str("null");
    }

    pub(crate) fn text_or_null(&mut self, value: Option<&str>) {
        match value {
            Some(value) => self.string(value),
            None => self.null(),
        }
    }

    pub(crate) fn number_or_null(&mut self, value: Option<u64>) {
        match value {
            Some(value) => self.number(value),
            None => self.null(),
        }
    }

    pub(crate) fn or_null<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Json, T)) {
        match value {
            Some(value) => write(self, value),
            None => self.null(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::Json;

    #[test]
    fn commas_and_escapes() {
        let odd = "\"\\\u{0}\n\u{1f} é😀{[:";
        let written = Json::of(|json| {
            json.open('{');
            json.key("a").list([odd, ":"], Json::string);
            json.key("b").list([[1, u64::MAX], [2, 3]], |json, pair| json.list(pair, Json::number));
            json.key("c").truth(true);
            json.key("").text_or_null(None);
            json.key("e").list(Vec::<u64>::new(), Json::number);
            json.key("f").open('{');
            json.close('}');
            json.key("g").number_or_null(Some(0));
            json.close('}');
        });
        let read: serde_json::Value = serde_json::from_str(&written).unwrap();
        let expected = serde_json::json!({
            "a": [odd, ":"], "b": [[1, u64::MAX], [2, 3]], "c": true, "": null, "e": [], "f": {}, "g": 0,
        });
        assert_eq!(read, expected, "{written}");
    }
}
