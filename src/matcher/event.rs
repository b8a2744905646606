//! What can be matched: anything that can tell a [`Sink`] what it holds.

use crate::json::{EventError, Reader, Sink};

/// An event: something that can be told as one JSON object, key by key.
///
/// Implemented for JSON text (`[u8]`, `str` and what owns or borrows them), which is read at its fastest, and by feature
/// for parsed values of `serde_json` and `simd-json`. Duplicate keys and the spelling of numbers are only seen in text.
///
/// # Implementing it
///
/// [`read`](Event::read) tells the sink the object in order, and heeds what it answers, as the documentation of
/// [`Sink`] describes. `reader` serves implementations that hold JSON text, which pass it on; others may
/// ignore it, or take the nesting limit from it. A source that fails reports [`EventError::foreign`].
///
/// ```
/// use eventrie::{Event, EventError, Reader, Scalar, Sink, Want};
///
/// struct Temperature(i32);
///
/// impl Event for Temperature {
///     fn read<S: Sink>(&self, sink: &mut S, _reader: &mut Reader) -> Result<(), EventError> {
///         if sink.begin_object() == Want::Read {
///             if sink.key("celsius".into()) == Want::Read {
///                 sink.scalar(Scalar::number(&self.0.to_string()));
///             }
///             sink.end_object();
///         }
///         Ok(())
///     }
/// }
///
/// /// JSON text with something in front.
/// struct Framed<'a>(&'a [u8]);
///
/// impl Event for Framed<'_> {
///     fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
///         let text = self.0.get(4..).ok_or(EventError::foreign("the frame is too short"))?;
///         text.read(sink, reader)
///     }
/// }
/// # let _ = (Temperature(3), Framed(b""));
/// ```
pub trait Event {
    /// Tells `sink` what the event holds. After an error, what was told means nothing.
    ///
    /// # Errors
    ///
    /// The event is malformed, is not an object, or reaches a limit.
    fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError>;
}

impl Event for [u8] {
    #[inline]
    fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
        reader.read::<S, false>(self, sink)
    }
}

impl Event for str {
    #[inline]
    fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
        reader.read::<S, true>(self.as_bytes(), sink)
    }
}

impl<const N: usize> Event for [u8; N] {
    #[inline]
    fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
        self.as_slice().read(sink, reader)
    }
}

impl Event for Vec<u8> {
    #[inline]
    fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
        self.as_slice().read(sink, reader)
    }
}

impl Event for String {
    #[inline]
    fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
        self.as_str().read(sink, reader)
    }
}

impl<E: Event + ?Sized> Event for &E {
    #[inline]
    fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
        (**self).read(sink, reader)
    }
}

#[cfg(any(feature = "serde_json", feature = "simd-json"))]
mod parsed {
    //! Values that another parser made: recursion is bounded by the nesting limit.

    use std::io::Write as _;
    use std::ops::ControlFlow::{self, Break, Continue};
    use std::ops::Deref;

    use super::Event;
    use crate::json::{EventError, Reader, Scalar, Sink, Text, Want};

    /// How a step of telling ends: `Break` where nothing more is to be told.
    type Told = Result<ControlFlow<()>, EventError>;

