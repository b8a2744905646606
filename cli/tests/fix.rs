//! `check --fix` on files of all kinds, on text, and next to what is in its way.

use std::fs;

use crate::common::scene::Scene;

const BARE: &str = "{\"source\": \"aws.ec2\", \"detail\": {\"state\": [\"stopped\"]}}\n";

#[test]
fn only_named_files_are_changed() {
    let scene = Scene::with("named", &[("a/pattern.json", BARE), ("b/pattern.json", BARE)]);
    assert_eq!(scene.run(&["check", "--fix", "a/pattern.json"]).0, 0);
    assert_eq!(scene.read("a/pattern.json"), BARE.replace("\"aws.ec2\"", "[\"aws.ec2\"]"));
    assert_eq!(scene.read("b/pattern.json"), BARE);
    let files: Vec<_> = fs::read_dir(scene.0.join("a")).unwrap().collect();
    assert_eq!(files.len(), 1, "no temporary file is left");
    // A second run changes nothing.
    let (code, out, _) = scene.run(&["check", "--fix", "a"]);
    assert_eq!((code, out.as_str()), (0, ""));
}

#[cfg(unix)]
#[test]
fn links_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let scene = Scene::with("links", &[("real/pattern.json", BARE), ("own.json", BARE)]);
    symlink(scene.0.join("real/pattern.json"), scene.0.join("link.json")).unwrap();
    let (code, _, err) = scene.run(&["check", "--fix", "link.json"]);
    assert_eq!(code, 2);
    assert!(err.contains("link.json: not fixed: it is a symbolic link"), "{err}");
    nothing_is_promised(&scene, "link.json", "it is a symbolic link");
    assert_eq!(scene.read("real/pattern.json"), BARE);
    fs::set_permissions(scene.0.join("own.json"), fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(scene.run(&["check", "--fix", "own.json"]).0, 0);
    assert_eq!(fs::metadata(scene.0.join("own.json")).unwrap().permissions().mode() & 0o777, 0o640);
}

/// What has no list of tests is an event or something else, unless the file's name says that it is a pattern.
#[test]
fn events_in_a_directory_are_left_alone() {
    let event = "{\"source\":\"com.a\",\"detail\":{\"a\":\"x\"}}\n";
    let items = "{\"source\":\"com.a\",\"resources\":[],\"detail\":{\"items\":[{\"id\":1,\"n\":\"x\"}]}}\n";
    let named = format!("{{\"first\":{},\"second\":{}}}\n", event.trim_end(), items.trim_end());
    for (name, text, is_pattern) in [
        ("event.json", event, false),
        ("items.json", items, false),
        ("events.json", &named, false),
        ("event.yaml", "source: com.a\ndetail:\n  a: x\n", false),
        ("my-Pattern.json", event, true),
        ("Rules/one.json", event, true),
        ("rules/events/one.json", event, false),
        ("rules.json", &named, true),
        ("list.json", "{\"source\":\"com.a\",\"detail\":{\"a\":[\"x\"]}}\n", true),
        ("or.json", "{\"source\":\"com.a\",\"$or\":[{\"detail\":{\"a\":[\"x\"]}},{\"account\":\"1\"}]}\n", true),
        ("operator.json", "{\"source\":\"com.a\",\"detail\":{\"a\":{\"prefix\":\"x\"}}}\n", true),
        ("list.yaml", "source: com.a\ndetail:\n  a: [x]\n", true),
        ("wrapped.json", "{\"EventPattern\":\"{\\\"source\\\":\\\"com.a\\\"}\"}\n", true),
    ] {
        let scene = Scene::with("events", &[(&format!("d/{name}"), text)]);
        let (code, out, err) = scene.run(&["check", "d"]);
        assert!((code == 1) == is_pattern && out.contains("E0006") == is_pattern, "{name}: {out}{err}");
        scene.run(&["check", "--fix", "d"]);
        assert_eq!(scene.read(&format!("d/{name}")) != text, is_pattern, "{name}");
        scene.write(&format!("d/{name}"), text);
        let (code, out, err) = scene.run(&["check", &format!("d/{name}")]);
        assert!(code == 1 && out.contains("E0006"), "{name}: {out}{err}");
    }
}

