//! `eventrie explain-code`

use std::io::Write;

use anyhow::bail;
use eventrie::diagnostic::Code;

use crate::args::ExplainCodeArgs;
use crate::commands::Outcome;
use crate::report::page;

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
        bail!("unknown code `{name}`; `eventrie explain-code --list` prints all codes");
    };
    write!(out, "{}", page::rendered(code.page()))?;
    Ok(Outcome::Yes)
}
