//! Events that are JSON text, whatever owns or borrows it.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::{Event, EventError, Reader, Sink};

macro_rules! text {
    ($($(#[$attribute:meta])* [$($generics:tt)*] $type:ty, $utf8:literal, |$self:ident| $bytes:expr;)*) => {$(
        $(#[$attribute])*
        impl<$($generics)*> Event for $type {
            #[inline]
            fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
                let $self = self;
                reader.read::<S, $utf8>($bytes, sink)
            }

            fn text(&self) -> Option<&[u8]> {
                let $self = self;
                Some($bytes)
            }
        }
    )*};
}

text! {
    [] [u8], false, |text| text;
    [] str, true, |text| text.as_bytes();
    [const N: usize] [u8; N], false, |text| text.as_slice();
    [] Vec<u8>, false, |text| text.as_slice();
    [] String, true, |text| text.as_bytes();
    [] Cow<'_, [u8]>, false, |text| text;
    [] Cow<'_, str>, true, |text| text.as_bytes();
    #[cfg(feature = "bytes")]
    [] bytes::Bytes, false, |text| text;
    #[cfg(feature = "raw_value")]
    [] serde_json::value::RawValue, true, |text| text.get().as_bytes();
}

macro_rules! pointer {
    ($($type:ty),*) => {$(
        impl<E: Event + ?Sized> Event for $type {
            #[inline]
            fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
                (**self).read(sink, reader)
            }

            fn text(&self) -> Option<&[u8]> {
                (**self).text()
            }
        }
    )*};
}

pointer!(&E, Box<E>, Rc<E>, Arc<E>);
