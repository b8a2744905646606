//! `eventrie mcp`

use crate::shown::complain;

/// Serves one client; returns the exit code.
#[cfg(feature = "mcp")]
pub(crate) fn run() -> u8 {
    match crate::mcp::serve() {
        Ok(()) => 0,
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => 0,
        Err(error) => {
            complain(&error.to_string());
            2
        }
    }
}

#[cfg(not(feature = "mcp"))]
pub(crate) fn run() -> u8 {
    complain(
        "this build does not include the server for coding assistants; install it with `cargo install eventrie-cli --features full`",
    );
    2
}
