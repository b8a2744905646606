//! Events one by one, for the commands that say something about each.

use anyhow::bail;

use crate::open;

/// Files with events.
pub(crate) struct Events<'a> {
    names: &'a [String],
}

/// One event and where it stands.
pub(crate) struct One<'a> {
    pub(crate) text: &'a [u8],
    name: &'a str,
    line: u64,
}

impl One<'_> {
    /// `file:line`
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", self.name, self.line)
    }
}

impl<'a> Events<'a> {
    /// The events of files; of standard input, if there are none.
    pub(crate) fn open(names: &'a [String]) -> Events<'a> {
        Events { names }
    }

    /// Hands each event to `take`, until that says that it is enough.
    pub(crate) fn each(&self, mut take: impl FnMut(One<'_>) -> anyhow::Result<bool>) -> anyhow::Result<()> {
        let standard = ["-".to_owned()];
        for name in if self.names.is_empty() { &standard } else { self.names } {
            let mut input = open::events(name).map_err(|error| anyhow::anyhow!("{name}: {error}"))?.stream;
            let shown = input.name().to_owned();
            while let Some((text, items)) = input.next_batch().map_err(|error| anyhow::anyhow!("{shown}: {error}"))? {
                for item in items {
                    if let Some(fault) = item.fault {
                        bail!("{shown}:{}: {fault}", item.line);
                    }
                    let text = text.get(item.range.clone()).unwrap_or(&[]);
                    if !take(One { text, name: &shown, line: item.line })? {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }
}
