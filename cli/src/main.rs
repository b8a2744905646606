//! The program `eventrie`.

fn main() -> std::process::ExitCode {
    std::process::ExitCode::from(eventrie_cli::run(std::env::args_os()))
}
