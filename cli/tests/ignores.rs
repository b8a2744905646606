//! Comments and metadata that hide findings: what each of them is about.

use std::collections::BTreeMap;

use crate::common::scene::Scene;

/// A template with one finding, W0016, and an ignore somewhere.
fn ignored(comment_above: &str, comment_at_end: &str) -> String {
    format!(
        "Resources:\n{comment_above}  Rule:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern:\n        \
         source: [aws.health]{comment_at_end}\n"
    )
}

#[test]
fn comments_hide_what_they_are_about() {
    let scene = Scene::new("comments");
    let codes = |text: &str, name: &str| {
        scene.write(name, text);
        let (_, out, _) = scene.run(&["check", "--format", "json", name]);
        let codes = out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        codes.map(|value| format!("{} {}", value["code"].as_str().unwrap(), value["line"])).collect::<Vec<_>>()
    };
    let yaml = |above: &str, end: &str| codes(&ignored(above, end), "template.yaml");
    assert_eq!(yaml("", ""), ["W0016 6"]);
    assert_eq!(yaml("  # eventrie: ignore W0016\n", ""), [""; 0]);
    assert_eq!(yaml("  # eventrie: ignore W0016 all of them: yes\n\n  # more\n", ""), [""; 0]);
    assert_eq!(yaml("  # eventrie: ignore W0005, W0016 both\n", ""), ["W0401 2"]);
    assert_eq!(yaml("", " # eventrie: ignore W0016"), [""; 0]);
    assert_eq!(yaml("", " # eventrie:ignore W00"), [""; 0]);
    assert_eq!(yaml("", " # eventrie: ignore"), ["W0016 6", "W0401 6"]);
    assert_eq!(yaml("", " # eventrie: ignore W9999"), ["W0016 6", "W0401 6"]);
    assert_eq!(yaml("  Other: '# eventrie: ignore W0016'\n", ""), ["W0016 7"], "a string is no comment");
    assert_eq!(yaml("", "\n  # eventrie: ignore W0016\n  Topic: {Type: 'AWS::SNS::Topic'}"), ["W0016 6", "W0401 7"]);
    let hcl = |above: &str, inside: &str, end: &str| {
        let text = format!(
            "{above}resource \"aws_cloudwatch_event_rule\" \"r\" {{\n  event_pattern = jsonencode({{\n{inside}    source = [\"aws.health\"]{end}\n  }})\n}}\n"
        );
        codes(&text, "main.tf")
    };
    assert_eq!(hcl("", "", ""), ["W0016 3"]);
    assert_eq!(hcl("# eventrie: ignore W0016 wanted\n", "", ""), [""; 0]);
    assert_eq!(hcl("", "    // eventrie: ignore W0016 wanted\n", ""), [""; 0]);
    assert_eq!(hcl("", "", " # eventrie: ignore W0016"), [""; 0]);
    assert_eq!(hcl("", "", " /* eventrie: ignore W0016 */"), [""; 0]);
    assert_eq!(hcl("# eventrie: ignore W0005\n", "", ""), ["W0016 4", "W0401 1"]);
    let json = |metadata: &str| {
        let text = format!(
            "{{\"Resources\": {{\"Rule\": {{\"Type\": \"AWS::Events::Rule\", {metadata}\"Properties\": {{\"EventPattern\": {{\"source\": [\"aws.health\"]}}}}}}}}}}\n"
        );
        codes(&text, "template.json")
    };
    assert_eq!(json("\"Metadata\": {\"eventrie\": {\"ignore\": [\"W0016 wanted\"]}}, "), [""; 0]);
    assert_eq!(json("\"Metadata\": {\"eventrie\": {\"ignore\": \"W0016\"}}, "), [""; 0]);
    assert_eq!(json("\"Metadata\": {\"eventrie\": {\"ignore\": [\"W0005\"]}}, "), ["W0016 1", "W0401 1"]);
}

