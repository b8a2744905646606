//! The filters of a subscriber as one pattern over the three parts of an event.

use crate::base::Span;
use crate::dialect::Dialect;
use crate::pattern::Pattern;
use crate::pattern::ast::{Ast, Key, Node, NodeKind};

/// What the filters of subscribers need to know of an event.
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
        let (nodes, tests) = (number(ast.nodes.len()), number(ast.tests.len()));
        ast.tests.extend(filter.ast().tests.iter().cloned());
        for (at, node) in filter.ast().nodes.iter().enumerate() {
            let mut node = node.clone();
            node.end += nodes;
            if let NodeKind::Field { first, end } = node.kind {
                node.kind = NodeKind::Field { first: first + tests, end: end + tests };
            }
            if at == 0 {
                let scope = filter.dialect().scope().unwrap_or("DATA");
                node.key = Some(Key { text: scope.into(), span: node.span });
            }
            ast.nodes.push(node);
        }
    }
    let end = number(ast.nodes.len());
    if let Some(root) = ast.nodes.first_mut() {
        root.end = end;
    }
    Pattern::made(ast, Dialect::EventsV2Data)
}

fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
