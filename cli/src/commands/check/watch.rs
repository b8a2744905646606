//! `check --watch`: checks again whenever a named file changes.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::Context;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::args::CheckArgs;
use crate::commands::Outcome;
use crate::shown::{complain, counted};

/// Editors and `git checkout` write several times: files are read after this time without changes.
const QUIET: Duration = Duration::from_millis(100);
/// A directory that is never quiet is still read this often.
const LONGEST: Duration = Duration::from_secs(2);

/// Checks `once` and then again after each change; `ends` are the ends of the files that count in a directory. Never ends on
/// its own, except with an error.
pub(super) fn run(
    args: &CheckArgs,
    ends: &'static [&'static str],
    once: impl Fn(&CheckArgs) -> anyhow::Result<Outcome>,
) -> anyhow::Result<Outcome> {
    let named: Vec<&str> = args.files.iter().chain(&args.rules).chain(&args.events).map(String::as_str).collect();
    let wanted = Wanted::new(&named, ends)?;
    let (sender, changes) = channel();
    let mut watcher = notify::recommended_watcher(sender)?;
    wanted.watch(&mut watcher, args)?;
    loop {
        clear()?;
        if let Err(error) = once(args) {
            complain(&format!("{error:#}"));
        }
        complain(&format!("watching {} (Ctrl-C to stop)", counted(named.len(), "path")));
        wait(&changes, &wanted)?;
    }
}

/// The named path without links, to compare with what the system reports.
struct Wanted {
    files: Vec<PathBuf>,
    directories: Vec<PathBuf>,
    /// How the files of a directory end that count.
    ends: &'static [&'static str],
}

impl Wanted {
    fn new(named: &[&str], ends: &'static [&'static str]) -> anyhow::Result<Wanted> {
        let (mut files, mut directories) = (Vec::new(), Vec::new());
        for name in named {
            let path = Path::new(name).canonicalize().with_context(|| format!("{name}: cannot be watched"))?;
            if path.is_dir() { directories.push(path) } else { files.push(path) }
        }
        Ok(Wanted { files, directories, ends })
    }

    /// Watches directories with all that is in them. Of a file its directory, because editors replace files by new ones. And
    /// the directories around all these, where `eventrie.toml` may be.
    fn watch(&self, watcher: &mut RecommendedWatcher, args: &CheckArgs) -> anyhow::Result<()> {
        for directory in &self.directories {
            watcher.watch(directory, RecursiveMode::Recursive).with_context(|| unwatched(directory))?;
        }
        let config = args.choose.config.as_deref().and_then(|path| Path::new(path).canonicalize().ok());
        let mut around: Vec<&Path> = self.files.iter().chain(&config).filter_map(|path| path.parent()).collect();
        around.extend(self.files.iter().chain(&self.directories).flat_map(|path| path.ancestors().skip(1)));
        around.sort_unstable();
        around.dedup();
        around.retain(|path| !self.directories.iter().any(|directory| path.starts_with(directory)));
        for directory in around {
            let is_named = self.files.iter().any(|file| file.parent() == Some(directory));
            match watcher.watch(directory, RecursiveMode::NonRecursive) {
                Err(error) if is_named => return Err(error).with_context(|| unwatched(directory)),
                // A directory that cannot be read has no readable `eventrie.toml` either.
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// Whether the answer may be another one after this.
    fn has(&self, event: &Event) -> bool {
        !matches!(event.kind, EventKind::Access(_)) && event.paths.iter().any(|path| self.has_path(path))
    }

    fn has_path(&self, path: &Path) -> bool {
        let may_have_patterns = || path.extension().is_none_or(|end| self.ends.iter().any(|other| end == *other));
        path.file_name().is_some_and(|name| name == "eventrie.toml")
            || self.files.iter().any(|file| file == path)
            || self.directories.iter().any(|directory| path.starts_with(directory)) && may_have_patterns()
    }
}

fn unwatched(path: &Path) -> String {
    format!("{}: cannot be watched", path.display())
}

/// Waits for a change, and then until nothing changes any more.
fn wait(changes: &Receiver<notify::Result<Event>>, wanted: &Wanted) -> anyhow::Result<()> {
    while !wanted.has(&changes.recv()??) {}
    let first = Instant::now();
    while first.elapsed() < LONGEST {
        match changes.recv_timeout(QUIET) {
            Ok(change) => drop(change?),
            Err(_) => break,
        }
    }
    Ok(())
}

/// On a terminal each answer begins on an empty screen.
fn clear() -> anyhow::Result<()> {
    if std::io::stdout().is_terminal() {
        let mut out = anstream::stdout();
        write!(out, "\x1b[2J\x1b[H")?;
        out.flush()?;
    }
    Ok(())
}
