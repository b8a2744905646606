//! What the fuzz targets do with an input.
//!
//! An input is decoded into a *case* (patterns, events, a history, …), which knows how to print itself as a
//! reproduction that a person can paste, and how to check itself: a check that fails panics. The libFuzzer binaries
//! next to this crate and the tests in it call the same [`run`].

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a target reports"
)]

mod choices;
mod event;
mod fixed;
mod json;
#[path = "../../../tests/kept.rs"]
mod kept;
mod live;
mod make;
mod matching;
mod paste;
mod pattern;
mod record;
mod saved;
mod seeds;
mod sources;
mod templates;

use std::cell::RefCell;
use std::fmt::Display;
use std::rc::Rc;

pub use seeds::write_seeds;

/// What an input represents. Printed, it is a reproduction.
trait Case: Display + Sized + 'static {
    /// The case of an input; none if the input represents nothing that is worth keeping.
    fn decode(input: &[u8]) -> Option<Self>;

    /// Panics if something is wrong.
    fn check(&self);
}

/// A target: a name, and what is done with an input.
#[derive(Clone, Copy)]
struct Target {
    name: &'static str,
    run: fn(&[u8]) -> bool,
    show: fn(&[u8]) -> Option<String>,
}

const fn target<C: Case>(name: &'static str) -> Target {
    Target { name, run: drive::<C>, show: |input| Some(C::decode(input)?.to_string()) }
}

const TARGETS: [Target; 7] = [
    target::<matching::Matching>("matching"),
    target::<event::Event>("event"),
    target::<saved::Saved>("saved"),
    target::<pattern::Text>("pattern"),
    target::<sources::Sourced>("sources"),
    target::<live::Live>("live"),
    target::<templates::Template>("templates"),
];

/// The names of all targets.
#[must_use]
pub fn names() -> Vec<&'static str> {
    TARGETS.iter().map(|target| target.name).collect()
}

fn named(name: &str) -> Target {
    *TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("there is no target `{name}`"))
}

thread_local! {
    /// The case at hand, for the report of a panic.
    static CURRENT: RefCell<Option<Rc<dyn Display>>> = const { RefCell::new(None) };
}

fn drive<C: Case>(input: &[u8]) -> bool {
    let Some(case) = C::decode(input) else { return false };
    let case = Rc::new(case);
    CURRENT.set(Some(Rc::clone(&case) as Rc<dyn Display>));
    case.check();
    CURRENT.set(None);
    true
}

/// Checks an input, and panics with a finding. False if the input represents nothing.
///
/// # Panics
/// If there is a finding, or no target of this name.
#[must_use]
pub fn run(name: &str, input: &[u8]) -> bool {
    (named(name).run)(input)
}

/// The reproduction of an input, without running it.
#[must_use]
pub fn show(name: &str, input: &[u8]) -> Option<String> {
    (named(name).show)(input)
}

/// From here on a panic prints what reproduces it and ends the process, as a fuzzer wants it.
pub fn report_and_abort() {
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("{panic}");
        if let Some(case) = CURRENT.take() {
            eprintln!("\n==== reproduction ====\n{case}\n==== end ====\n");
        }
        std::process::abort();
    }));
}

/// Checks an input; the finding with its reproduction, if there is one.
///
/// # Errors
/// If there is a finding.
pub fn try_run(name: &str, input: &[u8]) -> Result<bool, String> {
    std::panic::catch_unwind(|| run(name, input)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without text");
        let case = CURRENT.take().map(|case| case.to_string()).unwrap_or_default();
        format!("{text}\n{case}")
    })
}
