//! What a service rejects beyond the language: lengths, combinations, numbers of fields, costly wildcards.

use super::ast::{AnythingBut, Ast, NodeKind, TestKind, WildcardOperand, join_path, object_path};
use super::combinations::{fold, or_combinations};
use super::complexity;
use super::options::ParseOptions;
use super::parse::AT_END;
use crate::base::{ListSet, Span};
use crate::diagnostic::{Code, Finding, Findings, Severity};
use crate::dialect::limits;
use crate::dialect::limits::{
    OR_COMBINATIONS, SNS_BYTES, SNS_COMBINATIONS, SNS_KEYS, SNS_POINTS, SNS_STARS, WILDCARD_COMPLEXITY,
};
use crate::dialect::wording;
use crate::dialect::{BusVersion, Dialect, SnsVersion};
use crate::json::Tree;
use crate::value::Wildcard;

/// The order of the checks that SNS makes at the end, as far as it is known.
#[derive(Clone, Copy)]
enum Stage {
    Nesting,
    Keys,
    Combinations,
    Wildcards,
    Size,
}

pub(super) fn check(tree: &Tree<'_>, ast: &Ast, options: &ParseOptions, findings: &mut Findings) {
    let on = options.has_service_limits();
    let dialect = options.dialect();
    if on && !dialect.is_sns() {
        length(tree, dialect, findings);
    }
    if !findings.is_empty() || ast.nodes.is_empty() {
        return;
    }
    let whole = ast.nodes.first().map_or(Span::default(), |root| root.span);
    match dialect {
        Dialect::EventBridge
        | Dialect::Pipes
        | Dialect::EventsV2Data
        | Dialect::EventsV2SystemMetadata
        | Dialect::EventsV2EventSource => {
            let combinations = or_combinations(ast);
            if combinations > OR_COMBINATIONS {
                findings.push(
                    refused(
                        Code::TooComplex,
                        or_span(ast),
                        "the `$or` groups of this pattern have too many combinations",
                    )
                    .label(format!("{} combinations, the limit is {OR_COMBINATIONS}", counted(combinations)))
                    .help("split the pattern into several rules: the branches of parallel `$or` groups multiply")
                    .service(wording::OVER_1000_COMBINATIONS, AT_END)
                    .located(0),
                );
            } else {
                wildcard_complexity(ast, whole, options.engine_version(), findings);
            }
        }
        Dialect::Lambda | Dialect::EventsV2Metadata => {}
        Dialect::SnsAttributes | Dialect::SnsBody => {
            if dialect == Dialect::SnsAttributes {
                nesting(ast, findings);
            }
            if on {
                sns_keys(ast, whole, findings);
                sns_combinations(ast, whole, findings);
                if options.version() == SnsVersion::V2026 {
                    sns_wildcards(ast, whole, findings);
                }
                let bytes = tree.text().len();
                if bytes > SNS_BYTES {
                    let finding = refused(Code::LimitExceeded, whole, "the policy is too long")
                        .label(format!("{bytes} bytes, the limit is {SNS_BYTES}"));
                    findings.push(at_stage(finding, Stage::Size));
                }
            }
        }
    }
}

fn refused(code: Code, span: Span, message: &str) -> Finding {
    let mut finding = Finding::new(code, Severity::Error, span, message);
    finding.raised_at = AT_END;
    finding
}

fn at_stage(mut finding: Finding, stage: Stage) -> Finding {
    finding.raised_at = AT_END + stage as u32;
    finding.located = 0;
    finding
}

fn counted(count: u64) -> String {
    if count == u64::MAX { "countless".to_owned() } else { count.to_string() }
}

fn length(tree: &Tree<'_>, dialect: Dialect, findings: &mut Findings) {
    let Some(most) = limits::characters(dialect) else { return };
    let characters = tree.text().chars().count();
    if characters > most {
        let from = tree.text().char_indices().nth(most).map_or(0, |(at, _)| at);
        let end = u32::try_from(tree.text().len()).unwrap_or(u32::MAX);
        let span = Span::new(u32::try_from(from).unwrap_or(0), end);
        let mut finding = refused(Code::LimitExceeded, span, "the pattern is too long for the service")
            .label(format!("{characters} characters; {} accept {most}", dialect.title()))
            .help("remove whitespace, which counts too, or split the pattern");
        // The parameter is checked before anything is parsed.
        finding.raised_at = 0;
        findings.push(finding);
    }
}

