//! The language server: findings, quick fixes, descriptions and completion for editors, over standard input and output.
//!
//! One thread reads messages, another answers them in order. What is found in a document is reported when no message waits,
//! so a burst of changes costs one check.

mod answers;
mod completion;
mod document;
mod known;
mod operators;
mod options;
mod place;
mod server;
mod text;
mod wire;

use std::io;
use std::sync::mpsc::{self, TryRecvError};
use std::thread;

use server::Server;

/// Messages that may wait.
const WAITING: usize = 64;

/// Serves one client until it says `exit` or is gone; the exit code is 0 if it said `shutdown` before.
pub(crate) fn serve() -> io::Result<u8> {
    let (sender, receiver) = mpsc::sync_channel(WAITING);
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(received)) = wire::read(&mut input) {
            if sender.send(received).is_err() {
                return;
            }
        }
    })?;
    let mut server = Server::new(io::stdout().lock());
    loop {
        let received = match receiver.try_recv() {
            Ok(received) => received,
            Err(TryRecvError::Disconnected) => return Ok(1),
            Err(TryRecvError::Empty) => {
                server.publish()?;
                match receiver.recv() {
                    Ok(received) => received,
                    Err(_) => return Ok(1),
                }
            }
        };
        if let Some(code) = server.receive(received)? {
            return Ok(code);
        }
    }
}
