//! Every fix that is offered is right: applied, the pattern parses or has one problem less, the finding is gone, and no
//! finding of another kind is new.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use eventrie::diagnostic::{Code, Finding, Fix, Severity};
use eventrie::{Dialect, Pattern};

fn findings(text: &str, dialect: Dialect) -> Vec<Finding> {
    match Pattern::parse(text, dialect) {
        Ok(pattern) => pattern.lint(),
        Err(error) => error.findings().to_vec(),
    }
}

fn applied(text: &str, finding: &Finding) -> Option<String> {
    let fix = finding.fix.as_ref()?;
    let mut changed = text.to_owned();
    changed.replace_range(fix.span.start as usize..fix.span.end as usize, &fix.replacement);
    Some(changed)
}

fn count(findings: &[Finding], code: Code) -> usize {
    findings.iter().filter(|finding| finding.code == code).count()
}

/// Findings whose safe fixes are for patterns that match no event that the service sends. All other safe fixes of valid
/// patterns keep what is matched.
const MATCH_NOTHING: [Code; 4] =
    [Code::NumberAsText, Code::ImpossibleValue, Code::MetadataIsStrings, Code::UnknownField];

/// What is wrong with the fixes for one input.
fn wrong(text: &str, dialect: Dialect) -> Option<String> {
    let before = findings(text, dialect);
    for finding in &before {
        let Some(changed) = applied(text, finding) else { continue };
        let after = findings(&changed, dialect);
        let said = |what: &str| {
            Some(format!(
                "{}: {what}\n{text}\n{changed}\n{}",
                finding.code,
                after.iter().map(|one| one.code.as_str()).collect::<Vec<_>>().join(" ")
            ))
        };
        if changed == text {
            return said("changes nothing");
        }
        if count(&after, finding.code) >= count(&before, finding.code) {
            return said("is still there");
        }
        // In a rejected pattern, what the wrong place contains has not been read yet: fixing the place may show more.
        // It stays JSON.
        if finding.is_error() {
            if count(&after, Code::Syntax) > count(&before, Code::Syntax) {
                return said("is not JSON");
            }
            // Such a range can only be what the fix made of it.
            if count(&after, Code::EmptyRange) > count(&before, Code::EmptyRange) {
                return said("makes an empty range");
            }
            continue;
        }
        if after.iter().any(Finding::is_error) {
            return said("makes an error");
        }
        let new = after
            .iter()
            .find(|one| one.severity != Severity::Note && count(&after, one.code) > count(&before, one.code));
        if let Some(new) = new {
            return said(&format!("brings {}", new.code));
        }
        if finding.fix.as_ref().is_some_and(Fix::is_safe) && !MATCH_NOTHING.contains(&finding.code) {
            let (old, new) = (Pattern::parse(text, dialect).unwrap(), Pattern::parse(&changed, dialect).unwrap());
            if matches!(old.covers(&new), eventrie::relate::Covers::No { .. })
                || matches!(new.covers(&old), eventrie::relate::Covers::No { .. })
            {
                return said("changes what is matched");
            }
        }
    }
    None
}

/// Entries of lists, right and wrong ones.
const ENTRIES: &[&str] = &[
    r#""running""#,
    r#""a*""#,
    r#""*""#,
    r#""a**b""#,
    r#""true""#,
    r#""5""#,
    r#"" x ""#,
    r#""x\n""#,
    r#""\"x\"""#,
    r#""'x'""#,
    r#""{\"wildcard\":\"a*\"}""#,
    r#""{\"wildcard\": \"a*b\"} ""#,
    r#""{\"a\":1}""#,
    r#""ec2.amazonaws.com""#,
    r#""aws.ec2""#,
    r#""AWS.EC2""#,
    r#""123""#,
    r#""insert""#,
    "5",
    "1.50",
    "true",
    "null",
    "9007199254740993",
    r#"{"prefix":"a"}"#,
    r#"{"prefix":"a*"}"#,
    r#"{"prefix":""}"#,
    r#"{"suffix":"b"}"#,
    r#"{"suffix":"*b"}"#,
    r#"{"prefix":["a","b"]}"#,
    r#"{"prefix":5}"#,
    r#"{"prefix":"a","suffix":"b"}"#,
    r#"{"wildcard":"a*b"}"#,
    r#"{"wildcard":"a**b"}"#,
    r#"{"wildcard":"ab"}"#,
    r#"{"equals-ignore-case":"A"}"#,
    r#"{"numeric":[">",0]}"#,
    r#"{"numeric":["<",10]}"#,
    r#"{"numeric":["<=",0]}"#,
    r#"{"numeric":[">","5"]}"#,
    r#"{"numeric":["<",5,">",1]}"#,
    r#"{"numeric":[">",5,"<",1]}"#,
    r#"{"numeric":["<",5,">",9]}"#,
    r#"{"numeric":["<",5,">",5]}"#,
    r#"{"numeric":["<=",5,">=",5.0]}"#,
    r#"{"numeric":["<=",5,">",5]}"#,
    r#"{"numeric":5}"#,
    r#"{"numeric":["==",5]}"#,
    r#"{"anything-but":"a"}"#,
    r#"{"anything-but":["a","b"]}"#,
    r#"{"anything-but":{"prefix":"a"}}"#,
    r#"{"anything-but":[{"prefix":"a"}]}"#,
    r#"{"anything_but":"a"}"#,
    r#"{"starts-with":"a"}"#,
    r#"{"exists":true}"#,
    r#"{"exists":"false"}"#,
    r#"{"exists":false}"#,
    r#"{"cidr":"10.0.0.77/24"}"#,
    r#"{"cidr":"10.0.0.1/32"}"#,
    r#"["x"]"#,
    "{}",
];

