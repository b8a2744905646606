//! Patterns and events made from decisions. Both draw from the same few names and strings, so they often match; the
//! strings and numbers are those that have been difficult for somebody.

use crate::choices::Choices;

const NAMES: [&str; 16] =
    ["a", "b", "c", "a.b", "d", "b.c", "", "a.", ".", "A", "\u{e9}", "$or", "prefix", "exists", "x\"y", "\u{10400}"];

const PIECES: [&str; 40] = [
    "a",
    "b",
    "ab",
    "A",
    "B",
    "/",
    ".",
    "-",
    " ",
    "0",
    "1",
    "x",
    "k",
    "K",
    "\u{212a}",
    "s",
    "\u{17f}",
    "i",
    "I",
    "\u{130}",
    "\u{131}",
    "\u{df}",
    "\u{1e9e}",
    "\u{e9}",
    "\u{c9}",
    "e\u{301}",
    "\u{10400}",
    "\u{10428}",
    "\u{1c5}",
    "\u{3c2}",
    "\u{3a3}",
    "\"",
    "\\",
    "*",
    "?",
    "\u{0}",
    "\n",
    "\u{ffff}",
    "arn:aws:s3:::",
    "0123456789abcdef0123456789abcdef",
];

const ADDRESSES: [&str; 16] = [
    "10.0.0.1",
    "010.0.0.1",
    "10.0.0.255",
    "10.0.0.9",
    "255.255.255.255",
    "0.0.0.0",
    "::1",
    "::",
    "::ffff:10.0.0.1",
    "2001:db8::1",
    "2001:0DB8:0:0:0:0:0:1",
    "a00::1",
    "1000:1::",
    "1.2.3",
    "10.0.0.1.",
    "fe80::1%1",
];

const BLOCKS: [&str; 12] = [
    "10.0.0.0/8",
    "10.0.0.8/29",
    "0.0.0.0/0",
    "::/0",
    "2001:db8::/32",
    "10.0.0.1/31",
    "::1/127",
    "255.255.255.254/31",
    "::ffff:0:0/96",
    "10.0.0.1/0",
    "16.0.0.0/4",
    "a00::/8",
];

const NUMBERS: [&str; 40] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "-3",
    "5",
    "-0",
    "0.0",
    "-0.0",
    "1.0",
    "10e-1",
    "0.1e1",
    "3e0",
    "300",
    "3.0e2",
    "0.1",
    "0.30000000000000004",
    "9007199254740992",
    "9007199254740993",
    "9007199254740993.0",
    "123456789012345678",
    "12345678901234567890",
    "1e22",
    "1e23",
    "2e23",
    "5e-324",
    "4.9e-324",
    "2e-324",
    "1e-400",
    "-1e-400",
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "1e308",
    "1e400",
    "-1e400",
    "5000000000",
    "-5000000000.000001",
    "1E+2147483648",
    "1e-99999999999",
];

const WILDCARDS: [&str; 12] =
    ["*", "a*", "*a", "*a*", "a*b", "*a*b*", "ab*ba", "*.*", "a\\*b", "", "*\u{e9}", "a*a*a*b"];

/// How JSON is spelled.
#[derive(Clone, Copy, Default)]
struct Spelling {
    /// Whitespace between tokens.
    spaced: bool,
    /// Escapes where none are needed.
    escaped: bool,
}

pub(crate) struct Maker<'b> {
    pub(crate) choices: Choices<'b>,
    /// How many names are used.
    names: usize,
    spelling: Spelling,
    /// What may still be written, roughly in tokens.
    budget: usize,
    /// The form of the dialect: only lists at the top.
    flat: bool,
}

impl<'b> Maker<'b> {
    pub(crate) fn new(mut choices: Choices<'b>) -> Maker<'b> {
        let how = choices.byte();
        let names = [2, 3, 4, 6, NAMES.len()][usize::from(how) % 5];
        let spelling = Spelling { spaced: how & 0x20 != 0, escaped: how & 0xc0 == 0xc0 };
        Maker { choices, names, spelling, budget: 400, flat: false }
    }

    /// From here on patterns have no objects inside objects.
    pub(crate) fn flat(&mut self) {
        self.flat = true;
    }

    pub(crate) fn name(&mut self) -> &'static str {
        NAMES[self.choices.below(self.names)]
    }

    fn spend(&mut self) -> bool {
        self.budget = self.budget.saturating_sub(1);
        self.budget > 0 && !self.choices.is_empty()
    }

    pub(crate) fn text(&mut self) -> String {
        match self.choices.below(8) {
            0..=2 => self.choices.of(&PIECES[..4]).to_owned(),
            3 => self.choices.of(&ADDRESSES).to_owned(),
            4 => String::new(),
            _ => {
                let count = 1 + self.choices.below(4);
                (0..count).map(|_| self.choices.of(&PIECES)).collect()
            }
        }
    }

