//! The frozen tables: no JSON, no spans.

#![allow(dead_code, reason = "the builder calls these")]

mod affix;
mod pieces;
mod range;
mod wildcard;
