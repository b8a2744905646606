//! No cycles between the files of one room: what a file uses, directly or through others, never leads back to it.
//!
//! A module that only passes names of its children on (`pub(crate) use child::Name`) only forwards: a use through it is
//! a use of the file that defines the name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::layers::{collect, plain};

/// Where the sources of a package are.
const PACKAGES: [&str; 3] = ["src", "files/src", "cli/src"];

#[test]
fn files_of_a_room_form_no_cycle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for package in PACKAGES {
        let modules = Modules::read(&root.join(package));
        assert!(modules.files.len() > 5, "{package}: the sources are there");
        let (graph, rooms) = (modules.graph(), modules.rooms());
        assert!(rooms.len() > 3, "{package}: rooms are there");
        for room in rooms {
            let cycles = cycles(&modules.within(&graph, &room));
            found.extend(cycles.iter().map(|files| format!("{package}/{room}: {}", files.join(" → "))));
        }
    }
    assert!(found.is_empty(), "files that use each other in a circle:\n{}", found.join("\n"));
}

/// Modules by path, `a::b`; the root is the empty path.
struct Modules {
    files: BTreeMap<String, Module>,
}

struct Module {
    /// Names that it passes on, each with the path written.
    passed: BTreeMap<String, Vec<String>>,
    /// Paths that its own code names.
    named: Vec<Vec<String>>,
}

impl Modules {
    fn read(source: &Path) -> Modules {
        let mut paths = Vec::new();
        collect(source, &mut paths);
        let mut files = BTreeMap::new();
        for path in paths {
            let module = module_of(path.strip_prefix(source).unwrap());
            files.insert(module, Module::new(&fs::read_to_string(&path).unwrap()));
        }
        Modules { files }
    }

    /// The first steps of all modules.
    fn rooms(&self) -> BTreeSet<String> {
        let first = |module: &String| module.split("::").next().unwrap_or("").to_owned();
        self.files.keys().map(first).filter(|room| !room.is_empty() && room != "main").collect()
    }

    /// From each file to the files that it uses.
    fn graph(&self) -> BTreeMap<&str, BTreeSet<String>> {
        let uses = |module: &str, file: &Module| {
            let found = file.named.iter().filter_map(|path| self.resolve(module, path, 0));
            found.filter(|other| other != module).collect::<BTreeSet<String>>()
        };
        self.files.iter().map(|(module, file)| (module.as_str(), uses(module, file))).collect()
    }

    fn within(&self, graph: &BTreeMap<&str, BTreeSet<String>>, room: &str) -> BTreeMap<String, BTreeSet<String>> {
        let inside = |module: &str| module == room || module.starts_with(&format!("{room}::"));
        let files = graph.iter().filter(|(module, _)| inside(module));
        files
            .map(|(module, uses)| ((*module).to_owned(), uses.iter().filter(|other| inside(other)).cloned().collect()))
            .collect()
    }

    /// The file that a path named in `module` leads to.
    fn resolve(&self, module: &str, path: &[String], depth: usize) -> Option<String> {
        let mut rest = path.iter().map(String::as_str).peekable();
        let mut at: Vec<&str> = module.split("::").filter(|step| !step.is_empty()).collect();
        match *rest.peek()? {
            "crate" => {
                at.clear();
                rest.next();
            }
            "self" => _ = rest.next(),
            "super" => {}
            child => _ = self.files.get(&join(&at, child))?,
        }
        while rest.next_if_eq(&"super").is_some() {
            at.pop();
        }
        while let Some(step) = rest.next_if(|step| self.files.contains_key(&join(&at, step))) {
            at.push(step);
        }
        let here = at.join("::");
        let name = rest.next();
        let passed = name.and_then(|name| self.files.get(&here)?.passed.get(name));
        match passed.filter(|_| depth < 8) {
            Some(path) => self.resolve(&here, path, depth + 1).or(Some(here)),
            None => Some(here),
        }
    }
}

impl Module {
    fn new(text: &str) -> Module {
        // Who may see something is no use of it.
        let code = plain(text).replace("pub(in crate::", "pub(in ");
        let (mut passed, mut named, mut own) = (BTreeMap::new(), Vec::new(), String::new());
        let mut rest = code.as_str();
        while let Some(at) = find_use(rest) {
            let (before, after) = rest.split_at(at);
            let (statement, next) = after.split_once(';').unwrap_or((after, ""));
            own.push_str(before);
            let mut paths = Vec::new();
            tree(statement.trim_start_matches("use").trim(), &mut Vec::new(), &mut paths);
            if is_passed_on(before) {
                passed.extend(paths.into_iter().filter_map(|(name, path)| Some((name?, path))));
            } else {
                named.extend(paths.into_iter().map(|(_, path)| path));
            }
            rest = next;
        }
        own.push_str(rest);
        named.extend(inline(&own));
        Module { passed, named }
    }
}

