//! Modules that need each other cannot be read or changed one at a time. No more than three modules may be in a cycle.
//!
//! The sources of all crates are parsed, tests left out. In every module that holds others, and in the root of every
//! crate, the modules directly inside of it are compared: one uses another if a path in its text, or in a module inside
//! of it, leads into the other. Names that a module takes in from others by `use` are followed to where they are
//! defined. Paths into the module around them do not count: a module and those inside of it belong together.

#![allow(clippy::print_stdout, reason = "the sizes are for those who look")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, Macro, UseTree};

/// How many modules may be in a cycle.
const MOST: usize = 3;

/// The path of a module from the root of its crate, or of an item.
type Names = Vec<String>;

#[derive(Debug, Default)]
struct Module {
    /// From the folder with all crates.
    file: String,
    children: BTreeSet<String>,
    /// Items that are defined here.
    items: BTreeSet<String>,
    /// Names that `use` takes in, and where from.
    imports: BTreeMap<String, Names>,
    /// Modules all of whose names `use` takes in.
    globs: Vec<Names>,
    /// All paths in the text that begin with `crate`, `self`, `super` or a name; absolute but for those that begin with
    /// a name, which may be that of another crate.
    paths: BTreeSet<Names>,
}

/// A crate, by the paths of its modules.
type Modules = BTreeMap<Names, Module>;

/// Reads the text of one module; those inside of it that have files of their own are left for later.
struct Reader<'m> {
    modules: &'m mut Modules,
    file: String,
    at: Names,
    waiting: Vec<Names>,
}

