//! Patterns: parsed, checked against a dialect, and printed.

pub(crate) mod ast;
mod check;
mod combinations;
mod complexity;
mod error;
mod location;
mod options;
mod pages;
mod parse;
mod print;
mod reduce;
mod sns;
mod syntax;
#[cfg(test)]
mod tests;
mod traits;
mod usage;

use std::fmt::{Display, Formatter};
use std::sync::Arc;

pub use crate::base::PatternId;
pub use error::PatternError;
pub use options::{LintOptions, ParseOptions};
pub use usage::Usage;

pub(crate) use pages::page;

use crate::base::Span;
use crate::diagnostic::{Code, Finding, Findings, Severity, in_order};
use crate::dialect::{BusVersion, Dialect, limits, wording};
use crate::json::Tree;
use ast::Ast;

/// A valid event pattern, parsed and ready to compile. Cheap to clone; printed with `{}` it is canonical JSON on one line.
///
/// ```
/// use eventrie::{Dialect, Pattern};
/// let pattern = Pattern::parse(r#"{ "state": ["running", {"prefix": "stop"}] }"#, Dialect::EventBridge)?;
/// assert_eq!(pattern.to_string(), r#"{"state":["running",{"prefix":"stop"}]}"#);
/// # Ok::<(), eventrie::PatternError>(())
/// ```
#[derive(Clone)]
pub struct Pattern(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    source: Arc<str>,
    dialect: Dialect,
    engine: BusVersion,
    ast: Ast,
}

impl Pattern {
    /// Reads a pattern of a dialect, with the engine's limits. Linear in the text.
    ///
    /// # Errors
    /// If the dialect does not accept the text; the error has every problem that was found, not only the first.
    ///
    /// ```
    /// use eventrie::{Dialect, Pattern};
    /// assert!(Pattern::parse(r#"{"source": ["aws.ec2"]}"#, Dialect::EventBridge).is_ok());
    /// assert!(Pattern::parse(r#"{"source": "aws.ec2"}"#, Dialect::EventBridge).is_err());
    /// ```
    pub fn parse(source: &str, dialect: Dialect) -> Result<Pattern, PatternError> {
        Pattern::parse_with(source, &ParseOptions::new(dialect))
    }

    /// Reads a pattern with every choice named.
    ///
    /// # Errors
    /// As [`Pattern::parse`], and if the pattern exceeds limits of the service and those were requested.
    ///
    /// ```
    /// use eventrie::{Dialect, ParseOptions, Pattern};
    /// let six = r#"{"a":[1],"b":[1],"c":[1],"d":[1],"e":[1],"f":[1]}"#;
    /// let options = ParseOptions::new(Dialect::SnsBody).service_limits(true);
    /// let error = Pattern::parse_with(six, &options).unwrap_err();
    /// assert!(error.service_message().ends_with("Filter policy can not have more than 5 keys"));
    /// ```
    pub fn parse_with(source: &str, options: &ParseOptions) -> Result<Pattern, PatternError> {
        let tree = Tree::parse(source, options.engine_limits());
        let mut found = Vec::new();
        let whole: Arc<str> = source.into();
        let ast = read(tree, &whole, options, &mut found);
        match ast {
            Some(ast) if found.is_empty() => {
                let (dialect, engine) = (options.dialect(), options.engine_version());
                Ok(Pattern(Arc::new(Inner { source: whole, dialect, engine, ast })))
            }
            _ => Err(PatternError::new(source, options, found)),
        }
    }

