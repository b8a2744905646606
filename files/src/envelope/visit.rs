//! What opening an envelope needs of the opener, and where it is.

use super::layer::Layer;
use crate::tree::Node;

/// The most bytes that the events of one text may have together: what is opened is copied.
pub(super) const LARGEST: usize = 1 << 28;

/// Where the opener is.
#[derive(Clone)]
pub(super) struct Here {
    pub(super) pointer: String,
    pub(super) layers: Vec<Layer>,
}

impl Here {
    pub(super) fn step(&self, pointer: &str, layer: Option<Layer>) -> Here {
        let mut layers = self.layers.clone();
        layers.extend(layer);
        Here { pointer: format!("{}{pointer}", self.pointer), layers }
    }
}

/// Goes into what an envelope contains. The answers say whether something was opened.
pub(super) trait Open {
    /// A string that contains an event, or one more envelope; if `surely` is false, only those.
    fn text(&mut self, text: &str, here: &Here, surely: bool) -> bool;
    /// Counts what contains no JSON object, if it surely was a message.
    fn skip(&mut self, surely: bool) -> bool;
    /// A value inside an envelope: a string that contains JSON, or JSON itself.
    fn value(&mut self, node: &Node, text: &str, here: &Here, surely: bool) -> bool;
    /// Opens the node, if it is an envelope; `text` is the text that it was read from.
    fn node(&mut self, node: &Node, text: &str, here: &Here) -> bool;
    /// Each element of a list.
    fn elements(&mut self, list: &Node, text: &str, here: &Here, name: &str, layer: Option<Layer>) -> bool;
}
