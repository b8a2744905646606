//! `eventrie explain-code`

use std::io::Write;

use anyhow::bail;
use eventrie::diagnostic::Code;

use crate::args::ExplainCodeArgs;
use crate::commands::Outcome;

pub(crate) fn run(args: &ExplainCodeArgs) -> anyhow::Result<Outcome> {
    let mut out = anstream::stdout();
    if args.list {
        for code in Code::ALL {
            writeln!(out, "{code}  {}", code.title())?;
        }
        return Ok(Outcome::Yes);
    }
    let name = args.code.as_deref().unwrap_or("");
    let Ok(code) = name.parse::<Code>() else {
        bail!("there is no code `{name}`; `eventrie explain-code --list` prints all");
    };
    writeln!(out, "{}", code.page())?;
    Ok(Outcome::Yes)
}