impl Reader<'_> {
    fn module(&mut self) -> &mut Module {
        let module = self.modules.entry(self.at.clone()).or_default();
        module.file.clone_from(&self.file);
        module
    }

    /// The path as seen from the root of the crate.
    fn absolute(&self, path: &[String]) -> Names {
        let mut base = self.at.clone();
        let mut rest = path;
        match path.first().map(String::as_str) {
            Some("crate") => {
                base.clear();
                rest = &path[1..];
            }
            Some("self") => rest = &path[1..],
            _ => {}
        }
        let up = rest.iter().take_while(|name| *name == "super").count();
        base.truncate(base.len().saturating_sub(up));
        rest = &rest[up..];
        base.extend_from_slice(rest);
        base
    }

    fn add_path(&mut self, path: &[String]) {
        let absolute = self.absolute(path);
        self.module().paths.insert(absolute);
    }

    fn add_use(&mut self, tree: &UseTree, before: &mut Names) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.add_use(&path.tree, before);
                before.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_use(tree, before)),
            UseTree::Glob(_) => {
                let from = self.absolute(before);
                self.add_path(before);
                self.module().globs.push(from);
            }
            UseTree::Name(name) => self.add_import(before, name.ident.to_string(), None),
            UseTree::Rename(rename) => {
                self.add_import(before, rename.ident.to_string(), Some(rename.rename.to_string()));
            }
        }
    }

    fn add_import(&mut self, before: &[String], name: String, renamed: Option<String>) {
        let mut path = before.to_vec();
        let known_as = renamed.unwrap_or_else(|| match name.as_str() {
            "self" => path.last().cloned().unwrap_or_default(),
            _ => name.clone(),
        });
        if name != "self" {
            path.push(name);
        }
        self.add_path(&path);
        let from = self.absolute(&path);
        self.module().imports.insert(known_as, from);
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_item(&mut self, item: &'a Item) {
        let (attributes, name) = match item {
            Item::Const(item) => (&item.attrs, Some(&item.ident)),
            Item::Enum(item) => (&item.attrs, Some(&item.ident)),
            Item::Fn(item) => (&item.attrs, Some(&item.sig.ident)),
            Item::Static(item) => (&item.attrs, Some(&item.ident)),
            Item::Struct(item) => (&item.attrs, Some(&item.ident)),
            Item::Trait(item) => (&item.attrs, Some(&item.ident)),
            Item::Type(item) => (&item.attrs, Some(&item.ident)),
            Item::Union(item) => (&item.attrs, Some(&item.ident)),
            Item::Impl(item) => (&item.attrs, None),
            Item::Use(item) => (&item.attrs, None),
            Item::Mod(item) => (&item.attrs, None),
            _ => return visit::visit_item(self, item),
        };
        if is_test(attributes) {
            return;
        }
        if let Some(name) = name {
            let name = name.to_string();
            self.module().items.insert(name);
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        let name = item.ident.to_string();
        self.module().children.insert(name.clone());
        self.at.push(name);
        match &item.content {
            Some((_, items)) => {
                self.module();
                items.iter().for_each(|item| self.visit_item(item));
            }
            None => self.waiting.push(self.at.clone()),
        }
        self.at.pop();
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        // With `::` in front it is another crate.
        if item.leading_colon.is_none() {
            self.add_use(&item.tree, &mut Vec::new());
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.leading_colon.is_none() && path.segments.len() > 1 {
            let names: Names = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.add_path(&names);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'a Macro) {
        // What is given to a macro is no tree; its paths are found among the words.
        let text = item.tokens.to_string().replace("::", " :: ");
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_name = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let mut at = 0;
        while at < words.len() {
            let mut path: Names = vec![words[at].to_owned()];
            let begins = is_name(words[at]) && (at == 0 || words[at - 1] != "::");
            at += 1;
            while begins && at + 1 < words.len() && words[at] == "::" && is_name(words[at + 1]) {
                path.push(words[at + 1].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
                at += 2;
            }
            if path.len() > 1 {
                self.add_path(&path);
            }
        }
        visit::visit_macro(self, item);
    }
}

/// All modules of a crate whose root is this file.
fn read(crates: &Path, root: &Path) -> Modules {
    let mut modules = Modules::new();
    let folder = root.parent().expect("a file in a folder");
    let mut waiting: Vec<Names> = vec![Vec::new()];
    while let Some(at) = waiting.pop() {
        let path = folder.join(at.join("/"));
        let files = [path.with_extension("rs"), path.join("mod.rs")];
        let file = if at.is_empty() {
            Some(root)
        } else {
            files.iter().map(PathBuf::as_path).find(|file| file.is_file())
        };
        let file = file.unwrap_or_else(|| panic!("there is no file for the module {}", at.join("::")));
        let text = std::fs::read_to_string(file).expect("a file that can be read");
        let tree = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let name = file.strip_prefix(crates).unwrap_or(file).display().to_string();
        let mut reader = Reader { modules: &mut modules, file: name, at, waiting: Vec::new() };
        reader.module();
        reader.visit_file(&tree);
        waiting.append(&mut reader.waiting);
    }
    modules
}

/// How often a name may be taken in from a module that takes it in from another.
const DEEPEST: usize = 16;

/// The module that a path leads into; nothing if it leads out of the crate.
fn resolve(modules: &Modules, path: &[String], depth: usize) -> Option<Names> {
    let mut at: Names = Vec::new();
    for (number, name) in path.iter().enumerate() {
        let module = modules.get(&at)?;
        if module.children.contains(name) {
            at.push(name.clone());
            continue;
        }
        if module.items.contains(name) || depth == DEEPEST {
            return Some(at);
        }
        let rest = &path[number + 1..];
        let lead = |from: &Names| resolve(modules, &[from.as_slice(), rest].concat(), depth + 1);
        if let Some(from) = module.imports.get(name) {
            return lead(from);
        }
        let by_glob = module.globs.iter().find_map(|from| {
            let inside = modules.get(&resolve(modules, from, depth + 1)?)?;
            let known = inside.items.contains(name)
                || inside.children.contains(name)
                || inside.imports.contains_key(name);
            known.then(|| [from.as_slice(), std::slice::from_ref(name)].concat())
        });
        return match by_glob {
            Some(from) => lead(&from),
            // A variant, a method, or a name of a macro: it belongs to what the path has led to. From another crate, if
            // it has led nowhere.
            None => Some(at).filter(|at| number > 0 && !at.is_empty()),
        };
    }
    Some(at)
}

/// Which of the modules inside of one use which others, with an example of each: a file and a path in it.
type Uses = BTreeMap<String, BTreeMap<String, (String, String)>>;

fn uses(modules: &Modules, scope: &[String]) -> Uses {
    let mut uses: Uses =
        modules[scope].children.iter().map(|child| (child.clone(), BTreeMap::new())).collect();
    for (at, module) in modules {
        let Some([child, ..]) = at.strip_prefix(scope) else { continue };
        for path in &module.paths {
            let Some(target) = resolve(modules, path, 0) else { continue };
            if let Some([other, ..]) = target.strip_prefix(scope)
                && other != child
                && let Some(known) = uses.get_mut(child)
            {
                known.entry(other.clone()).or_insert_with(|| (module.file.clone(), path.join("::")));
            }
        }
    }
    uses
}

/// A shortest way from a module to another, both included.
fn way<'u>(uses: &'u Uses, from: &'u str, to: &str) -> Option<Vec<&'u str>> {
    let mut ways: VecDeque<Vec<&str>> = VecDeque::from([vec![from]]);
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for next in uses[*way.last()?].keys() {
            let longer = [way.as_slice(), &[next.as_str()]].concat();
            if next == to {
                return Some(longer);
            }
            if seen.insert(next) {
                ways.push_back(longer);
            }
        }
    }
    None
}

/// The largest set of modules that all lead to each other; empty if none leads to itself.
fn largest_cycle(uses: &Uses) -> BTreeSet<&str> {
    let reached = |from: &str| -> BTreeSet<&str> {
        let mut found: BTreeSet<&str> = BTreeSet::new();
        let mut waiting: Vec<&str> = uses[from].keys().map(String::as_str).collect();
        while let Some(next) = waiting.pop() {
            if found.insert(next) {
                waiting.extend(uses[next].keys().map(String::as_str));
            }
        }
        found
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        uses.keys().map(|module| (module.as_str(), reached(module))).collect();
    let cycle = |module: &&str| -> BTreeSet<&str> {
        reached[module].iter().copied().filter(|other| reached[other].contains(module)).collect()
    };
    // Of several of the same size the first, so that the message stays the same.
    let cycles = reached.keys().map(cycle);
    cycles.reduce(|one, other| if other.len() > one.len() { other } else { one }).unwrap_or_default()
}

/// A short cycle through the first module of a cycle, a line for each step of it.
fn example(uses: &Uses, cycle: &BTreeSet<&str>) -> String {
    let Some(steps) = cycle.first().and_then(|first| way(uses, first, first)) else { return String::new() };
    let line = |step: &[&str]| {
        let (file, path) = &uses[step[0]][step[1]];
        format!("    {} uses {}: `{path}` in {file}\n", step[0], step[1])
    };
    steps.windows(2).map(line).collect()
}

fn crate_roots(crates: &Path) -> Vec<PathBuf> {
    let folders = std::fs::read_dir(crates).expect("the folder with all crates");
    let mut roots: Vec<PathBuf> = folders
        .map(|folder| folder.expect("a folder that can be listed").path())
        .flat_map(|folder| ["src/lib.rs", "src/main.rs"].map(|root| folder.join(root)))
        .filter(|root| root.is_file())
        .collect();
    roots.sort();
    roots
}

#[test]
fn cycles_are_found_through_names_taken_in_and_not_in_tests() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = [
        ("lib.rs", "mod a; mod b; mod c; mod d; pub use b::B;"),
        ("a.rs", "use crate::B; pub struct A(B);"),
        ("b.rs", "pub use super::c::*; pub struct B(C);"),
        (
            "c.rs",
            "pub struct C; fn c() { drop(vec![crate::a::A::new()]); } #[cfg(test)] mod tests { use crate::d::D; }",
        ),
        ("d.rs", "mod e; pub struct D(super::c::C);"),
        ("d/e.rs", "use std::fmt; fn e() -> super::super::a::A { super::D; fmt::Error; todo!() }"),
    ];
    std::fs::create_dir(folder.path().join("d")).expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let modules = read(folder.path(), &folder.path().join("lib.rs"));
    let uses = uses(&modules, &[]);
    let cycle = largest_cycle(&uses);
    assert_eq!(cycle.iter().copied().collect::<Vec<_>>(), ["a", "b", "c"]);
    let expected =
        "    a uses b: `B` in a.rs\n    b uses c: `c` in b.rs\n    c uses a: `a::A::new` in c.rs\n";
    assert_eq!(example(&uses, &cycle), expected);
    assert_eq!(uses["d"].keys().collect::<Vec<_>>(), ["a", "c"]);
}

#[test]
fn modules_in_cycles_are_few() {
    let crates =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the folder with all crates");
    let mut wrong = String::new();
    for root in crate_roots(&crates) {
        let modules = read(&crates, &root);
        let root = root.strip_prefix(&crates).unwrap_or(&root).display().to_string();
        for (at, module) in &modules {
            let uses = uses(&modules, at);
            let cycle = largest_cycle(&uses);
            let scope = at.join("::");
            let (size, all) = (cycle.len(), module.children.len());
            if at.is_empty() || size > MOST {
                println!("{root} {scope}: {size} of {all} modules in the largest cycle");
            }
            if size > MOST {
                let names: Vec<&str> = cycle.iter().copied().collect();
                wrong += &format!("{root} {scope}: {size} modules need each other: {}\n", names.join(", "));
                wrong += &example(&uses, &cycle);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