    /// The text that was parsed.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// The dialect it was parsed in.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.0.dialect
    }

    /// The service's rating of the wildcards in this pattern: it rejects rules above 10. `None` if rating would take
    /// unreasonably long (then it is far above).
    ///
    /// ```
    /// use eventrie::{Dialect, Pattern};
    /// let rated = |wildcard: &str| {
    ///     let text = format!(r#"{{"key": [{{"wildcard": "{wildcard}"}}]}}"#);
    ///     Pattern::parse(&text, Dialect::EventBridge).unwrap().wildcard_complexity()
    /// };
    /// assert_eq!(rated("*/datasync/*.ext"), Some(4));
    /// assert_eq!(rated("*:*:*:*:*:event-bus/*"), Some(11));
    /// ```
    #[must_use]
    pub fn wildcard_complexity(&self) -> Option<u32> {
        complexity::of(&self.0.ast, self.0.engine, u32::MAX)
    }

    /// The combinations that the service counts (of `$or` branches; for SNS of all values, weighted by depth), and how
    /// many it accepts.
    pub(crate) fn combinations(&self) -> (u64, u64) {
        if self.dialect().is_sns() {
            (check::sns_combination_count(&self.0.ast), limits::SNS_COMBINATIONS)
        } else {
            (combinations::or_combinations(&self.0.ast), limits::OR_COMBINATIONS)
        }
    }

    /// The release of the engine that the pattern was read for.
    pub(crate) fn engine(&self) -> BusVersion {
        self.0.engine
    }

    /// The complexity of the wildcards as the other releases rate it.
    pub(crate) fn complexity_in(&self, engine: BusVersion) -> Option<u32> {
        complexity::of(&self.0.ast, engine, limits::WILDCARD_COMPLEXITY)
    }

    pub(crate) fn ast(&self) -> &Ast {
        &self.0.ast
    }

    /// A pattern that was made of others, without text of its own.
    pub(crate) fn made(ast: Ast, dialect: Dialect) -> Pattern {
        let engine = ParseOptions::new(dialect).engine_version();
        Pattern(Arc::new(Inner { source: "".into(), dialect, engine, ast }))
    }

    /// The pattern that tests nothing.
    pub(crate) fn everything(dialect: Dialect) -> Pattern {
        let root = ast::Node { key: None, span: Span::new(0, 2), kind: ast::NodeKind::Object, end: 1 };
        Pattern::made(Ast { nodes: vec![root], ..Ast::default() }, dialect)
    }

    /// Whether the pattern tests nothing: the SNS policy `{}`.
    pub(crate) fn is_everything(&self) -> bool {
        self.0.ast.nodes.len() <= 1
    }

    /// The path and the place of each list of tests, in text order.
    pub(crate) fn fields(&self) -> Vec<(String, Span)> {
        let place = |at: usize| self.0.ast.nodes.get(at).map_or(Span::default(), |node| node.span);
        check::fields(&self.0.ast).into_iter().map(|(path, at)| (path, place(at))).collect()
    }

    /// The path and the node of each list of tests, in text order.
    pub(crate) fn lists(&self) -> Vec<(String, usize)> {
        check::fields(&self.0.ast)
    }

    /// The paths of the lists of tests, in text order.
    pub(crate) fn paths(&self) -> Vec<String> {
        check::fields(&self.0.ast).into_iter().map(|(path, _)| path).collect()
    }

    /// The pattern without what it says of some fields and what lies in them, as if that were always true.
    pub(crate) fn without_fields(&self, fields: &[&str]) -> Pattern {
        if fields.is_empty() {
            return self.clone();
        }
        let ast = reduce::without(&self.0.ast, fields);
        let Inner { source, dialect, engine, .. } = &*self.0;
        Pattern(Arc::new(Inner { source: Arc::clone(source), dialect: *dialect, engine: *engine, ast }))
    }

    /// The pattern with its lists of tests changed; `change` is also given whether some list of the path compares numbers.
    pub(crate) fn with_lists(&self, change: &mut dyn FnMut(bool, &mut Vec<ast::Test>)) -> Pattern {
        let Inner { source, dialect, engine, ast } = &*self.0;
        let compares = |test: &ast::Test| match &test.kind {
            ast::TestKind::Numeric(_) => true,
            ast::TestKind::Number(number) => number.key.is_some(),
            _ => false,
        };
        let lists = check::fields(ast);
        let numeric: Vec<&str> = lists
            .iter()
            .filter(|(_, at)| ast.nodes.get(*at).is_some_and(|node| ast.tests_of(node).iter().any(compares)))
            .map(|(path, _)| path.as_str())
            .collect();
        let mut made = Ast { nodes: ast.nodes.clone(), tests: Vec::new(), trailing: ast.trailing };
        for (path, at) in &lists {
            let Some(node) = made.nodes.get_mut(*at) else { continue };
            let mut tests = ast.tests_of(node).to_vec();
            change(numeric.contains(&path.as_str()), &mut tests);
            let first = u32::try_from(made.tests.len()).unwrap_or(u32::MAX);
            made.tests.append(&mut tests);
            let end = u32::try_from(made.tests.len()).unwrap_or(u32::MAX);
            node.kind = ast::NodeKind::Field { first, end };
        }
        Pattern(Arc::new(Inner { source: Arc::clone(source), dialect: *dialect, engine: *engine, ast: made }))
    }

    /// Rejects a parsed pattern because of how it is used.
    pub(crate) fn refuse(&self, finding: Finding) -> PatternError {
        PatternError::new(&self.0.source, &ParseOptions::new(self.0.dialect), vec![finding])
    }
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pattern({}, {self})", self.0.dialect)
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&print::print(&self.0.ast))
    }
}