/// Each text has one comment that hides findings; those that stay are on the lines that end with `# found`.
#[test]
fn a_comment_above_a_line_is_only_about_what_begins_there() {
    let scene = Scene::new("above");
    let rule = |name: &str| {
        format!("  {name}:\n    Type: AWS::Events::Rule\n    Properties: {{EventPattern: {{source: [aws.health]}}}}")
    };
    let mark = "# eventrie: ignore W0016, E0006";
    let yaml = |pattern: &str| {
        format!(
            "Resources:\n  R:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern:\n        source: [a]\n{pattern}"
        )
    };
    let cases = [
        ("first resource", format!("Resources:\n  {mark}\n{}\n{} # found\n", rule("A"), rule("B"))),
        ("second resource", format!("Resources:\n{} # found\n  {mark}\n{}\n", rule("A"), rule("B"))),
        ("parent", format!("{mark}\nResources:\n{}\n{}\n", rule("A"), rule("B"))),
        (
            "first member",
            yaml(&format!(
                "        detail:\n          {mark}\n          a: x\n          b: x # found\n          c: x # found\n"
            )),
        ),
        (
            "member above",
            yaml(&format!(
                "        {mark}\n        detail:\n          a: x\n          b: x\n        account: x # found\n"
            )),
        ),
        (
            "nested first member",
            yaml(&format!(
                "        detail:\n          {mark}\n          a:\n            b: x\n            c: x\n          d: x # found\n"
            )),
        ),
        (
            "value in brackets",
            yaml(&format!(
                "        detail:\n          {mark}\n          {{a: x,\n           b: x}}\n        account: x # found\n"
            )),
        ),
        (
            "first in brackets",
            yaml(&format!("        detail: {{\n          {mark}\n          a: x,\n          b: x}} # found\n")),
        ),
        (
            "first element",
            yaml(&format!(
                "        $or:\n          {mark}\n          - a: x\n            b: x\n          - c: x # found\n"
            )),
        ),
        (
            "first element without indent",
            yaml(&format!("        $or:\n        {mark}\n        - a: x\n          b: x\n        - c: x # found\n")),
        ),
        (
            "first member of an element",
            yaml(&format!(
                "        $or:\n          -\n            {mark}\n            a: x\n            b: x # found\n          - c: x # found\n"
            )),
        ),
        ("anchor", yaml(&format!("        detail: &one\n          {mark}\n          a: x\n          b: x # found\n"))),
        ("first of a document", format!("{mark}\nsource: x\ndetail: {{a: x}} # found\n")),
        (
            "element after an anchor",
            yaml(&format!(
                "        $or:\n          {mark}\n          - &one\n            a: x\n            b: x\n          - c: x # found\n"
            )),
        ),
        (
            "element after a lone dash",
            yaml(&format!(
                "        $or:\n        - c: x # found\n        {mark}\n        -\n          a: x\n          b: x\n        - c: x # found\n"
            )),
        ),
        (
            "element after a comment",
            yaml(&format!(
                "        $or: &all\n          {mark}\n          - # - the first\n            a: x\n            b: x\n          # - not one\n          - c: x # found\n"
            )),
        ),
        ("whole document", format!("{mark}\n---\nsource: x\ndetail: {{a: x}}\n")),
        ("whole document in brackets", format!("{mark}\n--- # one\n# two\n{{source: x,\ndetail: {{a: x}}}}\n")),
        ("second document", {
            let one = format!("Resources:\n{}", rule("A"));
            format!("{one} # found\n{mark}\n---\n{one}\n{}\n---\n{one} # found\n", rule("B"))
        }),
        ("document in brackets", format!("{mark}\n{{source: x,\n detail: {{a: x}}}}\n")),
    ];
    for (what, text) in cases {
        scene.write("a.yaml", &text);
        let (_, out, _) = scene.run(&["check", "--ignore", "W0401", "--format", "json", "a.yaml"]);
        let found = out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["line"].as_u64());
        let lines = (1..).zip(text.lines()).filter(|(_, line)| line.ends_with("# found"));
        assert_eq!(
            found.flatten().collect::<Vec<_>>(),
            lines.map(|(at, _)| at).collect::<Vec<u64>>(),
            "{what}:\n{text}{out}"
        );
    }
}

/// The findings of a file by code.
fn counts(scene: &Scene, text: &str) -> BTreeMap<String, usize> {
    scene.write("a.yaml", text);
    let (_, out, _) = scene.run(&["check", "--format", "json", "a.yaml"]);
    let mut counts = BTreeMap::new();
    for line in out.lines() {
        let finding: serde_json::Value = serde_json::from_str(line).unwrap();
        *counts.entry(finding["code"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    counts
}

/// Many comments about the same part cost as much as one; were each of them to visit all values or findings, this would be
/// hundreds of millions of steps.
#[test]
fn many_comments_before_one_line() {
    let scene = Scene::new("many");
    let rule =
        |name: usize| format!("R{name}: {{Type: 'AWS::Events::Rule', Properties: {{EventPattern: {{source: x}}}}}}, ");
    let text = |comment: &str| {
        let (comments, rules) = (format!("  {comment}\n").repeat(20_000), (0..3000).map(rule).collect::<String>());
        format!("Resources:\n{comments}  {{{rules}}}\n---\nResources: {{{}}}\n", rule(0))
    };
    assert_eq!(counts(&scene, &text("# none")), [("E0006".to_owned(), 3001)].into());
    assert_eq!(counts(&scene, &text("# eventrie: ignore E0006")), [("E0006".to_owned(), 1)].into());
    let both = counts(&scene, &text("# eventrie: ignore W0016, E0006"));
    assert_eq!(both, [("E0006".to_owned(), 1), ("W0401".to_owned(), 20_000)].into());
}
