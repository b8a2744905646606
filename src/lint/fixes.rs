//! Which fixes are offered: those that, applied, make a valid pattern without the finding and without a new one.

use super::every::findings;
use crate::diagnostic::{Code, Finding, Severity};
use crate::pattern::Pattern;
use crate::relate::Effort;

/// How many bytes of changed patterns are read again for one pattern; fixes beyond that are not offered. A pattern of
/// the largest size that EventBridge accepts has room for 64.
const READ_AGAIN: usize = 1 << 18;

/// Removes the fixes that would not be right. The searches share the effort of the pattern.
pub(super) fn keep_right(pattern: &Pattern, others: &[&Pattern], found: &mut [Finding], mut effort: Effort) {
    let mut room = READ_AGAIN;
    let codes: Vec<(Code, Severity)> = found.iter().map(|finding| (finding.code, finding.severity)).collect();
    for finding in found {
        let Some(fix) = &finding.fix else { continue };
        let source = pattern.source();
        let (start, end) = (fix.span.start as usize, fix.span.end as usize);
        let right = match (source.get(..start), source.get(end..), room.checked_sub(source.len())) {
            (Some(before), Some(after), Some(left)) => {
                room = left;
                let changed = [before, &fix.replacement, after].concat();
                match Pattern::parse(&changed, pattern.dialect()) {
                    Ok(changed) if changed.source() != source => {
                        let (again, left) = findings(&changed, others, effort);
                        effort = left;
                        is_better(&codes, &again, finding.code)
                    }
                    _ => false,
                }
            }
            _ => false,
        };
        if !right {
            finding.fix = None;
        }
    }
}

/// Whether the finding is gone and no warning is new.
fn is_better(before: &[(Code, Severity)], after: &[Finding], fixed: Code) -> bool {
    let had = |code: Code| before.iter().filter(|(other, _)| *other == code).count();
    let has = |code: Code| after.iter().filter(|finding| finding.code == code).count();
    has(fixed) < had(fixed)
        && after
            .iter()
            .filter(|finding| finding.severity != Severity::Note)
            .all(|finding| has(finding.code) <= had(finding.code))
}
