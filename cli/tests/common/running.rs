//! A program that runs while a test talks to it; it ends with the test.

#![allow(dead_code, reason = "each feature's tests use a part of it")]

use std::io::{BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

/// Which of its outputs a test reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    /// What is meant for programs.
    Output,
    /// What is meant for people.
    Errors,
}

pub(crate) type Said = BufReader<Box<dyn Read + Send>>;

pub(crate) struct Running {
    child: Child,
    input: Option<ChildStdin>,
}

impl Running {
    /// Starts the program; what it says comes beside it, for a thread may read it.
    pub(crate) fn start(args: &[&str], directory: &Path, says: Says) -> (Running, Said) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eventrie"));
        command.args(args).current_dir(directory).stdin(Stdio::piped());
        match says {
            Says::Output => command.stdout(Stdio::piped()),
            Says::Errors => command.stdout(Stdio::null()).stderr(Stdio::piped()),
        };
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        let said: Box<dyn Read + Send> = match says {
            Says::Output => Box::new(child.stdout.take().unwrap()),
            Says::Errors => Box::new(child.stderr.take().unwrap()),
        };
        (Running { child, input }, BufReader::new(said))
    }

    pub(crate) fn input(&mut self) -> &mut ChildStdin {
        self.input.as_mut().unwrap()
    }

    /// Says that nothing more will come.
    pub(crate) fn close(&mut self) {
        drop(self.input.take());
    }

    /// Waits for its end; its exit status.
    pub(crate) fn wait(&mut self) -> i32 {
        // Not `Child::wait`, which closes the input first: what a message ends shall end by it.
        let input = self.input.take();
        let code = self.child.wait().unwrap().code().unwrap();
        drop(input);
        code
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // After its end there is nothing left to stop.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
