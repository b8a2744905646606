//! Rule sets about the events of [`crate::aws`], of any size.

use std::collections::HashSet;

use crate::aws::{ENDINGS, FINDINGS, FOLDERS, ORDER_STATES, Pools, REGIONS, SERVICES, STATES};
use crate::random::Random;

/// Which operators a rule set has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// All operators, as rules in practice have them.
    Full,
    /// Whole values only.
    Exact,
}

impl Mix {
    /// What the tables call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Mix::Full => "full",
            Mix::Exact => "exact",
        }
    }
}

/// How many matches a rule set of that size has in the first 5,000 events of [`crate::aws::events`], if that is known.
#[must_use]
pub fn expected(mix: Mix, count: usize) -> Option<usize> {
    match (mix, count) {
        (Mix::Full, 10) => Some(12),
        (Mix::Full, 100) => Some(38),
        (Mix::Full, 1_000) => Some(1_125),
        (Mix::Full, 10_000) => Some(10_119),
        (Mix::Full, 100_000) => Some(34_582),
        (Mix::Exact, 10) => Some(0),
        (Mix::Exact, 100) => Some(1),
        (Mix::Exact, 1_000) => Some(4),
        (Mix::Exact, 10_000) => Some(93),
        (Mix::Exact, 100_000) => Some(766),
        _ => None,
    }
}

/// So many different patterns.
#[must_use]
pub fn patterns(mix: Mix, count: usize) -> Vec<String> {
    let pools = Pools::new();
    let mut random = Random::new(1_000 + count as u64);
    let (mut seen, mut patterns) = (HashSet::new(), Vec::with_capacity(count));
    while patterns.len() < count {
        let pattern = match mix {
            Mix::Full => full(&mut random, &pools),
            Mix::Exact => exact(&mut random, &pools),
        };
        if seen.insert(pattern.clone()) {
            patterns.push(pattern);
        }
    }
    patterns
}

fn list(values: &[&str]) -> String {
    format!("[\"{}\"]", values.join("\",\""))
}

/// Mostly any, sometimes a common one.
fn name<'a>(random: &mut Random, pool: &'a [String]) -> &'a str {
    if random.percent(70) { random.any(pool) } else { random.common(pool) }
}

fn exact(random: &mut Random, pools: &Pools) -> String {
    match random.below(3) {
        0 => format!(
            r#"{{"source":["aws.ec2"],"detail":{{"instance-id":["{}"],"state":["{}"]}}}}"#,
            random.any(&pools.instances),
            random.pick(&STATES)
        ),
        1 => format!(
            r#"{{"source":["aws.s3"],"detail-type":["Object Created"],"detail":{{"bucket":{{"name":["{}"]}},"reason":["{}"]}}}}"#,
            random.any(&pools.buckets),
            random.pick(&["PutObject", "CompleteMultipartUpload", "CopyObject"])
        ),
        _ => format!(
            r#"{{"source":["com.example.orders"],"detail-type":["Order {}"],"detail":{{"customer":{{"id":["{}"]}}}}}}"#,
            random.pick(&ORDER_STATES),
            random.any(&pools.customers)
        ),
    }
}

fn full(random: &mut Random, pools: &Pools) -> String {
    match random.below(100) {
        0..20 => instance(random, pools),
        20..45 => object(random, pools),
        45..70 => call(random, pools),
        70..78 => finding(random, pools),
        _ => order(random, pools),
    }
}

