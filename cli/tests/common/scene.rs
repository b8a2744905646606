//! A directory of a test's own, with the program run in it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A directory of a test's own, removed at its end.
pub(crate) struct Scene(pub(crate) PathBuf);

impl Scene {
    pub(crate) fn new(name: &str) -> Scene {
        // Tests run beside each other.
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("eventrie-{name}-{}-{number}", std::process::id()));
        drop(fs::remove_dir_all(&path));
        fs::create_dir_all(&path).unwrap();
        Scene(path)
    }

    pub(crate) fn with(name: &str, files: &[(&str, &str)]) -> Scene {
        let scene = Scene::new(name);
        for (name, text) in files {
            scene.write(name, text);
        }
        scene
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    #[allow(dead_code, reason = "not every test changes a file")]
    pub(crate) fn change(&self, name: &str, old: &str, new: &str) {
        let text = self.read(name);
        assert_eq!(text.matches(old).count(), 1, "{old} in {name}");
        self.write(name, &text.replace(old, new));
    }

    /// Exit status, standard output and standard error of a command.
    pub(crate) fn run(&self, args: &[&str]) -> (i32, String, String) {
        self.feed(args, "")
    }

    /// The same with standard input.
    pub(crate) fn feed(&self, args: &[&str], input: &str) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eventrie"));
        command.args(args).current_dir(&self.0).env_remove("CLICOLOR_FORCE").env("COLUMNS", "100");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that reads nothing may have ended before.
        drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        (status.code().unwrap(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}
