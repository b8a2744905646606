//! Findings as SARIF 2.1.0 in the form that code scanning shows best, written as they come: one document, one line per
//! finding.

use std::collections::HashMap;
use std::io::{self, Write};

use eventrie::diagnostic::{Code, Finding, Span};
use eventrie_files::Edit;
use serde_json::{Value, json};

use super::region::Region;
use super::source::{About, Source, with_help, word};

/// Where the pages of findings are: the site of the documentation, as the package names it.
const PAGES: &str = concat!(env!("CARGO_PKG_HOMEPAGE"), "findings");

/// What is known between findings: how often each fingerprint came.
#[derive(Debug, Default)]
pub(super) struct Sarif {
    seen: HashMap<u64, usize>,
    is_begun: bool,
}

/// Writes what is before the findings.
pub(super) fn begin(out: &mut dyn Write) -> io::Result<()> {
    let rules: Vec<Value> = Code::ALL.iter().map(|code| rule(*code)).collect();
    let driver = json!({
        "name": "eventrie",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "rules": rules,
    });
    write!(
        out,
        "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{{\n\
         \"tool\":{{\"driver\":{driver}}},\n\"columnKind\":\"unicodeCodePoints\",\n\"results\":["
    )
}

/// Writes what is after the findings; `is_whole` says whether everything could be read.
pub(super) fn end(out: &mut dyn Write, is_whole: bool) -> io::Result<()> {
    writeln!(out, "\n],\n\"invocations\":[{{\"executionSuccessful\":{is_whole}}}]}}]}}")
}

/// What code scanning shows of a code.
fn rule(code: Code) -> Value {
    let page = code.page();
    let level = match code.as_str() {
        text if text.starts_with('E') => "error",
        text if text.starts_with("W01") => "note",
        _ => "warning",
    };
    let body = page.split_once('\n').map_or(page, |(_, body)| body).trim();
    // The fences say what an example is; for Markdown it is JSON, or the files of a project.
    let fence = |line: &str| line.starts_with("```bad ") || line.starts_with("```good ");
    let language = |line: &str| if line.ends_with(" project") { "```text" } else { "```json" };
    let markdown = page.lines().map(|line| if fence(line) { language(line).to_owned() } else { line.to_owned() });
    let markdown: Vec<String> = markdown.collect();
    let plain: Vec<&str> = body.lines().filter(|line| !line.starts_with("```")).collect();
    json!({
        "id": code.as_str(),
        "name": format!("{code:?}"),
        "shortDescription": {"text": code.title()},
        "fullDescription": {"text": body.split("\n\n").next().unwrap_or("").replace('\n', " ")},
        "help": {"text": plain.join("\n").replace("**", ""), "markdown": markdown.join("\n")},
        "helpUri": format!("{PAGES}/{code}/"),
        "defaultConfiguration": {"level": level},
        "properties": {"tags": ["eventbridge", "correctness"], "precision": "high"},
    })
}

impl Sarif {
    pub(super) fn write(
        &mut self,
        out: &mut dyn Write,
        source: &Source<'_>,
        finding: &Finding,
        about: &About<'_>,
    ) -> io::Result<()> {
        let file = json!({"uri": uri(source.file.name()), "uriBaseId": "%SRCROOT%"});
        let mut location =
            json!({"physicalLocation": {"artifactLocation": file, "region": region(source, finding.label.span)}});
        if let (Some(place), Some(location)) = (about.place, location.as_object_mut()) {
            location.insert("logicalLocations".to_owned(), json!([{"fullyQualifiedName": place}]));
        }
        let related: Vec<Value> = finding
            .context
            .iter()
            .map(|label| {
                let text = if label.message.is_empty() { "see also" } else { &*label.message };
                json!({
                    "physicalLocation": {"artifactLocation": file, "region": region(source, label.span)},
                    "message": {"text": text},
                })
            })
            .collect();
        let mut result = json!({
            "ruleId": finding.code.as_str(),
            "ruleIndex": Code::ALL.iter().position(|code| *code == finding.code),
            "level": word(finding.severity),
            "message": {"text": with_help(finding)},
            "locations": [location],
            "partialFingerprints": {"primaryLocationLineHash": self.fingerprint(source, finding, about.place)},
        });
        if let Some(result) = result.as_object_mut() {
            if !related.is_empty() {
                result.insert("relatedLocations".to_owned(), Value::Array(related));
            }
            if let (Some(fix), Some(edits)) = (&finding.fix, about.edits) {
                let replacements: Vec<Value> = edits.iter().map(|edit| replacement(source, edit)).collect();
                let changes = json!([{"artifactLocation": file, "replacements": replacements}]);
                let fixes = json!([{"description": {"text": fix.title}, "artifactChanges": changes}]);
                result.insert("fixes".to_owned(), fixes);
            }
        }
        let between = if std::mem::replace(&mut self.is_begun, true) { "," } else { "" };
        write!(out, "{between}\n{result}")
    }

    /// The same for a finding while its line and the rule that it is in stay, wherever they move to.
    fn fingerprint(&mut self, source: &Source<'_>, finding: &Finding, place: Option<&str>) -> String {
        let text = source.file.text();
        let at = finding.label.span.start as usize;
        let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or("");
        let parts = [finding.code.as_str(), place.unwrap_or(""), line.trim()];
        // FNV-1a: the same on every platform and in every release.
        let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
        let hash =
            bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let seen = self.seen.entry(hash).or_default();
        *seen += 1;
        format!("{hash:016x}:{seen}")
    }
}

fn region(source: &Source<'_>, span: Span) -> Value {
    let at = Region::of(&source.lines, span);
    json!({"startLine": at.start.0, "startColumn": at.start.1, "endLine": at.end.0, "endColumn": at.end.1})
}

fn replacement(source: &Source<'_>, edit: &Edit) -> Value {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let span = Span::new(offset(edit.range.start), offset(edit.range.end));
    json!({"deletedRegion": region(source, span), "insertedContent": {"text": edit.text}})
}

/// A file name as a relative URI reference.
fn uri(name: &str) -> String {
    let name = name.replace('\\', "/");
    let mut uri = String::with_capacity(name.len());
    for byte in name.strip_prefix("./").unwrap_or(&name).bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
