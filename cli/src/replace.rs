//! Replaces the contents of a file as a whole: a reader sees the old contents or the new ones.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The mark at the beginning of some files in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// How many names are tried for the new file: some may be left from runs that were killed.
const MOST_TRIED: u32 = 100;

/// Why the text of a file cannot be replaced; none if it can.
pub(crate) fn obstacle(path: &Path, text: &str) -> io::Result<Option<&'static str>> {
    let metadata = fs::symlink_metadata(path)?;
    if metadata.is_symlink() {
        return Ok(Some("it is a symbolic link; name the file that it points to"));
    }
    if !metadata.is_file() {
        return Ok(Some("it is not a regular file"));
    }
    let bytes = fs::read(path)?;
    let plain = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
    Ok((plain != text.as_bytes()).then_some("it is compressed or not in UTF-8, or it has changed since it was read"))
}

/// Puts the new text in the file's place, if the file still has the old one. A byte order mark and the permissions stay.
pub(crate) fn replace(path: &Path, old: &str, new: &str) -> io::Result<()> {
    if let Some(obstacle) = obstacle(path, old)? {
        return Err(io::Error::other(obstacle));
    }
    let permissions = fs::metadata(path)?.permissions();
    let mark = if fs::read(path)?.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK } else { &[] };
    // Beside the file: a rename must not cross file systems.
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (file, beside) = fresh(path, &name)?;
    let written = write(file, &[mark, new.as_bytes()])
        .and_then(|()| permit(&beside, permissions))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // What matters is the first error.
        drop(fs::remove_file(&beside));
    }
    written
}

/// A new file in the same directory, under a name that nothing has.
fn fresh(path: &Path, name: &str) -> io::Result<(File, PathBuf)> {
    let mut number = 0;
    loop {
        let beside = path.with_file_name(format!(".{name}.{number}.tmp"));
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Ok(file) => return Ok((file, beside)),
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Err(_) if number + 1 < MOST_TRIED => number += 1,
            Err(_) => {
                let last = beside.file_name().unwrap_or_default().to_string_lossy();
                return Err(io::Error::other(format!(
                    "runs that were killed left {MOST_TRIED} temporary files next to it; remove `.{name}.0.tmp` to `{last}`"
                )));
            }
        }
    }
}

/// WebAssembly has no permissions.
#[cfg(target_os = "wasi")]
fn permit(_: &Path, _: fs::Permissions) -> io::Result<()> {
    Ok(())
}

#[cfg(not(target_os = "wasi"))]
fn permit(path: &Path, permissions: fs::Permissions) -> io::Result<()> {
    fs::set_permissions(path, permissions)
}

fn write(mut file: File, parts: &[&[u8]]) -> io::Result<()> {
    for part in parts {
        file.write_all(part)?;
    }
    file.sync_all()
}
