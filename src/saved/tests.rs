//! Saving, loading, and damaged bytes.

use std::sync::OnceLock;

use proptest::prelude::*;

use super::LoadErrorKind;
use super::form::{HEADER, VERSION, seal};
use crate::dialect::Dialect;
use crate::json::ReadPolicy;
use crate::matcher::{Matcher, Scratch};
use crate::pattern::Pattern;

const EVENTS: [&str; 6] = [
    r#"{"a":"x1","b":{"c":"running","d":7},"ip":"10.0.0.3","n":5}"#,
    r#"{"a":["x2","K","stra\u00dfe.txt"],"b":[{"c":"stopped","d":1},{"c":"x","d":8}],"n":[1,2.5,null]}"#,
    r#"{"a":"prefix/7/logs/x.log","b":{"c":"s12","e":"q"},"n":-3}"#,
    r#"{"a":"ELSE","n":true,"b":{"d":"v3","c":"s3"}}"#,
    r#"{"b.c":"s5","a":"x5","b":{"d":"v5"}}"#,
    r#"{}"#,
];

/// Every kind of test, lists long enough for each way of looking through them, buckets that dispatch.
fn patterns() -> Vec<Pattern> {
    let mut texts: Vec<String> = [
        r#"{"a":["x1",{"prefix":"pre"},{"suffix":".log"},{"equals-ignore-case":"else"},{"exists":false}]}"#,
        r#"{"a":[{"prefix":{"equals-ignore-case":"PRE"}},{"suffix":{"equals-ignore-case":".TXT"}}]}"#,
        r#"{"a":[{"equals-ignore-case":"stra\u00dfe.txt"},{"prefix":{"equals-ignore-case":"\u212a"}}]}"#,
        r#"{"a":[{"anything-but":["x1","x2"]}],"n":[{"numeric":[">",0,"<",6]},null,true]}"#,
        r#"{"a":[{"anything-but":{"wildcard":"*/logs/*"}}],"b":{"c":[{"exists":true}]}}"#,
        r#"{"ip":[{"cidr":"10.0.0.0/24"},{"cidr":"2001:db8::/32"},"10.0.0.9"],"n":[5,12345678901234567890]}"#,
        r#"{"$or":[{"n":[5]},{"b":{"c":["running"]}}],"a":[{"wildcard":"x*1*"}]}"#,
    ]
    .map(str::to_owned)
    .into();
    let affixes = |kind: &str| (0..12).map(|n| format!(r#"{{"{kind}":"{n}x"}}"#)).collect::<Vec<_>>().join(",");
    texts.push(format!(r#"{{"a":[{},{}]}}"#, affixes("prefix"), affixes("suffix")));
    let wildcards: Vec<_> = (0..12).map(|n| format!(r#"{{"wildcard":"*/{n}/*x.*"}}"#)).collect();
    texts.push(format!(r#"{{"a":[{}]}}"#, wildcards.join(",")));
    let groups: Vec<_> = (0..6).map(|n| format!(r#"{{"$or":[{{"g{n}":[1]}},{{"h{n}":[2]}}]}}"#)).collect();
    texts.push(format!(
        r#"{{{}}}"#,
        groups.iter().enumerate().map(|(n, group)| format!(r#""o{n}":{group}"#)).collect::<Vec<_>>().join(",")
    ));
    for n in 0..40 {
        texts.push(format!(r#"{{"a":["x5"],"b":{{"c":["s{n}"],"d":["v{}",{n}]}}}}"#, n % 7));
        texts.push(format!(r#"{{"b":{{"c":[{{"prefix":"s{n}"}}],"d":[{{"numeric":["=",{n}]}}]}}}}"#));
    }
    texts.iter().map(|text| Pattern::parse(text, Dialect::EventBridge).unwrap()).collect()
}

fn matcher() -> &'static Matcher {
    static MATCHER: OnceLock<Matcher> = OnceLock::new();
    MATCHER.get_or_init(|| Matcher::new(patterns()).unwrap())
}

fn answers(matcher: &Matcher) -> Vec<Vec<usize>> {
    let mut scratch = Scratch::default();
    let mut ids = |event| {
        matcher.matches(event, &mut scratch).map(|ids| ids.iter().map(|id| id.index()).collect()).unwrap_or_default()
    };
    EVENTS.iter().map(|event| ids(*event)).collect()
}

#[test]
fn what_is_loaded_is_what_was_saved() {
    let bytes = matcher().to_bytes();
    let loaded = Matcher::from_bytes(&bytes).unwrap();
    assert_eq!(loaded.len(), matcher().len());
    // Hash tables that grew have room left.
    assert!(loaded.memory_usage() <= matcher().memory_usage());
    assert_eq!(answers(&loaded), answers(matcher()));
    assert!(answers(&loaded)[..4].iter().all(|ids| ids.len() > 1), "{:?}", answers(&loaded));
    // The seed of the hash tables differs, and leaves no trace.
    assert_eq!(loaded.to_bytes(), bytes);
    let empty = Matcher::builder().read_policy(ReadPolicy::Early).build([]).unwrap();
    let empty = Matcher::from_bytes(&empty.to_bytes()).unwrap();
    assert!(empty.is_empty() && empty.read_policy() == ReadPolicy::Early);
}

#[test]
fn damage_is_found() {
    let bytes = matcher().to_bytes();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(Matcher::from_bytes(&damaged).is_err(), "byte {at}");
    }
    for length in (0..bytes.len()).step_by(7) {
        assert!(Matcher::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
    let kind = |bytes: &[u8]| Matcher::from_bytes(bytes).unwrap_err().kind();
    assert_eq!(kind(&[bytes.as_slice(), &[0]].concat()), LoadErrorKind::Length);
    let mut other = bytes.clone();
    other[8..12].copy_from_slice(&(VERSION + 1).to_le_bytes());
    assert_eq!(kind(&other), LoadErrorKind::Version);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::testing::cases(2_000), ..ProptestConfig::default() })]

    #[test]
    fn hostile_tables_are_refused_or_harmless(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..6, any::<u32>()), 1..4),
    ) {
        static SAVED: OnceLock<Vec<u8>> = OnceLock::new();
        let mut bytes = SAVED.get_or_init(|| matcher().to_bytes()).clone();
        let words = (bytes.len() - HEADER) / 4;
        for (place, how, value) in changes {
            let at = HEADER + place.index(words) * 4;
            let word = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            let new = match how {
                0 => value,
                1 => value % 64,
                2 => word.wrapping_add(1),
                3 => word.wrapping_sub(1),
                4 => u32::MAX,
                _ => word ^ 1 << (value % 32),
            };
            bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
        }
        seal(&mut bytes);
        if let Ok(matcher) = Matcher::from_bytes(&bytes) {
            answers(&matcher);
            prop_assert!(matcher.memory_usage() < 40 * bytes.len());
        }
    }
}
