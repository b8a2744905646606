//! Files in directories.

use std::fs;
use std::path::Path;

use anyhow::Context;

/// A file, or all files of a directory that end so, those of its own directories too, in the order of their names. Hidden
/// directories and those of installed packages are skipped.
pub(crate) fn collect(path: &Path, ends: &[&str], names: &mut Vec<String>) -> anyhow::Result<()> {
    if !path.is_dir() {
        names.push(path.display().to_string());
        return Ok(());
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))? {
        let entry = entry.with_context(|| format!("cannot read {}", path.display()))?;
        // A link to a directory may lead back to this one.
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        entries.push((entry.path(), is_link));
    }
    entries.sort();
    for (entry, is_link) in entries {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        let wanted = entry.extension().is_some_and(|end| ends.iter().any(|wanted| end == *wanted));
        // Reading a pipe or a socket would wait for somebody to write.
        if fs::metadata(&entry).is_ok_and(|about| !about.is_file() && !about.is_dir()) {
            continue;
        }
        let enter = entry.is_dir() && !is_link && !name.starts_with('.') && name != "node_modules";
        if enter || (wanted && !entry.is_dir()) {
            collect(&entry, ends, names)?;
        }
    }
    Ok(())
}
