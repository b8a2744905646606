//! `eventrie lsp`

use crate::shown::complain;

/// Serves one client; returns the exit code, since that is the client's and not a verdict.
#[cfg(feature = "lsp")]
pub(crate) fn run() -> u8 {
    match crate::lsp::serve() {
        Ok(code) => code,
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => 1,
        Err(error) => {
            complain(&error.to_string());
            2
        }
    }
}

#[cfg(not(feature = "lsp"))]
pub(crate) fn run() -> u8 {
    complain(
        "this build does not include the language server; install it with `cargo install eventrie-cli --features full`",
    );
    2
}
