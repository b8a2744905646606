//! The program `eventrie`.

fn main() -> std::process::ExitCode {
    // A WebAssembly program starts in the root directory; `npx eventrie` passes on where it was called. If that fails, paths
    // that are not absolute are reported as missing.
    #[cfg(target_os = "wasi")]
    if let Some(directory) = std::env::var_os("PWD") {
        drop(std::env::set_current_dir(directory));
    }
    std::process::ExitCode::from(eventrie_cli::run(std::env::args_os()))
}
