//! What `check --format sarif` prints, against the schema and against what code scanning needs.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use eventrie::diagnostic::Code;
use serde_json::Value;

fn manifest() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sarif(args: &[&str], directory: &Path) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eventrie"));
    command.args(["check", "--format", "sarif"]).args(args).current_dir(directory).stdin(Stdio::null());
    serde_json::from_slice(&command.output().unwrap().stdout).unwrap()
}

fn validate(log: &Value) -> Vec<String> {
    let schema = fs::read_to_string(manifest().join("tests/sarif/schema-2.1.0.json")).unwrap();
    // A bracket without its partner, which JavaScript allows.
    let schema = schema.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}\\\\]?$");
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    validator.iter_errors(log).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// The address of the site with the documentation.
fn site() -> String {
    let settings = fs::read_to_string(manifest().join("../docs/mkdocs.yml")).unwrap();
    settings.lines().find_map(|line| line.strip_prefix("site_url: ")).unwrap().to_owned()
}

/// The packages and the site name the same address, and code scanning links into it.
#[test]
fn the_address_of_the_site_is_one() {
    for package in [".", "../files", ".."] {
        let text = fs::read_to_string(manifest().join(package).join("Cargo.toml")).unwrap();
        assert!(text.contains(&format!("\nhomepage = \"{}\"\n", site())), "{package}");
    }
}

#[test]
fn every_log_is_valid() {
    for (args, results) in [
        (&["--level", "note", "tests/data/template.yaml", "tests/data/plan.json", "tests/data/custom-bus.yaml"][..], 8),
        (&["tests/walk/repository"], 12),
        (&["-e", "{\"source\": [\"shop\"], \"detail\": {\"a\": [1]}}"], 0),
        (&["tests/no-such-file.json"], 0),
        (&["--rules", "tests/data/overlapping.json"], 1),
    ] {
        let log = sarif(args, manifest());
        assert_eq!(validate(&log), Vec::<String>::new(), "{args:?}");
        let found = log["runs"][0]["results"].as_array().unwrap().len();
        assert!(found >= results, "{args:?}: {found}");
        let is_whole = log["runs"][0]["invocations"][0]["executionSuccessful"].as_bool().unwrap();
        assert_eq!(is_whole, !args.contains(&"tests/no-such-file.json"));
    }
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let mut log = sarif(&["tests/walk/repository"], manifest());
    log["runs"][0]["results"][0]["level"] = "fatal".into();
    assert_eq!(validate(&log).len(), 1);
}

#[test]
fn rules_have_what_code_scanning_shows() {
    let log = sarif(&["tests/walk/repository"], manifest());
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), Code::ALL.len());
    for (rule, code) in rules.iter().zip(Code::ALL) {
        assert_eq!(rule["id"], code.as_str());
        let text = |of: &str, key: &str| rule[of][key].as_str().unwrap().to_owned();
        assert_eq!(text("shortDescription", "text"), code.title());
        assert!(text("fullDescription", "text").len() > 20, "{code}");
        assert!(!text("help", "text").contains("```") && text("help", "text").contains("Why it matters."), "{code}");
        let markdown = text("help", "markdown");
        assert!(
            (markdown.contains("```json\n") || markdown.contains("```text\n")) && !markdown.contains("```bad"),
            "{code}\n{markdown}"
        );
        assert_eq!(markdown.matches("```").count(), 4, "{code}\n{markdown}");
        assert_eq!(rule["helpUri"], format!("{}findings/{code}/", site()));
        assert!(["error", "warning", "note"].contains(&rule["defaultConfiguration"]["level"].as_str().unwrap()));
    }
    for result in log["runs"][0]["results"].as_array().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
}

/// Applies the fixes of a log to a file, as an editor would: by lines and columns of characters.
fn applied(text: &str, results: &[&Value]) -> String {
    let lines: Vec<Vec<char>> = text.split_inclusive('\n').map(|line| line.chars().collect()).collect();
    let offset = |line: &Value, column: &Value| {
        let (line, column) = (line.as_u64().unwrap() as usize - 1, column.as_u64().unwrap() as usize - 1);
        lines[..line].iter().map(Vec::len).sum::<usize>() + column
    };
    let mut edits = Vec::new();
    for replacement in results
        .iter()
        .flat_map(|result| result["fixes"][0]["artifactChanges"][0]["replacements"].as_array().into_iter().flatten())
    {
        let region = &replacement["deletedRegion"];
        let start = offset(&region["startLine"], &region["startColumn"]);
        let end = offset(&region["endLine"], &region["endColumn"]);
        edits.push((start, end, replacement["insertedContent"]["text"].as_str().unwrap().to_owned()));
    }
    edits.sort();
    let chars: Vec<char> = text.chars().collect();
    let (mut changed, mut at) = (String::new(), 0);
    for (start, end, text) in edits {
        changed.extend(&chars[at..start]);
        changed.push_str(&text);
        at = end;
    }
    changed.extend(&chars[at..]);
    changed
}

#[test]
fn fixes_are_those_of_the_file() {
    let repository = manifest().join("tests/walk/repository");
    let log = sarif(&["."], &repository);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let uri = |result: &Value| result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone();
    let mut fixed = 0;
    for name in ["template.yaml", "main.tf", "worker.json"] {
        let own: Vec<&Value> = results.iter().filter(|result| uri(result) == name).collect();
        fixed += own.iter().filter(|result| result.get("fixes").is_some()).count();
        let text = fs::read_to_string(repository.join(name)).unwrap();
        let changed = applied(&text, &own);
        assert_ne!(changed, text, "{name}");
        let directory = std::env::temp_dir().join(format!("eventrie-sarif-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join(name), changed).unwrap();
        let again = sarif(&["--select", "errors", name], &directory);
        assert_eq!(again["runs"][0]["results"].as_array().unwrap().len(), 0, "{name}: {again}");
        fs::remove_dir_all(&directory).unwrap();
    }
    assert_eq!(fixed, 6);
}

#[test]
fn fingerprints_stay_when_lines_move() {
    let directory = std::env::temp_dir().join(format!("eventrie-prints-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let text = fs::read_to_string(manifest().join("tests/walk/repository/template.yaml")).unwrap();
    let prints = |text: &str| {
        fs::write(directory.join("template.yaml"), text).unwrap();
        let log = sarif(&["template.yaml"], &directory);
        let results = log["runs"][0]["results"].as_array().unwrap().clone();
        results
            .iter()
            .map(|result| result["partialFingerprints"]["primaryLocationLineHash"].clone())
            .collect::<Vec<_>>()
    };
    let (before, after) = (prints(&text), prints(&format!("# one more line\n\n{text}")));
    assert_eq!(before, after);
    let distinct: std::collections::HashSet<String> = before.iter().map(Value::to_string).collect();
    assert_eq!((distinct.len(), before.len()), (5, 5));
    fs::remove_dir_all(&directory).unwrap();
}
