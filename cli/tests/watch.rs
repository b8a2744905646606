//! `check --watch` from outside: files change while the program runs.

use std::fs;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::common::running::{Running, Says};

/// A change that was not seen fails the test, instead of stopping it.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program that watches, and what it says.
struct Watching {
    said: Receiver<String>,
    _program: Running,
}

impl Watching {
    fn start(directory: &Path, args: &[&str]) -> Watching {
        let (program, said) = Running::start(&[&["check", "--watch"], args].concat(), directory, Says::Errors);
        let (sender, receiver) = channel();
        std::thread::spawn(move || said.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Watching { said: receiver, _program: program }
    }

    /// What it says up to the end of one check.
    fn answer(&mut self) -> String {
        let mut all = String::new();
        loop {
            match self.said.recv_timeout(PATIENCE) {
                Ok(line) if line.contains("watching") => return all,
                Ok(line) => all.push_str(&(line + "\n")),
                Err(error) => panic!("{error} after {all}"),
            }
        }
    }

    /// Reads answers until one contains this. (A change may be seen half done, and is then seen once more.)
    fn until(&mut self, text: &str) {
        while !self.answer().contains(text) {}
    }
}

fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("watch").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(path.join("rules")).unwrap();
    path
}

const GOOD: &str = r#"{"source":["shop"]}"#;
const BAD: &str = r#"{"source":"shop"}"#;

#[test]
fn a_file_is_checked_when_it_changes() {
    let place = directory("file");
    fs::write(place.join("rules/one.json"), GOOD).unwrap();
    let mut watching = Watching::start(&place, &["rules/one.json"]);
    assert!(!watching.answer().contains("error"));
    fs::write(place.join("rules/one.json"), BAD).unwrap();
    watching.until("1 error");
    // As editors do it: a new file under the old name.
    fs::write(place.join("rules/one.json~"), GOOD).unwrap();
    fs::rename(place.join("rules/one.json~"), place.join("rules/one.json")).unwrap();
    watching.until("1 pattern\n");
    fs::remove_file(place.join("rules/one.json")).unwrap();
    watching.until("one.json");
    fs::write(place.join("rules/one.json"), BAD).unwrap();
    watching.until("1 error");
}

#[test]
fn new_files_and_settings_count() {
    let place = directory("directory");
    fs::write(place.join("rules/one.json"), GOOD).unwrap();
    let mut watching = Watching::start(&place, &["rules"]);
    assert!(watching.answer().contains("1 pattern\n"));
    fs::create_dir(place.join("rules/more")).unwrap();
    fs::write(place.join("rules/more/rule-two.json"), BAD).unwrap();
    watching.until("1 error");
    fs::write(place.join("eventrie.toml"), "ignore = [\"E\"]\n").unwrap();
    watching.until("2 patterns\n");
}

#[test]
fn what_cannot_be_watched_is_refused() {
    for (args, said) in [
        (&["--watch", "-"][..], "cannot be used with -e or standard input"),
        (&["--watch", "-e", "{}"], "cannot be used with -e or standard input"),
        (&["--watch", "--fix", "x.json"], "cannot be used with --fix"),
        (&["--watch", "--format", "json", "x.json"], "cannot be used with --fix, --diff or --format"),
        (&["--watch", "no-such-file.json"], "no-such-file.json: cannot be watched"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_eventrie")).arg("check").args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(said), "{stderr}");
    }
}