/// Reads the tree of `whole`, and collects what is wrong in token order.
fn read(tree: Tree<'_>, whole: &Arc<str>, options: &ParseOptions, found: &mut Vec<Finding>) -> Option<Ast> {
    let (mut ast, mut findings) = if options.dialect().is_sns() {
        sns::read(&tree, whole, options)
    } else {
        parse::read(&tree, whole, parse::Reading::of(options))
    };
    if let Some(error) = &tree.error {
        findings.push(syntax::finding(&tree, error, options));
    } else if let Some(finding) = syntax::after_root_number(&tree) {
        findings = Findings::default();
        findings.push(finding);
    }
    ast.trailing = trailing(&tree);
    if let (Some(at), BusVersion::V2026_09, None) = (ast.trailing, options.engine_version(), &tree.error) {
        findings.push(syntax::content_after(tree.text(), at, options));
    }
    if findings.is_empty()
        && let Some(finding) = long_paths(&ast, options.engine_limits().path_bytes)
    {
        // Whatever comes later writes the paths out.
        found.push(finding);
        return None;
    }
    if options.has_service_limits() || options.dialect() == Dialect::SnsAttributes {
        check::check(&tree, &ast, options, &mut findings);
    }
    if findings.is_empty() {
        return Some(ast);
    }
    *found = findings.finish();
    if options.dialect().is_scope() || options.dialect() == Dialect::EventsV2EventSource {
        undocumented(tree.text(), found);
    }
    if options.dialect().is_sns() && tree.error.is_some() {
        // SNS parses the whole text before it compiles anything.
        in_order(found, |finding| (u32::from(finding.code != Code::Syntax), 0));
    }
    None
}

/// Keeps the service's message only if it is documented for a Custom Event Bus.
fn undocumented(text: &str, found: &mut [Finding]) {
    let empty = text.trim().is_empty();
    for finding in found {
        let root = finding.code == Code::EmptyObject && finding.label.span.slice(text) == text.trim();
        if empty {
            finding.service = Some(wording::AT_LEAST_ONE_FILTER.to_owned());
            finding.located = 0;
        } else if !root && finding.service.as_deref() != Some(wording::NO_WILDCARDS) {
            finding.service = None;
        }
    }
}

/// Names that are too long for the number of fields below them.
fn long_paths(ast: &Ast, limit: usize) -> Option<Finding> {
    // No path is longer than the pattern, and few patterns are long.
    let text = ast.nodes.first().map_or(0, |root| root.span.end as usize);
    if ast.nodes.len().saturating_mul(text + 1) <= limit {
        return None;
    }
    let bytes = ast.path_bytes();
    let whole = ast.nodes.first().map_or(Span::default(), |root| root.span);
    (bytes > limit).then(|| {
        Finding::new(Code::LimitExceeded, Severity::Error, whole, "the field names are too long for so many fields")
            .label(format!("the paths of all fields together have {bytes} characters"))
            .help(format!("the limit `path_bytes` is {limit}"))
    })
}

/// Where text after the closing brace begins.
fn trailing(tree: &Tree<'_>) -> Option<u32> {
    let rest = tree.text().get(tree.end as usize..)?;
    let at = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    (at < rest.len()).then(|| tree.end + u32::try_from(at).unwrap_or(0))
}