    /// A node of a parsed value, as the telling sees it.
    enum View<'v, V: Node + 'v> {
        Object(V::Members<'v>),
        Array(V::Elements<'v>),
        Scalar(Scalar<'v>),
        /// A number, which is spelled out.
        Number(&'v dyn std::fmt::Display),
    }

    trait Node: Sized {
        type Key: Deref<Target = str>;
        type Members<'v>: Iterator<Item = (&'v Self::Key, &'v Self)>
        where
            Self: 'v;
        type Elements<'v>: Iterator<Item = &'v Self>
        where
            Self: 'v;

        fn view(&self) -> View<'_, Self>;
    }

    fn tell_event<V: Node, S: Sink>(value: &V, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
        match value.view() {
            View::Object(_) => tell(value, sink, reader, reader.limits().depth()).map(|_| ()),
            View::Array(_) | View::Scalar(_) | View::Number(_) => Err(EventError::not_an_object()),
        }
    }

    /// Tells one value; `depth` is how many containers more may be opened.
    fn tell<V: Node, S: Sink>(value: &V, sink: &mut S, reader: &mut Reader, depth: usize) -> Told {
        match value.view() {
            View::Scalar(scalar) => sink.scalar(scalar),
            View::Number(number) => tell_number(number, sink, reader)?,
            View::Object(members) => {
                let inner = deeper(depth)?;
                match sink.begin_object() {
                    Want::Read => {}
                    Want::Skip | Want::Leave => return Ok(Continue(())),
                    Want::Stop => return Ok(Break(())),
                }
                for (key, value) in members {
                    match tell_key(key, sink, reader)? {
                        Want::Read => {
                            if tell(value, sink, reader, inner)?.is_break() {
                                return Ok(Break(()));
                            }
                        }
                        Want::Skip => {}
                        Want::Leave => break,
                        Want::Stop => return Ok(Break(())),
                    }
                }
                sink.end_object();
            }
            View::Array(elements) => {
                let inner = deeper(depth)?;
                match sink.begin_array() {
                    Want::Read => {}
                    Want::Skip | Want::Leave => return Ok(Continue(())),
                    Want::Stop => return Ok(Break(())),
                }
                for value in elements {
                    if tell(value, sink, reader, inner)?.is_break() {
                        return Ok(Break(()));
                    }
                }
                sink.end_array();
            }
        }
        Ok(Continue(()))
    }

    fn deeper(depth: usize) -> Result<usize, EventError> {
        depth
            .checked_sub(1)
            .ok_or_else(|| EventError::limit_reached("depth", None, "objects and arrays are nested too deeply"))
    }

    fn tell_key<S: Sink>(key: &str, sink: &mut S, reader: &Reader) -> Result<Want, EventError> {
        if key.len() > reader.limits().key_bytes {
            return Err(EventError::limit_reached("key_bytes", None, "a key is too long"));
        }
        Ok(sink.key(Text::from(key)))
    }

    fn tell_number<S: Sink>(
        number: &dyn std::fmt::Display,
        sink: &mut S,
        reader: &mut Reader,
    ) -> Result<(), EventError> {
        reader.buffer.clear();
        write!(reader.buffer, "{number}").map_err(|_| EventError::foreign("a number cannot be spelled"))?;
        if reader.buffer.len() > reader.limits().number_bytes {
            return Err(EventError::limit_reached("number_bytes", None, "a number is too long"));
        }
        sink.scalar(Scalar::Number(Text::from_valid(&reader.buffer)));
        Ok(())
    }

    #[cfg(feature = "serde_json")]
    mod with_serde {
        use super::*;
        use serde_json::Value;

        impl Node for Value {
            type Key = String;
            type Members<'v> = serde_json::map::Iter<'v>;
            type Elements<'v> = std::slice::Iter<'v, Value>;

            fn view(&self) -> View<'_, Value> {
                match self {
                    Value::Null => View::Scalar(Scalar::Null),
                    Value::Bool(value) => View::Scalar(Scalar::Bool(*value)),
                    Value::Number(number) => View::Number(number),
                    Value::String(text) => View::Scalar(Scalar::string(text)),
                    Value::Array(elements) => View::Array(elements.iter()),
                    Value::Object(members) => View::Object(members.iter()),
                }
            }
        }

        impl Event for Value {
            fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
                tell_event(self, sink, reader)
            }
        }
    }

    #[cfg(feature = "simd-json")]
    mod with_simd {
        use super::*;
        use simd_json::cow::Cow;
        use simd_json::{BorrowedValue, OwnedValue, StaticNode, Tape, borrowed, owned};

        macro_rules! value {
            ($value:ident, $module:ident, $key:ty $(, $lifetime:lifetime)?) => {
                impl $(<$lifetime>)? Node for $value $(<$lifetime>)? {
                    type Key = $key;
                    type Members<'v> = <&'v $module::Object $(<$lifetime>)? as IntoIterator>::IntoIter where Self: 'v;
                    type Elements<'v> = std::slice::Iter<'v, Self> where Self: 'v;

                    fn view(&self) -> View<'_, Self> {
                        match self {
                            $module::Value::Static(StaticNode::Null) => View::Scalar(Scalar::Null),
                            $module::Value::Static(StaticNode::Bool(value)) => View::Scalar(Scalar::Bool(*value)),
                            $module::Value::Static(number) => View::Number(number),
                            $module::Value::String(text) => View::Scalar(Scalar::string(text)),
                            $module::Value::Array(elements) => View::Array(elements.iter()),
                            $module::Value::Object(members) => {
                                View::Object(members.iter())
                            }
                        }
                    }
                }

                impl $(<$lifetime>)? Event for $value $(<$lifetime>)? {
                    fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
                        tell_event(self, sink, reader)
                    }
                }
            };
        }

        value!(OwnedValue, owned, String);
        value!(BorrowedValue, borrowed, Cow<'a, str>, 'a);