/// Where the next `use` statement begins.
fn find_use(code: &str) -> Option<usize> {
    code.match_indices("use ").map(|found| found.0).find(|at| {
        let before = code[..*at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with(['\n', ')', '}', ';', '{']) || before.ends_with("pub")
    })
}

/// Whether what comes before `use` makes it public to others.
fn is_passed_on(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or("").trim();
    line == "pub" || (line.starts_with("pub(") && line.ends_with(')'))
}

/// All paths of a use tree, each with the name that it gets.
fn tree(text: &str, path: &mut Vec<String>, found: &mut Vec<(Option<String>, Vec<String>)>) {
    let text = text.trim();
    if let Some(group) = text.strip_prefix('{') {
        let (mut depth, mut start) = (0, 0);
        let group = group.strip_suffix('}').unwrap_or(group);
        for (at, char) in group.char_indices().chain([(group.len(), ',')]) {
            match char {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    tree(&group[start..at], &mut path.clone(), found);
                    start = at + 1;
                }
                _ => {}
            }
        }
    } else if let Some((step, rest)) = text.split_once("::") {
        path.push(step.trim().to_owned());
        tree(rest, path, found);
    } else if !text.is_empty() {
        let (name, alias) = text.split_once(" as ").unwrap_or((text, text));
        path.push(name.trim().to_owned());
        let alias = if name == "self" { path.iter().rev().nth(1).cloned() } else { Some(alias.trim().to_owned()) };
        if name == "self" {
            path.pop();
        }
        found.push((alias, path.clone()));
    }
}

/// Paths that code names where it uses them.
fn inline(code: &str) -> Vec<Vec<String>> {
    let is_name = |char: char| char.is_alphanumeric() || char == '_';
    let mut found = Vec::new();
    for (at, _) in code.match_indices("::") {
        let first = code[..at].rsplit(|char| !is_name(char)).next().unwrap_or("");
        let before = &code[..at - first.len()];
        if first.is_empty() || before.ends_with("::") || before.ends_with('\'') {
            continue;
        }
        let path = code[at - first.len()..].split(|char| !is_name(char) && char != ':').next().unwrap_or("");
        found.push(path.split("::").map(str::to_owned).filter(|step| !step.is_empty()).collect());
    }
    found
}

fn module_of(path: &Path) -> String {
    let mut steps: Vec<String> =
        PathBuf::from(path).with_extension("").iter().map(|step| step.to_string_lossy().into_owned()).collect();
    if matches!(steps.last().map(String::as_str), Some("mod" | "lib")) {
        steps.pop();
    }
    steps.join("::")
}

fn join(at: &[&str], step: &str) -> String {
    let mut path = at.to_vec();
    path.push(step);
    path.join("::")
}

/// For each cycle of files, one as short as possible.
fn cycles(graph: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let (mut done, mut found) = (BTreeSet::new(), Vec::new());
    for start in graph.keys() {
        if done.contains(start) {
            continue;
        }
        // Breadth first, back to the start.
        let mut ways: Vec<Vec<String>> = vec![vec![start.clone()]];
        let mut seen = BTreeSet::new();
        let mut next = 0;
        'search: while let Some(way) = ways.get(next).cloned() {
            next += 1;
            for to in way.last().and_then(|last| graph.get(last)).into_iter().flatten() {
                let mut longer = way.clone();
                longer.push(to.clone());
                if to == start {
                    done.extend(longer.iter().cloned());
                    found.push(longer);
                    break 'search;
                }
                if seen.insert(to.clone()) {
                    ways.push(longer);
                }
            }
        }
    }
    found
}

#[test]
fn cycles_are_found() {
    let modules = |files: &[(&str, &str)]| Modules {
        files: files.iter().map(|(module, text)| ((*module).to_owned(), Module::new(text))).collect(),
    };
    let find = |files: &[(&str, &str)]| {
        let modules = modules(files);
        cycles(&modules.within(&modules.graph(), "room"))
    };
    // Through the door of the room.
    let door =
        ("room", "mod a;\nmod b;\npub(crate) use a::{One, deep::Two as Second};\nuse b::helper;\nfn f() { b::g() }\n");
    let right = ("room::a", "use super::b::{self, Three};\nfn f() { b::g() } // crate::room\n");
    assert!(
        find(&[door, right, ("room::b", "struct Three;\n#[cfg(test)]\nmod tests { use crate::room::One; }\n")])
            .is_empty()
    );
    let back = ("room::b", "fn g() -> crate::room::One {}\n");
    assert_eq!(find(&[door, right, back]), [["room::a", "room::b", "room::a"]]);
    // Something that the door defines itself.
    let up = ("room::b", "use super::{\n    One as _,\n    f,\n};\n");
    assert_eq!(find(&[door, ("room::a", ""), up]), [["room", "room::b", "room"]]);
    // Three files in a circle.
    let three = [
        ("room", "mod x;"),
        ("room::x", "use super::y::Y;"),
        ("room::y", "use super::z::{Z};"),
        ("room::z", "use crate::room::x::X;"),
    ];
    assert_eq!(find(&three), [["room::x", "room::y", "room::z", "room::x"]]);
}
