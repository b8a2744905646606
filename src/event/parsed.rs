//! Events that another parser has read; the nesting limit bounds the recursion.

use std::io::Write as _;
use std::ops::ControlFlow::{self, Break, Continue};
use std::ops::Deref;

use super::Event;
use crate::json::{EventError, Number, Reader, Scalar, Sink, Text, Want};
use crate::limit::Limit;

/// How a step of telling ends: `Break` where nothing more is to be reported.
type Told = Result<ControlFlow<()>, EventError>;

/// A node of a parsed value, as the telling sees it.
enum View<'v, V: Node + 'v> {
    Object(V::Members<'v>),
    Array(V::Elements<'v>),
    Scalar(Scalar<'v>),
    /// A number, which is spelled out.
    Number(&'v dyn std::fmt::Display),
    /// A number of which only the double is left.
    #[cfg(feature = "simd-json-0_17")]
    Float(f64),
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
        View::Object(_) => tell(value, sink, reader, reader.limits().depth).map(|_| ()),
        #[cfg(feature = "simd-json-0_17")]
        View::Float(_) => Err(EventError::not_an_object()),
        View::Array(_) | View::Scalar(_) | View::Number(_) => Err(EventError::not_an_object()),
    }
}

/// Reports one value; `depth` is how many containers more may be opened.
fn tell<V: Node, S: Sink>(value: &V, sink: &mut S, reader: &mut Reader, depth: usize) -> Told {
    match value.view() {
        View::Scalar(scalar) => sink.scalar(scalar),
        View::Number(number) => tell_number(number, sink, reader)?,
        #[cfg(feature = "simd-json-0_17")]
        View::Float(float) => tell_number(&Shortly(float), sink, reader)?,
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
        .ok_or_else(|| EventError::limit_reached(Limit::Depth, None, "objects and arrays are nested too deeply"))
}

fn tell_key<S: Sink>(key: &str, sink: &mut S, reader: &Reader) -> Result<Want, EventError> {
    if key.len() > reader.limits().key_bytes {
        return Err(EventError::limit_reached(Limit::KeyBytes, None, "a key is too long"));
    }
    Ok(sink.key(Text::from(key)))
}

fn tell_number<S: Sink>(number: &dyn std::fmt::Display, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
    reader.buffer.clear();
    write!(reader.buffer, "{number}").map_err(|_| EventError::foreign("a number cannot be spelled"))?;
    if reader.buffer.len() > reader.limits().number_bytes {
        return Err(EventError::limit_reached(Limit::NumberBytes, None, "a number is too long"));
    }
    // A float of a parser can be infinite or not a number, which JSON has no spelling for.
    let number = Number::of_bytes(&reader.buffer).ok_or(EventError::foreign("expected a JSON number"))?;
    sink.scalar(Scalar::Number(number));
    Ok(())
}

/// A double as `serde_json` and most writers of JSON spell it: with an exponent where it has many zeros. A number that
/// compares with nothing but its own spelling, such as 5e-324, needs that.
#[cfg(feature = "simd-json-0_17")]
struct Shortly(f64);

#[cfg(feature = "simd-json-0_17")]
impl std::fmt::Display for Shortly {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plain = self.0 == 0.0 || (1e-5..1e16).contains(&self.0.abs());
        if plain { self.0.fmt(f) } else { write!(f, "{:e}", self.0) }
    }
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

#[cfg(feature = "simd-json-0_17")]
mod with_simd {
    use super::*;
    use simd_json::cow::Cow;
    use simd_json::prelude::ValueAsScalar;
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
                        $module::Value::Static(number) => match number.as_f64() {
                            Some(float) => View::Float(float),
                            None => View::Number(number),
                        },
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
            tell_tape(&mut rest, sink, reader, reader.limits().depth).map(|_| ())
        }
    }

    type Nodes<'t, 'input> = std::slice::Iter<'t, simd_json::Node<'input>>;

    /// Reports the value that `nodes` begins with, and moves after it.
    fn tell_tape<S: Sink>(nodes: &mut Nodes<'_, '_>, sink: &mut S, reader: &mut Reader, depth: usize) -> Told {
        use simd_json::Node as Tape;
        match nodes.next() {
            None => return Err(EventError::foreign("the tape is cut off")),
            Some(Tape::String(text)) => sink.scalar(Scalar::string(text)),
            Some(Tape::Static(StaticNode::Null)) => sink.scalar(Scalar::Null),
            Some(Tape::Static(StaticNode::Bool(value))) => sink.scalar(Scalar::Bool(*value)),
            Some(Tape::Static(number)) => match number.as_f64() {
                Some(float) => tell_number(&Shortly(float), sink, reader)?,
                None => tell_number(number, sink, reader)?,
            },
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