    pub(crate) fn number(&mut self) -> String {
        if !self.choices.rarely(64) {
            return self.choices.of(&NUMBERS).to_owned();
        }
        let mut number = String::new();
        let shape = self.choices.byte();
        let mut digits = |number: &mut String, most: usize, whole: bool| {
            let count = 1 + self.choices.below(most);
            for at in 0..count {
                let digit = b'0' + u8::try_from(self.choices.below(10)).unwrap_or(0);
                let digit = if whole && at == 0 && count > 1 && digit == b'0' { b'9' } else { digit };
                number.push(char::from(digit));
            }
        };
        if shape & 1 != 0 {
            number.push('-');
        }
        digits(&mut number, 20, true);
        if shape & 2 != 0 {
            number.push('.');
            digits(&mut number, 18, false);
        }
        if shape & 4 != 0 {
            number.push(if shape & 8 != 0 { 'E' } else { 'e' });
            number.push_str(["", "-", "+", "-"][usize::from(shape >> 4) % 4]);
            digits(&mut number, 3, false);
        }
        number
    }

    /// A string as JSON.
    pub(crate) fn quoted(&mut self, text: &str) -> String {
        if !self.spelling.escaped {
            return quote(text);
        }
        let mut out = String::from("\"");
        for char in text.chars() {
            if self.choices.rarely(96) || char < ' ' || char == '"' || char == '\\' {
                for unit in char.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            } else {
                out.push(char);
            }
        }
        if self.choices.rarely(8) {
            out.push_str(self.choices.of(&["\\ud800", "\\udfff", "\\/", "\\ud800\\ud800"]));
        }
        out.push('"');
        out
    }

    fn string(&mut self) -> String {
        let text = self.text();
        self.quoted(&text)
    }

    fn scalar(&mut self) -> String {
        match self.choices.below(10) {
            0..=4 => self.string(),
            5..=7 => self.number(),
            8 => self.choices.of(&["true", "false", "null"]).to_owned(),
            _ => {
                let address = self.choices.of(&ADDRESSES);
                self.quoted(address)
            }
        }
    }

    fn wildcard(&mut self) -> String {
        let text = if self.choices.rarely(128) {
            let count = 1 + self.choices.below(5);
            let pieces: String =
                (0..count).map(|_| self.choices.of(&["a", "b", "*", "ab", "\\*", "\\\\", "é", "0123456789"])).collect();
            pieces.replace("**", "*").replace("**", "*")
        } else {
            self.choices.of(&WILDCARDS).to_owned()
        };
        self.quoted(&text)
    }

    fn one_or_list(&mut self, make: fn(&mut Self) -> String) -> String {
        match self.choices.below(4) {
            0 | 1 => make(self),
            count => format!("[{}]", (0..count).map(|_| make(self)).collect::<Vec<_>>().join(",")),
        }
    }

    fn range(&mut self) -> String {
        let below = |maker: &mut Self| maker.choices.of(&["<", "<="]);
        let above = |maker: &mut Self| maker.choices.of(&[">", ">="]);
        match self.choices.below(3) {
            0 => {
                let sign = self.choices.of(&["=", "<", "<=", ">", ">="]);
                format!("[\"{sign}\",{}]", self.number())
            }
            _ => {
                let (low, high) = (above(self), below(self));
                let (mut from, mut to) = (self.number(), self.number());
                if from.parse::<f64>().ok() > to.parse::<f64>().ok() {
                    std::mem::swap(&mut from, &mut to);
                }
                format!("[\"{low}\",{from},\"{high}\",{to}]")
            }
        }
    }

    fn operator(&mut self) -> String {
        let nonempty = |maker: &mut Self| {
            let text = maker.text();
            maker.quoted(if text.is_empty() { "a" } else { &text })
        };
        let (name, operand) = match self.choices.below(17) {
            0 => ("prefix", self.string()),
            1 => ("suffix", self.string()),
            2 => ("exactly", self.string()),
            3 => ("equals-ignore-case", self.string()),
            4 => ("prefix", format!("{{\"equals-ignore-case\":{}}}", self.string())),
            5 => ("suffix", format!("{{\"equals-ignore-case\":{}}}", self.string())),
            6 | 7 => ("wildcard", self.wildcard()),
            8 => ("numeric", self.range()),
            9 => ("cidr", format!("\"{}\"", self.choices.of(&BLOCKS))),
            10 => ("exists", self.choices.of(&["false", "true"]).to_owned()),
            11 => ("anything-but", self.one_or_list(Self::string)),
            12 => ("anything-but", self.one_or_list(Self::number)),
            13 => ("anything-but", format!("{{\"prefix\":{}}}", self.one_or_list(nonempty))),
            14 => ("anything-but", format!("{{\"suffix\":{}}}", self.one_or_list(nonempty))),
            15 => ("anything-but", format!("{{\"equals-ignore-case\":{}}}", self.one_or_list(Self::string))),
            _ => ("anything-but", format!("{{\"wildcard\":{}}}", self.one_or_list(Self::wildcard))),
        };
        format!("{{\"{name}\":{operand}}}")
    }

