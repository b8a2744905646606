//! The filters of a subscriber as one pattern over the three parts of an event.

use crate::base::Span;
use crate::dialect::Dialect;
use crate::pattern::Pattern;
use crate::pattern::ast::{Ast, Key, Node, NodeKind};

/// What the filters of subscribers need to know about an event.
#[derive(Clone, Debug, Default)]
pub(in crate::service) struct Needs {
    pub(in crate::service) data: bool,
    /// The paths that DATA filters test at the top level, of those that the service may fill in.
    pub(in crate::service) data_paths: Vec<String>,
    pub(in crate::service) system_paths: Vec<String>,
    pub(in crate::service) metadata: bool,
}

/// Fields of the classic envelope that an entry does not have.
const FILLED_IN: [&str; 4] = ["id", "account", "region", "time"];

impl Needs {
    pub(in crate::service) fn add(&mut self, filter: &Pattern) {
        match filter.dialect() {
            Dialect::EventsV2SystemMetadata => add(&mut self.system_paths, filter.paths()),
            Dialect::EventsV2Metadata => self.metadata = true,
            _ => {
                self.data = true;
                let filled_in = |path: &String| {
                    let first = path.split('.').next().unwrap_or("");
                    FILLED_IN.contains(&first)
                };
                add(&mut self.data_paths, filter.paths().into_iter().filter(filled_in).collect());
            }
        }
    }
}

fn add(to: &mut Vec<String>, paths: Vec<String>) {
    for path in paths {
        if !to.contains(&path) {
            to.push(path);
        }
    }
}

/// One pattern that matches what all filters match, over an event with a field for each scope.
pub(in crate::service) fn combine(filters: &[Pattern]) -> Pattern {
    let mut ast = Ast::default();
    ast.nodes.push(Node { key: None, span: Span::default(), kind: NodeKind::Object, end: 1 });
    for filter in filters {
        put(filter.ast(), filter.dialect().scope().unwrap_or("DATA"), &mut ast);
    }
    let end = number(ast.nodes.len());
    if let Some(root) = ast.nodes.first_mut() {
        root.end = end;
    }
    Pattern::made(ast, Dialect::EventsV2Data)
}

/// What the path of an object is where its pattern is alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    /// None: the root, and branches there.
    Top,
    /// An empty key, which vanishes before the keys of its fields.
    Blank,
    Inside,
}

/// Puts a pattern below a key. All its paths begin with that key then, and none is empty: an object with an empty key at
/// the top level, whose fields have paths without it, is dissolved, and the objects in it get its dot.
fn put(from: &Ast, scope: &str, to: &mut Ast) {
    let (nodes, tests) = (to.nodes.len(), number(to.tests.len()));
    to.tests.extend(from.tests.iter().cloned());
    let mut levels = Vec::new();
    // How many nodes are put before each of the old ones, and in all.
    let mut before = Vec::with_capacity(from.nodes.len() + 1);
    for (at, node) in from.nodes.iter().enumerate() {
        before.push(number(to.nodes.len()));
        while levels.pop_if(|(end, _)| *end as usize <= at).is_some() {}
        let level = levels.last().map_or(Level::Top, |(_, level)| *level);
        let mut copy = node.clone();
        if at == 0 {
            copy.key = Some(Key { text: scope.into(), span: node.span });
        }
        let inner = match (node.kind, &mut copy.key, level) {
            _ if at == 0 => Level::Top,
            (NodeKind::Object, Some(key), Level::Top) if key.text.is_empty() => {
                levels.push((node.end, Level::Blank));
                continue;
            }
            (NodeKind::Object, Some(key), Level::Blank) => {
                key.text = format!(".{}", key.text).into();
                Level::Inside
            }
            (NodeKind::Object, Some(_), _) => Level::Inside,
            (NodeKind::Object | NodeKind::Or | NodeKind::Field { .. }, ..) => level,
        };
        if let NodeKind::Field { first, end } = node.kind {
            copy.kind = NodeKind::Field { first: first + tests, end: end + tests };
        }
        levels.push((node.end, inner));
        to.nodes.push(copy);
    }
    before.push(number(to.nodes.len()));
    for node in to.nodes.iter_mut().skip(nodes) {
        if let Some(end) = before.get(node.end as usize) {
            node.end = *end;
        }
    }
}

fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