fn instance(random: &mut Random, pools: &Pools) -> String {
    let rest = match random.below(10) {
        0..5 => {
            let count = random.between(1, 3);
            let states = list(&random.some(&STATES, count));
            format!(r#""detail":{{"instance-id":["{}"],"state":{states}}}"#, name(random, &pools.instances))
        }
        5..9 => format!(
            r#""account":["{}"],"region":["{}"],"detail":{{"state":[{{"anything-but":{}}}]}}"#,
            name(random, &pools.accounts),
            random.pick(&REGIONS),
            list(&random.some(&STATES, 2))
        ),
        _ => {
            let (region, account) = (random.pick(&REGIONS), name(random, &pools.accounts));
            format!(r#""resources":[{{"prefix":"arn:aws:ec2:{region}:{account}:instance/i-0{}"}}]"#, random.hex(1))
        }
    };
    format!(r#"{{"source":["aws.ec2"],"detail-type":["EC2 Instance State-change Notification"],{rest}}}"#)
}

fn object(random: &mut Random, pools: &Pools) -> String {
    let kinds: &[&str] = if random.percent(80) { &["Object Created"] } else { &["Object Created", "Object Deleted"] };
    let more = match random.below(10) {
        0..3 => {
            let (folder, user) = (random.pick(&FOLDERS), name(random, &pools.users));
            format!(r#","object":{{"key":[{{"prefix":"{folder}/{user}/"}}]}}"#)
        }
        3..5 => format!(r#","object":{{"key":[{{"suffix":".{}"}}]}}"#, random.pick(&ENDINGS)),
        5 => {
            let (folder, ending) = (random.pick(&FOLDERS), random.pick(&ENDINGS));
            format!(r#","object":{{"key":[{{"wildcard":"{folder}/*/2025/*.{ending}"}}]}}"#)
        }
        6..8 => {
            let size = random.pick(&["1024", "65536", "1048576", "10485760"]);
            format!(r#","object":{{"size":[{{"numeric":[">",{size}]}}]}}"#)
        }
        8 => r#","reason":[{"anything-but":["CopyObject"]}]"#.to_owned(),
        _ => String::new(),
    };
    let bucket = name(random, &pools.buckets);
    format!(
        r#"{{"source":["aws.s3"],"detail-type":{},"detail":{{"bucket":{{"name":["{bucket}"]}}{more}}}}}"#,
        list(kinds)
    )
}

fn call(random: &mut Random, pools: &Pools) -> String {
    let (service, operations) = random.pick(&SERVICES);
    let count = random.between(1, 3);
    let operations = list(&random.some(operations, count));
    let account =
        if random.percent(85) { format!(r#""account":["{}"],"#, name(random, &pools.accounts)) } else { String::new() };
    let more = match random.below(20) {
        0..5 => format!(
            r#","userIdentity":{{"type":[{{"anything-but":["AWSService"]}}],"sessionContext":{{"sessionIssuer":{{"userName":["{}"]}}}}}}"#,
            name(random, &pools.roles)
        ),
        5..9 => r#","errorCode":[{"exists":false}]"#.to_owned(),
        9..12 => r#","errorCode":[{"exists":true}],"userIdentity":{"type":["Root","IAMUser"]}"#.to_owned(),
        12..15 => {
            let (account, role) = (name(random, &pools.accounts), name(random, &pools.roles));
            format!(r#","userIdentity":{{"arn":[{{"prefix":"arn:aws:sts::{account}:assumed-role/{role}"}}]}}"#)
        }
        15 => r#","userAgent":[{"wildcard":"*Terraform*"}]"#.to_owned(),
        16 => r#","userAgent":[{"prefix":"aws-cli/"}]"#.to_owned(),
        17..19 => format!(r#","requestParameters":{{"bucketName":["{}"]}}"#, name(random, &pools.buckets)),
        _ => r#","awsRegion":[{"anything-but":["us-east-1","us-west-2"]}]"#.to_owned(),
    };
    format!(
        r#"{{"source":["aws.{service}"],"detail-type":["AWS API Call via CloudTrail"],{account}"detail":{{"eventSource":["{service}.amazonaws.com"],"eventName":{operations}{more}}}}}"#
    )
}

fn finding(random: &mut Random, pools: &Pools) -> String {
    let mut detail = Vec::new();
    if random.percent(60) {
        let least = random.pick(&["4", "5", "7", "8"]);
        detail.push(format!(r#""severity":[{{"numeric":[">=",{least}]}}]"#));
    }
    match random.below(5) {
        0 | 1 => {
            let kind = random.pick(&FINDINGS).split(':').next().unwrap_or_default();
            detail.push(format!(r#""type":[{{"prefix":"{kind}:"}}]"#));
        }
        2 => detail.push(r#""type":[{"wildcard":"*:EC2/*"}]"#.to_owned()),
        3 => {
            let value = random.pick(&["prod", "dev", "stage"]);
            detail.push(format!(r#""resource":{{"instanceDetails":{{"tags":{{"value":["{value}"]}}}}}}"#));
        }
        _ => detail.push(format!(r#""type":["{}"]"#, random.pick(&FINDINGS))),
    }
    let account = name(random, &pools.accounts);
    format!(
        r#"{{"source":["aws.guardduty"],"detail-type":["GuardDuty Finding"],"account":["{account}"],"detail":{{{}}}}}"#,
        detail.join(",")
    )
}

fn order(random: &mut Random, pools: &Pools) -> String {
    let count = random.between(1, 3);
    let states = random.some(&ORDER_STATES, count);
    let kinds = if random.percent(60) {
        let kinds: Vec<String> = states.iter().map(|state| format!("Order {state}")).collect();
        format!(r#""detail-type":{},"#, list(&kinds.iter().map(String::as_str).collect::<Vec<_>>()))
    } else {
        String::new()
    };
    let customer = name(random, &pools.customers);
    let detail = match random.below(100) {
        0..45 => format!(r#""customer":{{"id":["{customer}"]}}"#),
        45..65 => format!(r#""items":{{"sku":["{}"]}},"status":{}"#, name(random, &pools.articles), list(&states)),
        65..75 => {
            let part = customer.get(2..8).unwrap_or_default();
            let word = random.pick(&["DATA", "Logs", "MEDIA", "prod"]);
            format!(r#""customer":{{"email":[{{"equals-ignore-case":"{word}.{part}@mail.example.com"}}]}}"#)
        }
        75..85 => {
            let part = customer.get(..6).unwrap_or_default();
            let least = random.pick(&["100", "500", "1000"]);
            format!(
                r#""customer":{{"tier":["gold"],"id":[{{"prefix":"{part}"}}]}},"total":[{{"numeric":[">",{least},"<=",5000]}}]"#
            )
        }
        85..93 => {
            let zip = random.between(1_000, 99_999);
            format!(r#""customer":{{"address":{{"zip":["{zip:05}"],"country":["US"]}}}},"coupon":[{{"exists":true}}]"#)
        }
        _ => format!(
            r#""items":{{"sku":["{}"],"category":[{{"anything-but":["food"]}}]}},"channel":["web","ios"]"#,
            name(random, &pools.articles)
        ),
    };
    format!(r#"{{"source":["com.example.orders"],{kinds}"detail":{{{detail}}}}}"#)
}