/// The name of a directory counts however the files in it are called: without it, by `.` or by `..`.
#[test]
fn the_directory_may_be_the_current_one() {
    for (name, text) in [
        ("patterns/one.json", r#"{"source":"aws.ec2"}"#),
        ("rules/one.json", r#"{"r":{"source":"aws.ec2"}}"#),
        ("d/one.json", r#"{"source":"aws.ec2"}"#),
    ] {
        let (directory, file) = name.split_once('/').unwrap();
        let scene = Scene::with("current", &[(name, text), (&format!("{directory}/below/none.txt"), "")]);
        let inner = |below: &str, args: &[&str]| {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_eventrie"));
            let output = command.args(args).current_dir(scene.0.join(directory).join(below)).output().unwrap();
            String::from_utf8(output.stdout).unwrap().contains("E0006")
        };
        let is_found = directory != "d";
        assert_eq!(inner("", &["check", "."]), is_found, "{name}");
        assert_eq!(inner("", &["check", "--skip-unknown", file]), is_found, "{name}");
        assert_eq!(inner("below", &["check", ".."]), is_found, "{name}");
        assert_eq!(inner("below", &["check", &format!("../../{directory}")]), is_found, "{name}");
    }
}

/// A file that only a pattern can be is found in a directory, whatever its name.
#[test]
fn patterns_with_mistakes_are_found_in_directories() {
    let several = r#"{"detail":{"state":[{"prefix":"a","suffix":"b"}]}}"#;
    for (text, code) in [
        (several, "E0010"),
        (r#"{"detail":{"x":[{"numeric":[">",1],"exists":true}]}}"#, "E0010"),
        (r#"{"detail":{"x":{"prefix":"a","suffix":"b"}}}"#, "E0006"),
        (r#"{"$or":[{"source":"a"},{"source":"b"}]}"#, "E0006"),
        (&format!(r#"{{"Placed":{several}}}"#), "E0010"),
        (r#"{"Placed":{"source":["a"],"$or":[{"detail":{"a":"x"}},{"region":"b"}]}}"#, "E0006"),
        (r#"{"Placed":{"source":"a","$or":[{"region":"a"},{"region":"b"}]}}"#, "E0006"),
    ] {
        let scene = Scene::with("mistakes", &[("d/one.json", text)]);
        let (status, out, err) = scene.run(&["check", "d"]);
        assert!(status == 1 && out.contains(code), "{text}: {out}{err}");
    }
    // What is malformed has no shape, and its name decides.
    for (name, is_pattern) in [("patterns/broken.json", true), ("d/filter.json", true), ("d/broken.json", false)] {
        let scene = Scene::with("mistakes", &[(name, r#"{"source": ["aws.ec2"], "detail": {"a": ["x",]}}"#)]);
        let (status, out, err) = scene.run(&["check", name.split('/').next().unwrap()]);
        assert!((status == 1) == is_pattern && out.contains("E0001") == is_pattern, "{name}: {out}{err}");
    }
    // Objects of other names are data.
    for text in [
        r#"{"source":"a","detail":{"x":[{"prefix":"a","name":"b"}]}}"#,
        r#"{"source":"a","detail":{"x":{"prefix":"a","name":"b"}}}"#,
        r#"{"source":"a","detail":{"query":{"$or":[{"a":1,"b":2},{"a":2,"b":2}]}}}"#,
        r#"{"source":"a","$or":[]}"#,
    ] {
        let scene = Scene::with("mistakes", &[("d/one.json", text)]);
        let (status, out, err) = scene.run(&["check", "d"]);
        assert!(status == 0 && out.is_empty() && err.contains("no patterns found"), "{text}: {out}{err}");
    }
}

/// Of a file that `--fix` cannot change, no form says that it can.
fn nothing_is_promised(scene: &Scene, name: &str, why: &str) {
    let (code, out, err) = scene.run(&["check", name]);
    assert!(code == 1 && out.contains("E0006") && !err.contains("can fix"), "{out}{err}");
    let (code, out, err) = scene.run(&["check", "--diff", name]);
    assert!(code == 2 && !out.contains("@@") && err.contains(why) && err.contains("E0006"), "{out}{err}");
    assert!(!err.contains("would fix") && !err.contains("can fix"), "{err}");
    let (_, out, _) = scene.run(&["check", "--format", "json", name]);
    assert!(out.contains("\"edits\":null") && out.contains("\"safe\":false"), "{out}");
}

/// A fix is called safe where `--fix` applies it, whatever spells the pattern.
#[test]
fn safe_fixes_are_those_that_are_applied() {
    let resource =
        |pattern: &str| format!("resource \"aws_cloudwatch_event_rule\" \"r\" {{\n  event_pattern = {pattern}\n}}\n");
    let named = "locals {\n  s = \"aws.ec2\"\n}\n";
    for (name, text, is_safe) in [
        ("p.json", BARE.to_owned(), true),
        ("p.yaml", "source: aws.ec2\ndetail: {a: [b]}\n".to_owned(), true),
        (
            "string.json",
            "{\"Rules\": [{\"Name\": \"a\", \"EventPattern\": \"{\\\"source\\\": \\\"aws.ec2\\\"}\"}]}\n".to_owned(),
            true,
        ),
        ("p.tf", resource("jsonencode({ source = \"aws.ec2\" })"), true),
        ("heredoc.tf", resource("<<EOF\n{\"source\": \"aws.ec2\"}\nEOF"), true),
        ("used.tf", format!("{named}{}", resource("jsonencode({ source = local.s })")), false),
        ("unsafe.yaml", "source: [aws.ec2]\ndetail:\n  a: ['b*']\n".to_owned(), false),
    ] {
        let scene = Scene::with("safe", &[(name, &text)]);
        let (_, out, _) = scene.run(&["check", "--format", "json", name]);
        let fixes = out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["fix"].clone());
        let safe: Vec<_> = fixes.filter(|fix| !fix.is_null()).map(|fix| fix["safe"].as_bool()).collect();
        assert_eq!(safe, [Some(is_safe)], "{name}: {out}");
        scene.run(&["check", "--fix", name]);
        assert_eq!(scene.read(name) != text, is_safe, "{name}");
    }
}

#[test]
fn other_encodings_are_left_alone() {
    let scene = Scene::new("encodings");
    let utf16: Vec<u8> = "\u{feff}".encode_utf16().chain(BARE.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    fs::write(scene.0.join("utf16.json"), &utf16).unwrap();
    let (code, _, err) = scene.run(&["check", "--fix", "utf16.json"]);
    assert_eq!(code, 2);
    assert!(err.contains("utf16.json: not fixed: it is compressed or not in UTF-8"), "{err}");
    assert_eq!(fs::read(scene.0.join("utf16.json")).unwrap(), utf16);
    nothing_is_promised(&scene, "utf16.json", "it is compressed or not in UTF-8");
    // A byte order mark stays.
    scene.write("mark.json", &format!("\u{feff}{BARE}"));
    assert_eq!(scene.run(&["check", "--fix", "mark.json"]).0, 0);
    assert!(scene.read("mark.json").starts_with("\u{feff}{\"source\": [\"aws.ec2\"]"));
}

/// Text that is not in a file is fixed as by a filter: the fixed text is printed.
#[test]
fn text_is_fixed_and_printed() {
    let scene = Scene::new("filter");
    let pattern = BARE.trim_end();
    let fixed = "{\"source\": [\"aws.ec2\"], \"detail\": {\"state\": [\"stopped\"]}}\n";
    let (code, out, err) = scene.run(&["check", "--fix", "-e", pattern]);
    assert_eq!((code, out.as_str()), (0, fixed), "{err}");
    assert!(err.contains("fixed 1 finding"), "{err}");
    let (code, out, err) = scene.feed(&["check", "--fix", "-"], BARE);
    assert_eq!((code, out.as_str()), (0, fixed), "{err}");
    // What is right, or cannot be fixed, is passed on as it is.
    for (text, expected) in [(fixed, 0), ("{\"detail\": {\"a\": [{\"exists\": 1}]}}\n", 1)] {
        let (code, out, err) = scene.feed(&["check", "--fix", "-"], text);
        assert_eq!((code, out.as_str()), (expected, text), "{err}");
    }
    let (code, out, _) = scene.run(&["check", "--diff", "-e", pattern]);
    assert_eq!(code, 1);
    assert!(out.contains("\n-{\"source\": \"aws.ec2\"") && out.contains("\n+{\"source\": [\"aws.ec2\"]"), "{out}");
    // Of a template too, whatever its language.
    let template = "Resources:\n  R:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern:\n        source: aws.ec2 # all\n";
    let (_, out, _) = scene.feed(&["check", "--fix", "-"], template);
    assert_eq!(out, template.replace("aws.ec2 #", "[aws.ec2] #"));
}

/// Files that a killed run left beside the file are named, if they are in the way.
#[test]
fn leftovers_of_killed_runs() {
    let scene = Scene::with("leftovers", &[("p.json", BARE)]);
    (0..99).for_each(|number| scene.write(&format!(".p.json.{number}.tmp"), ""));
    assert_eq!(scene.run(&["check", "--fix", "p.json"]).0, 0);
    scene.write("p.json", BARE);
    scene.write(".p.json.99.tmp", "");
    let (code, _, err) = scene.run(&["check", "--fix", "p.json"]);
    assert_eq!(code, 2);
    let expected = "p.json: not fixed: runs that were killed left 100 temporary files next to it; remove `.p.json.0.tmp` to `.p.json.99.tmp`";
    assert!(err.contains(expected), "{err}");
    assert_eq!(scene.read("p.json"), BARE);
}

/// An `eventrie.toml` that is not a file is an error: intended settings are not skipped.
#[cfg(unix)]
#[test]
fn settings_that_are_no_file() {
    let scene = Scene::with(
        "no-file",
        &[("directory/eventrie.toml/x", ""), ("directory/p.json", BARE), ("away/p.json", BARE), ("pipe/p.json", BARE)],
    );
    std::os::unix::fs::symlink("nowhere", scene.0.join("away/eventrie.toml")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(scene.0.join("pipe/eventrie.toml")).status().unwrap();
    assert!(made.success());
    for (name, message) in [
        ("directory", "eventrie.toml: expected a file with settings, found a directory"),
        ("pipe", "eventrie.toml: expected a file with settings, found a pipe or a device"),
        ("away", "eventrie.toml: No such file"),
    ] {
        let (code, _, err) = scene.run(&["check", &format!("{name}/p.json")]);
        assert!(code == 2 && err.contains(message), "{name}: {err}");
    }
}

#[test]
fn words_that_do_not_go_together() {
    let scene = Scene::with("words", &[("p.json", BARE)]);
    for (args, message) in [
        (&["check", "--unsafe-fixes", "p.json"][..], "--unsafe-fixes requires --fix or --diff"),
        (&["check", "--fix", "--format", "json", "-e", "{}"], "cannot be used with --format for -e"),
        (&["check", "--fix", "--format", "json", "-"], "cannot be used with --format for -e or standard input"),
        (&["check", "--diff", "--format", "json", "p.json"], "--diff cannot be used with --format"),
        (&["check", "--fix", "--diff", "p.json"], "cannot be used with"),
        (&["check", "--events", "-", "-"], "standard input cannot be both patterns and events"),
        (&["check", "--select", "X", "p.json"], "expected a code such as W0016"),
        (&["check", "--config", "none.toml", "p.json"], "cannot read none.toml"),
    ] {
        let (code, _, err) = scene.run(args);
        assert!(code == 2 && err.contains(message), "{args:?}: {err}");
    }
}
