//! What AWS services send to the default bus: their sources, and the detail types of many. For completion only; no finding
//! depends on it.
//!
//! `known.txt` has one source per line and its detail types on indented lines below it. The sources are those of the table
//! *Events* in Amazon's *EventBridge Events Reference*. The detail types are those of the service's schema registry, as the
//! package `@aws-cdk/aws-service-spec` 0.1.216 has them, and, of services that the registry does not have or has in part, those
//! that the service's page of the *Events Reference* lists (AMIs and capacity reservations of `aws.ec2` not all). A source
//! without any has none there, or sends only what CloudTrail reports.

const KNOWN: &str = include_str!("known.txt");

/// What CloudTrail reports of every service.
const API_CALL: &str = "AWS API Call via CloudTrail";

/// The sources of AWS services.
pub(super) fn sources() -> impl Iterator<Item = &'static str> {
    KNOWN.lines().filter(|line| !line.starts_with(' '))
}

/// The detail types of these sources; of all sources, if there are none.
pub(super) fn detail_types(sources: &[String]) -> Vec<&'static str> {
    let mut types: Vec<&str> = Vec::new();
    let mut is_wanted = false;
    for line in KNOWN.lines() {
        match line.strip_prefix("  ") {
            None => is_wanted = sources.is_empty() || sources.iter().any(|source| source == line),
            Some(name) if is_wanted => types.push(name),
            Some(_) => {}
        }
    }
    if sources.is_empty() || sources.iter().any(|source| source.starts_with("aws.")) {
        types.push(API_CALL);
    }
    types
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_its_form() {
        let mut sorted: Vec<_> = sources().collect();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted, sources().collect::<Vec<_>>());
        let is_source = |name: &&str| {
            name.strip_prefix("aws.").is_some_and(|rest| {
                rest.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            })
        };
        assert!(sources().all(|name| is_source(&name)));
        let is_type = |name: &str| name.trim() == name && !name.is_empty();
        assert!(detail_types(&[]).into_iter().all(is_type));
        assert_eq!(detail_types(&["aws.macie".to_owned()]), ["Macie Finding", API_CALL]);
        assert_eq!(detail_types(&["aws.lambda".to_owned()]), [API_CALL]);
        assert_eq!(detail_types(&["shop".to_owned()]), [""; 0]);
    }
}