fn wildcard_complexity(ast: &Ast, whole: Span, engine: BusVersion, findings: &mut Findings) {
    if !complexity::has_wildcards(ast) {
        return;
    }
    let rated = complexity::of(ast, engine, WILDCARD_COMPLEXITY);
    if rated.is_some_and(|rated| rated <= WILDCARD_COMPLEXITY) {
        return;
    }
    // The message shows the whole number, and the field at fault.
    let worst = complexity::worst_field(ast);
    let span = worst.map_or(whole, |(span, _)| span);
    let label = match complexity::for_message(ast, engine) {
        Some(rated) => format!("complexity {rated}, the limit is {WILDCARD_COMPLEXITY}"),
        None => format!("far above the limit of {WILDCARD_COMPLEXITY}"),
    };
    let before = (engine > BusVersion::V2026_07)
        .then(|| complexity::of(ast, BusVersion::V2026_07, WILDCARD_COMPLEXITY))
        .flatten()
        .is_some_and(|rated| rated <= WILDCARD_COMPLEXITY);
    let dated = if before {
        format!(
            "; the engine of {} also rates wildcards that are reached only if another field is missing; the engine of \
             {} does not, and accepts this pattern",
            BusVersion::V2026_09.name(),
            BusVersion::V2026_07.name()
        )
    } else {
        String::new()
    };
    findings.push(
        refused(Code::TooComplex, span, "the wildcards of this pattern are too complex for the service")
            .label(label)
            .help(format!(
                "the rating grows with each `*` after which the same characters can begin again: use fewer `*`, put more \
                 distinct text after each, or split the alternatives into several rules{dated}"
            ))
            .service(wording::WILDCARDS_TOO_COMPLEX, AT_END)
            .located(0),
    );
}

/// The first `$or`.
fn or_span(ast: &Ast) -> Span {
    let groups = ast.nodes.iter().find(|node| node.kind == NodeKind::Or);
    groups.map_or(Span::default(), |node| node.key.as_ref().map_or(node.span, |key| key.span))
}

fn nesting(ast: &Ast, findings: &mut Findings) {
    let nested = |node: &&super::ast::Node| node.key.is_some() && node.kind == NodeKind::Object;
    if let Some(node) = ast.nodes.iter().find(nested) {
        let key = node.key.as_ref().map_or(node.span, |key| key.span);
        let finding = refused(Code::ShapeNotInDialect, node.span, "a policy over message attributes cannot be nested")
            .context(key, "this attribute has fields")
            .label("expected a list, found an object")
            .help(
                "to filter on the message body, set the subscription's `FilterPolicyScope` to `MessageBody`; \
                 attributes have no fields",
            )
            .service(wording::NESTED_POLICY, AT_END);
        findings.push(at_stage(finding, Stage::Nesting));
    }
}

/// The paths of the fields, each with its node, in text order.
pub(super) fn fields(ast: &Ast) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut open: Vec<(usize, Option<String>)> = Vec::new();
    for (at, node) in ast.nodes.iter().enumerate() {
        while open.pop_if(|(behind, _)| at >= *behind).is_some() {}
        let enclosing = open.last().and_then(|(_, path)| path.as_deref());
        match (&node.key, node.kind) {
            (Some(key), NodeKind::Field { .. }) => found.push((join_path(enclosing, &key.text), at)),
            (Some(key), NodeKind::Object) => {
                let path = object_path(enclosing, &key.text);
                open.push((node.end as usize, Some(path)));
            }
            _ => {
                let path = enclosing.map(str::to_owned);
                open.push((node.end as usize, path));
            }
        }
    }
    found
}

