//! The command line of eventrie.

mod args;
mod commands;
mod directory;
mod events;
mod judge;
mod members;
mod open;
mod program;
mod report;
mod rules;
mod shown;
mod sight;
mod vector;

fn main() -> std::process::ExitCode {
    program::main()
}