/// Places of lists that findings know.
const PLACES: &[&str] = &[
    r#"{"detail":{"state":@}}"#,
    r#"{"detail":{"state":@,"kind":["order"]}}"#,
    r#"{"source":@}"#,
    r#"{"account":@}"#,
    r#"{"detailType":@}"#,
    r#"{"detail":{"eventSource":@}}"#,
    r#"{"source":["aws.s3"],"detail-type":["Object Created"],"detail":{"bucketName":@}}"#,
    r#"{"source":["aws.s3"],"detail-type":["Object Created"],"detail":{"requestParameters":{"key":@}}}"#,
    r#"{"dynamodb":{"NewImage":{"state":@}}}"#,
    r#"{"dynamodb":{"NewImage":{"state":{"N":@}}}}"#,
    r#"{"eventName":@}"#,
    r#"{"body":{"a":@}}"#,
    r#"{"aws:source":@}"#,
    r#"{"aws:DeliveryType":@}"#,
    r#"{"$or":[{"detail":{"a":@}},{"detail":{"b":@}}]}"#,
    r#"{"detail":{"a.b":@}} {"x":[1]}"#,
];

/// A pattern around lists.
fn pattern() -> impl Strategy<Value = String> {
    let entry = || select(ENTRIES).prop_map(str::to_owned);
    let list = prop_oneof![
        8 => vec(entry(), 0..4).prop_map(|entries| format!("[{}]", entries.join(", "))),
        1 => entry(),
    ];
    (select(PLACES), list).prop_map(|(place, list)| place.replace('@', &list))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::properties::cases(500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_fix_is_right(text in pattern()) {
        for dialect in Dialect::ALL.iter().copied() {
            let wrong = wrong(&text, dialect);
            prop_assert!(wrong.is_none(), "{dialect:?} {}", wrong.unwrap_or_default());
        }
    }
}

#[test]
fn the_fixes_of_one_entry_are_right() {
    let mut found = std::collections::BTreeMap::new();
    for (place, entry) in PLACES.iter().flat_map(|place| ENTRIES.iter().map(move |entry| (place, entry))) {
        let text = place.replace('@', &format!("[{entry}]"));
        for dialect in Dialect::ALL.iter().copied() {
            if let Some(wrong) = wrong(&text, dialect) {
                found.entry(wrong.lines().next().unwrap_or("").to_owned()).or_insert(format!("{dialect:?} {wrong}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.into_values().collect::<Vec<_>>().join("\n\n"));
}

#[test]
fn the_fixes_of_the_pages_are_right() {
    let mut fixes = 0;
    for code in Code::ALL {
        for block in code.page().split("```bad ").skip(1) {
            let (fence, rest) = block.split_once('\n').unwrap();
            let Ok(dialect) = fence.parse::<Dialect>() else { continue };
            let text = rest.split("\n```").next().unwrap();
            fixes += findings(text, dialect).iter().filter(|finding| finding.fix.is_some()).count();
            assert_eq!(wrong(text, dialect), None);
        }
    }
    assert!(fixes > 20, "only {fixes} fixes were tried");
}

/// Two comparisons that meet in one number never become two that accept every number.
#[test]
fn comparisons_that_meet_in_a_number() {
    let help = |range: &str| {
        let error = Pattern::parse(&format!(r#"{{"a":[{{"numeric":{range}}}]}}"#), Dialect::EventBridge).unwrap_err();
        let finding = error.findings()[0].clone();
        (finding.help.unwrap(), finding.fix.map(|fix| fix.replacement))
    };
    let (said, fix) = help(r#"["<=", 5, ">=", 5]"#);
    assert_eq!((said.as_str(), fix.as_deref()), ("write `=` to match exactly one number", Some(r#"["=", 5]"#)));
    for range in [r#"["<", 5, ">=", 5]"#, r#"["<=", 5, ">", 5]"#] {
        let (said, fix) = help(range);
        assert!(said.starts_with("write the larger number") && fix.is_none(), "{range}: {said}");
    }
    let (said, _) = help(r#"["<", 5, ">", 5]"#);
    assert!(said.contains(r#"{"numeric": ["<", 5]}, {"numeric": [">", 5]}"#), "{said}");
}