    /// The tests of a field.
    fn tests(&mut self) -> String {
        let count = match self.choices.byte() {
            255 => 20,
            250..=254 => 9,
            byte => 1 + usize::from(byte) % 3,
        };
        let tests: Vec<String> =
            (0..count).map(|_| if self.choices.below(5) < 2 { self.scalar() } else { self.operator() }).collect();
        self.list("[", &tests, "]")
    }

    fn list(&mut self, begin: &str, parts: &[String], end: &str) -> String {
        let between = if self.spelling.spaced { self.choices.of(&[",", " , ", ",\n\t"]) } else { "," };
        format!("{begin}{}{end}", parts.join(between))
    }

    fn member(&mut self, name: &str, value: &str) -> String {
        let colon = if self.spelling.spaced { self.choices.of(&[":", ": ", "\r\n:"]) } else { ":" };
        format!("{}{colon}{value}", self.quoted(name))
    }

    pub(crate) fn pattern(&mut self) -> String {
        self.budget = 120;
        self.pattern_object(0)
    }

    fn pattern_object(&mut self, depth: usize) -> String {
        let count = 1 + self.choices.below(3);
        let mut members = Vec::with_capacity(count);
        for _ in 0..count {
            let kind = self.choices.below(8);
            let deeper = depth < 5 && self.spend();
            let member = match kind {
                5 | 6 if deeper && !self.flat => {
                    let (name, inner) = (self.name(), self.pattern_object(depth + 1));
                    self.member(name, &inner)
                }
                7 if deeper => {
                    let count = 2 + self.choices.below(3);
                    let branches: Vec<String> = (0..count).map(|_| self.pattern_object(depth + 1)).collect();
                    let branches = self.list("[", &branches, "]");
                    self.member("$or", &branches)
                }
                _ => {
                    let (name, tests) = (self.name(), self.tests());
                    self.member(name, &tests)
                }
            };
            members.push(member);
        }
        self.list("{", &members, "}")
    }

    /// Several patterns; now and then a great many that differ in one value only.
    pub(crate) fn patterns(&mut self) -> Vec<String> {
        let count = 1 + self.choices.below(6);
        let mut patterns: Vec<String> = (0..count).map(|_| self.pattern()).collect();
        if self.choices.rarely(40) {
            let count = 4 + self.choices.below(60);
            let (first, second) = (self.name(), self.name());
            let (second_tests, shape) = (self.tests(), self.choices.below(8));
            for at in 0..count {
                let value = match shape {
                    0 => format!("\"v{at}\""),
                    1 => format!("{{\"prefix\":\"{}\"}}", "ab".repeat(at % 40)),
                    2 => format!("{{\"suffix\":\"{}\"}}", "ab".repeat(at % 40)),
                    3 => format!("{{\"wildcard\":\"*{}*a\"}}", at % 7),
                    4 => format!("{{\"numeric\":[\">\",{at},\"<\",{}]}}", at + 9),
                    5 => format!("{{\"anything-but\":[\"a\",\"v{at}\"]}}"),
                    6 => format!("{{\"equals-ignore-case\":\"V{at}\"}}"),
                    _ => format!("{{\"cidr\":\"10.0.0.{at}/{}\"}}", 24 + at % 8),
                };
                let (first, second) = (quote(first), quote(second));
                patterns.push(if at % 3 == 0 || first == second {
                    format!("{{{first}:[{value}]}}")
                } else {
                    format!("{{{first}:[{value}],{second}:{second_tests}}}")
                });
            }
        }
        patterns
    }

    pub(crate) fn event(&mut self) -> String {
        self.budget = 120;
        let event = self.event_object(0);
        let space = if self.spelling.spaced { self.choices.of(&["", " ", "\n\n"]) } else { "" };
        format!("{space}{event}{space}")
    }

    fn event_object(&mut self, depth: usize) -> String {
        let count = self.choices.below(5);
        let members: Vec<String> = (0..count)
            .map(|_| {
                let name = self.name();
                let value = self.event_value(depth);
                self.member(name, &value)
            })
            .collect();
        self.list("{", &members, "}")
    }

    fn event_value(&mut self, depth: usize) -> String {
        let kind = self.choices.below(8);
        match kind {
            5 | 6 if depth < 6 && self.spend() => {
                let count = self.choices.below(5);
                let elements: Vec<String> = (0..count).map(|_| self.event_value(depth + 1)).collect();
                self.list("[", &elements, "]")
            }
            7 if depth < 6 && self.spend() => self.event_object(depth + 1),
            _ => self.scalar(),
        }
    }

    /// An event with all members of a first one, and others before or after.
    pub(crate) fn around(&mut self, event: &str) -> String {
        let inner = |event: &str| -> Option<String> {
            let inner = event.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
            Some(inner.to_owned())
        };
        let mut parts: Vec<String> = inner(event).into_iter().filter(|part| !part.is_empty()).collect();
        if self.choices.rarely(128) {
            let other = self.event();
            let at = self.choices.below(2);
            if let Some(other) = inner(&other).filter(|part| !part.is_empty()) {
                parts.insert(at.min(parts.len()), other);
            }
        }
        format!("{{{}}}", parts.join(","))
    }
}

/// A string as JSON, with the escapes that are needed.
pub(crate) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