        impl Event for Tape<'_> {
            fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
                match self.0.first() {
                    Some(simd_json::Node::Object { .. }) => {}
                    _ => return Err(EventError::not_an_object()),
                }
                let mut rest = self.0.iter();
                tell_tape(&mut rest, sink, reader, reader.limits().depth()).map(|_| ())
            }
        }

        type Nodes<'t, 'input> = std::slice::Iter<'t, simd_json::Node<'input>>;

        /// Tells the value that `nodes` begins with, and moves behind it.
        fn tell_tape<S: Sink>(nodes: &mut Nodes<'_, '_>, sink: &mut S, reader: &mut Reader, depth: usize) -> Told {
            use simd_json::Node as Tape;
            match nodes.next() {
                None => return Err(EventError::foreign("the tape is cut off")),
                Some(Tape::String(text)) => sink.scalar(Scalar::string(text)),
                Some(Tape::Static(StaticNode::Null)) => sink.scalar(Scalar::Null),
                Some(Tape::Static(StaticNode::Bool(value))) => sink.scalar(Scalar::Bool(*value)),
                Some(Tape::Static(number)) => tell_number(number, sink, reader)?,
                Some(Tape::Object { len, count }) => {
                    let (inner, behind) = (deeper(depth)?, behind(nodes, *count)?);
                    match sink.begin_object() {
                        Want::Read => {}
                        Want::Skip | Want::Leave => {
                            *nodes = behind;
                            return Ok(Continue(()));
                        }
                        Want::Stop => return Ok(Break(())),
                    }
                    for _ in 0..*len {
                        let Some(Tape::String(key)) = nodes.next() else {
                            return Err(EventError::foreign("the tape has a key that is not text"));
                        };
                        match tell_key(key, sink, reader)? {
                            Want::Read => {
                                if tell_tape(nodes, sink, reader, inner)?.is_break() {
                                    return Ok(Break(()));
                                }
                            }
                            Want::Skip => skip_tape(nodes)?,
                            Want::Leave => break,
                            Want::Stop => return Ok(Break(())),
                        }
                    }
                    *nodes = behind;
                    sink.end_object();
                }
                Some(Tape::Array { len, count }) => {
                    let (inner, behind) = (deeper(depth)?, behind(nodes, *count)?);
                    match sink.begin_array() {
                        Want::Read => {}
                        Want::Skip | Want::Leave => {
                            *nodes = behind;
                            return Ok(Continue(()));
                        }
                        Want::Stop => return Ok(Break(())),
                    }
                    for _ in 0..*len {
                        if tell_tape(nodes, sink, reader, inner)?.is_break() {
                            return Ok(Break(()));
                        }
                    }
                    *nodes = behind;
                    sink.end_array();
                }
            }
            Ok(Continue(()))
        }

        fn skip_tape(nodes: &mut Nodes<'_, '_>) -> Result<(), EventError> {
            if let Some(simd_json::Node::Object { count, .. } | simd_json::Node::Array { count, .. }) = nodes.next() {
                *nodes = behind(nodes, *count)?;
            }
            Ok(())
        }

        /// What follows `count` nodes.
        fn behind<'t, 'input>(nodes: &Nodes<'t, 'input>, count: usize) -> Result<Nodes<'t, 'input>, EventError> {
            match nodes.as_slice().get(count..) {
                Some(rest) => Ok(rest.iter()),
                None => Err(EventError::foreign("the tape is cut off")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]

    use super::*;
    use crate::json::{ReadPolicy, Scalar, Text, Want};
    use crate::limit::Limits;

    /// All scalars with the keys above them, sorted; skips, leaves and stops at keys of these names.
    #[derive(Default)]
    struct Leaves {
        path: Vec<String>,
        open: Vec<bool>,
        found: Vec<String>,
    }

    impl Leaves {
        fn value_ends(&mut self) {
            if self.open.last() == Some(&true) {
                self.path.pop();
            }
        }
    }

    impl Sink for Leaves {
        fn key(&mut self, name: Text<'_>) -> Want {
            match name.as_bytes() {
                b"skip" => Want::Skip,
                b"leave" => Want::Leave,
                b"stop" => Want::Stop,
                name => {
                    self.path.push(String::from_utf8(name.to_vec()).unwrap());
                    Want::Read
                }
            }
        }

        fn scalar(&mut self, value: Scalar<'_>) {
            let value = match value {
                Scalar::String(text) => format!("{:?}", std::str::from_utf8(text.as_bytes()).unwrap()),
                Scalar::Number(text) => {
                    format!("{:?}", std::str::from_utf8(text.as_bytes()).unwrap().parse::<f64>().unwrap())
                }
                Scalar::Bool(value) => value.to_string(),
                Scalar::Null => "null".to_owned(),
            };
            self.found.push(format!("{}={value}", self.path.join("/")));
            self.value_ends();
        }

        fn begin_object(&mut self) -> Want {
            self.open.push(true);
            Want::Read
        }

        fn end_object(&mut self) {
            self.open.pop();
            self.value_ends();
        }

        fn begin_array(&mut self) -> Want {
            self.open.push(false);
            Want::Read
        }

        fn end_array(&mut self) {
            self.open.pop();
            self.value_ends();
        }
    }

    fn leaves(event: impl Event, policy: ReadPolicy) -> Result<Vec<String>, EventError> {
        let mut sink = Leaves::default();
        event.read(&mut sink, &mut Reader::new(policy, &Limits { depth: 4, key_bytes: 8, ..Limits::default() }))?;
        sink.found.sort();
        Ok(sink.found)
    }

    const EVENT: &str = r#" {"a": [1, -2.5e3, {"b": "xé\n"}, [true]], "skip": {"a": [7]}, "n": null, "e": {}, "f": [], "z": 10000000000} "#;

    #[test]
    fn text_in_all_shapes() {
        let expected = ["a/b=\"xé\\n\"", "a=-2500.0", "a=1.0", "a=true", "n=null", "z=10000000000.0"];
        for policy in [ReadPolicy::Whole, ReadPolicy::Early] {
            assert_eq!(leaves(EVENT, policy).unwrap(), expected);
            assert_eq!(leaves(EVENT.as_bytes(), policy).unwrap(), expected);
            assert_eq!(leaves(EVENT.to_owned(), policy).unwrap(), expected);
            assert_eq!(leaves(EVENT.as_bytes().to_vec(), policy).unwrap(), expected);
            assert_eq!(leaves(b"{\"a\":1}", policy).unwrap(), ["a=1.0"]);
            assert_eq!(leaves(r#"{"o":{"a":1,"leave":2,"b":3},"c":4}"#, policy).unwrap(), ["c=4.0", "o/a=1.0"]);
            assert_eq!(leaves(r#"{"a":1,"o":[{"stop":2}],"c":4}"#, policy).unwrap(), ["a=1.0"]);
        }
    }

    #[test]
    #[cfg(all(feature = "serde_json", feature = "simd-json"))]
    fn parsed_values_tell_what_their_text_tells() {
        for text in
            [EVENT, r#"{"a":{"skip":1,"b":[{"c":1},{"skip":2}]}}"#, r#"{"o":{"leave":2}}"#, r#"{"o":{"stop":2}}"#, "{}"]
        {
            let expected = leaves(text, ReadPolicy::Whole);
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            assert_eq!(leaves(&value, ReadPolicy::Whole), expected);
            let bytes = || text.as_bytes().to_vec();
            assert_eq!(leaves(simd_json::to_owned_value(&mut bytes()).unwrap(), ReadPolicy::Whole), expected);
            assert_eq!(leaves(simd_json::to_borrowed_value(&mut bytes()).unwrap(), ReadPolicy::Early), expected);
            assert_eq!(leaves(simd_json::to_tape(&mut bytes()).unwrap(), ReadPolicy::Whole), expected);
        }
    }

    #[test]
    #[cfg(all(feature = "serde_json", feature = "simd-json"))]
    fn parsed_values_keep_the_limits() {
        use crate::json::EventErrorKind;

        for (text, kind, limit) in [
            ("[1]", EventErrorKind::NotAnObject, None),
            ("\"a\"", EventErrorKind::NotAnObject, None),
            (r#"{"a":[[[[1]]]]}"#, EventErrorKind::Limit, Some("depth")),
            (r#"{"a":{"a":{"a":{"a":{}}}}}"#, EventErrorKind::Limit, Some("depth")),
            (r#"{"a-long-key":1}"#, EventErrorKind::Limit, Some("key_bytes")),
        ] {
            let of_text = leaves(text, ReadPolicy::Whole).unwrap_err();
            assert_eq!((of_text.kind(), of_text.limit()), (kind, limit), "{text}");
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            let mut bytes = text.as_bytes().to_vec();
            for error in [
                leaves(&value, ReadPolicy::Whole).unwrap_err(),
                leaves(simd_json::to_owned_value(&mut bytes.clone()).unwrap(), ReadPolicy::Whole).unwrap_err(),
                leaves(simd_json::to_tape(&mut bytes).unwrap(), ReadPolicy::Whole).unwrap_err(),
            ] {
                assert_eq!((error.kind(), error.limit(), error.offset()), (kind, limit, None), "{text}");
            }
        }
    }
}