fn sns_keys(ast: &Ast, whole: Span, findings: &mut Findings) {
    let fields = fields(ast);
    let mut distinct = ListSet::new();
    let mut sixth = None;
    for (path, at) in &fields {
        if distinct.insert(path.as_str()) && distinct.len() == SNS_KEYS + 1 {
            sixth = ast.nodes.get(*at).and_then(|node| node.key.as_ref()).map(|key| key.span);
        }
    }
    if distinct.len() > SNS_KEYS {
        let finding = refused(Code::TooComplex, sixth.unwrap_or(whole), "the policy names too many fields")
            .label(format!("field {} of {}; SNS allows {SNS_KEYS}", SNS_KEYS + 1, distinct.len()))
            .help("each distinct field counts once: combine fields into one, or use several subscriptions")
            .service(wording::too_many_keys(SNS_KEYS), AT_END);
        findings.push(at_stage(finding, Stage::Keys));
    }
}

/// The number of combinations as SNS counts it: each list counts its length times its depth.
pub(super) fn sns_combination_count(ast: &Ast) -> u64 {
    fold(ast, |tests, depth| tests.saturating_mul(depth))
}

fn sns_combinations(ast: &Ast, whole: Span, findings: &mut Findings) {
    let count = sns_combination_count(ast);
    if count > SNS_COMBINATIONS {
        let finding = refused(Code::TooComplex, whole, "the policy has too many combinations")
            .label(format!("{} combinations, the limit is {SNS_COMBINATIONS}", counted(count)))
            .help(
                "each list counts its entries times its depth (1 at the top level), lists multiply, the branches of \
                 `$or` add up: shorten lists, or move fields to a higher level",
            )
            .service(wording::POLICY_TOO_COMPLEX, AT_END);
        findings.push(at_stage(finding, Stage::Combinations));
    }
}

/// The wildcards of a test: those of `wildcard`, or of `anything-but` (the flag).
fn wildcards(kind: &TestKind) -> (&[WildcardOperand], bool) {
    match kind {
        TestKind::Wildcard(operand) => (std::slice::from_ref(operand), false),
        TestKind::AnythingBut(AnythingBut::Wildcard(operands)) => (operands, true),
        _ => (&[], false),
    }
}

fn stars(wildcard: &Wildcard) -> usize {
    wildcard.pieces().len().saturating_sub(1)
}

/// Each field with a wildcard has the points of its wildcards (one with several `*` has three, any other one, one in
/// `anything-but` one) times the number of entries in its list. The sum, and the field with the most.
pub(super) fn sns_points(ast: &Ast) -> (u64, Option<(u64, Span)>) {
    let mut total = 0_u64;
    let mut worst: Option<(u64, Span)> = None;
    for node in &ast.nodes {
        let tests = ast.tests_of(node);
        let mut points = 0_u64;
        for test in tests {
            let (operands, excluded) = wildcards(&test.kind);
            for operand in operands {
                points += if stars(&operand.wildcard) > 1 && !excluded { 3 } else { 1 };
            }
        }
        let points = points.saturating_mul(tests.len() as u64);
        total = total.saturating_add(points);
        if points > worst.map_or(0, |(most, _)| most) {
            worst = Some((points, node.span));
        }
    }
    (total, worst)
}

fn sns_wildcards(ast: &Ast, whole: Span, findings: &mut Findings) {
    for operand in ast.tests.iter().flat_map(|test| wildcards(&test.kind).0) {
        let stars = stars(&operand.wildcard);
        if stars > SNS_STARS {
            let finding = refused(Code::TooComplex, operand.operand.span, "too many `*` in one wildcard")
                .label(format!("{stars}, the limit is {SNS_STARS}"));
            findings.push(at_stage(finding, Stage::Wildcards));
        }
    }
    let (total, worst) = sns_points(ast);
    if total > SNS_POINTS {
        let worst = worst.unwrap_or((0, whole));
        let finding = refused(Code::TooComplex, worst.1, "the wildcards of this policy are too complex for SNS")
            .label(format!("{} of the {total} points; the limit is {SNS_POINTS}", worst.0))
            .help(
                "a wildcard with one `*` counts 1 point, with several 3; each field counts the sum of its points times \
                 the entries in its list",
            );
        findings.push(at_stage(finding, Stage::Wildcards));
    }
}
