//! The command line of eventrie.

fn main() -> std::process::ExitCode {
    eventrie_cli::main()
}
