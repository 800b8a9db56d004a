//! What users of the library may rely on, held against a list that is kept in the repository.
//!
//! `public_api.txt` lists every public item of the crate that its documentation shows, a line each. Whoever changes
//! one sees it there, and in the review. `WHEREFORE_UPDATE=1 cargo test -p wherefore --test it public_api::` writes the
//! list anew, and refuses to take a line out of it before the version says that users have to change something.
//!
//! Tools that know more were looked at: cargo-public-api needs a nightly compiler; cargo-semver-checks needs a
//! published version or builds the documentation of two revisions with all dependencies, which takes longer than all
//! other lints together. So the sources are read here, with the parser that Rust's own macros use. It sees what is written
//! and not what is meant: renaming an import shows as a change although nothing changed.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, TraitItem, UseTree, Visibility};

use crate::support::workspace;

fn crate_folder() -> PathBuf {
    workspace().join("crates/wherefore")
}

fn items(path: &str) -> Vec<Item> {
    parsed(&crate_folder().join(path))
}

fn parsed(path: &Path) -> Vec<Item> {
    let text = std::fs::read_to_string(path).unwrap();
    syn::parse_file(&text).unwrap().items
}

/// All files below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push(path);
        }
    }
    all.sort();
    all
}

/// Tokens with blanks where people put them.
fn shown(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    let tighter = [
        (" :: ", "::"),
        (" < ", "<"),
        (" >", ">"),
        ("< ", "<"),
        (" , ", ", "),
        (" : ", ": "),
        ("& ", "&"),
        ("( ", "("),
        (" )", ")"),
        (" (", "("),
        (" ;", ";"),
        ("' ", "'"),
        (" ,", ","),
        (" <", "<"),
        ("[ ", "["),
        (" ]", "]"),
        ("! [", "!["),
        ("(mut self", "(self"),
        ("-> (", "-> ("),
        ("=(", "= ("),
        ("->(", "-> ("),
        ("# [", "#["),
    ];
    for (wide, tight) in tighter {
        text = text.replace(wide, tight);
    }
    text
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn derives(attributes: &[Attribute]) -> String {
    let wanted = attributes
        .iter()
        .filter(|one| one.path().is_ident("derive") || one.path().is_ident("non_exhaustive"));
    wanted.map(|one| format!(" {}", shown(&one.meta))).collect()
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|one| one.path().is_ident("doc") && shown(&one.meta).contains("hidden"))
}

/// The names in a `use`, behind its path.
fn names(tree: &UseTree, into: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => names(&path.tree, into),
        UseTree::Group(group) => group.items.iter().for_each(|one| names(one, into)),
        UseTree::Name(name) => _ = into.insert(name.ident.to_string()),
        UseTree::Rename(rename) => _ = into.insert(rename.rename.to_string()),
        UseTree::Glob(_) => panic!("whoever reads `pub use ...::*` does not see what is public"),
    }
}

/// What a `use` takes from where: the first name of its path, and each name with the one that it gets here. Nothing where
/// it has no path.
fn taken(tree: &UseTree) -> Option<(String, Vec<(String, String)>)> {
    fn each(tree: &UseTree, into: &mut Vec<(String, String)>) {
        match tree {
            UseTree::Path(path) => each(&path.tree, into),
            UseTree::Group(group) => group.items.iter().for_each(|one| each(one, into)),
            UseTree::Name(name) => into.push((name.ident.to_string(), name.ident.to_string())),
            UseTree::Rename(name) => into.push((name.ident.to_string(), name.rename.to_string())),
            UseTree::Glob(_) => {}
        }
    }
    let mut all = Vec::new();
    each(tree, &mut all);
    let UseTree::Path(path) = tree else { return None };
    Some((path.ident.to_string(), all))
}

/// Adds the lines for what another crate of the workspace defines, or takes from yet another one.
fn list_foreign(krate: &str, original: &str, name: &str, lines: &mut BTreeSet<String>) {
    let folder = workspace().join("crates").join(krate).join("src");
    let all: Vec<Vec<Item>> = files(&folder).iter().map(|path| parsed(path)).collect();
    if all.iter().any(|items| defines_public(items, original)) {
        let mut own = BTreeSet::new();
        all.iter().for_each(|items| list(items, "", &|known| known == original, &mut own));
        lines.extend(own.iter().map(|line| line.replace(original, name)));
        return;
    }
    for item in all.iter().flatten() {
        // Another name for a type of yet another crate.
        if let Item::Type(alias) = item
            && alias.ident == original
            && let syn::Type::Path(of) = &*alias.ty
        {
            let path: Vec<String> = of.path.segments.iter().map(|one| one.ident.to_string()).collect();
            return list_foreign(&path[0], &path[path.len() - 1], name, lines);
        }
        let Item::Use(one) = item else { continue };
        let Some((from, names)) = taken(&one.tree).filter(|_| is_public(&one.vis)) else { continue };
        if let Some((there, _)) = names.iter().find(|(_, here)| here == original) {
            return list_foreign(&from, there, name, lines);
        }
    }
    panic!("{krate} does not define {original}");
}

/// Adds the lines of one file for the items that `is_exported`; `path` stands before their names.
fn list(items: &[Item], path: &str, is_exported: &dyn Fn(&str) -> bool, lines: &mut BTreeSet<String>) {
    let mut add = |line: String| _ = lines.insert(line);
    for item in items {
        match item {
            Item::Struct(one) if is_public(&one.vis) && is_exported(&one.ident.to_string()) => {
                let (name, generics) = (&one.ident, shown(&one.generics));
                add(format!("struct {path}{name}{generics}{}", derives(&one.attrs)));
                let fields = match &one.fields {
                    Fields::Named(fields) => fields.named.iter().collect(),
                    _ => Vec::new(),
                };
                for field in fields.into_iter().filter(|field| is_public(&field.vis)) {
                    add(format!("field {path}{name}.{}: {}", shown(&field.ident), shown(&field.ty)));
                }
            }
            Item::Enum(one) if is_public(&one.vis) && is_exported(&one.ident.to_string()) => {
                add(format!("enum {path}{}{}", one.ident, derives(&one.attrs)));
                for variant in &one.variants {
                    let mut variant = variant.clone();
                    variant.attrs.clear();
                    let fields = match &mut variant.fields {
                        Fields::Named(fields) => fields.named.iter_mut().collect(),
                        Fields::Unnamed(fields) => fields.unnamed.iter_mut().collect(),
                        Fields::Unit => Vec::new(),
                    };
                    fields.into_iter().for_each(|field: &mut syn::Field| field.attrs.clear());
                    add(format!("variant {path}{}::{}", one.ident, shown(&variant)));
                }
            }
            Item::Fn(one) if is_public(&one.vis) && is_exported(&one.sig.ident.to_string()) => {
                add(format!("{path}{}", shown(&one.sig)));
            }
            Item::Trait(one) if is_public(&one.vis) && is_exported(&one.ident.to_string()) => {
                add(format!("trait {path}{}", one.ident));
                for item in &one.items {
                    match item {
                        TraitItem::Fn(method) => {
                            let provided = if method.default.is_some() { "provided " } else { "required " };
                            add(format!("{provided}{path}{}::{}", one.ident, shown(&method.sig)));
                        }
                        TraitItem::Type(item) => {
                            let bounds = shown(&item.bounds);
                            add(format!("type {path}{}::{}: {bounds}", one.ident, item.ident));
                        }
                        other => panic!("teach the list about {}", shown(other)),
                    }
                }
            }
            Item::Impl(block) => {
                let of = shown(&block.self_ty);
                let name = of.split('<').next().unwrap_or_default();
                if !is_exported(name) {
                    continue;
                }
                if let Some((_, implemented, _)) = &block.trait_ {
                    add(format!("impl {} for {path}{of}", shown(implemented)));
                    continue;
                }
                for item in &block.items {
                    match item {
                        ImplItem::Fn(method) if is_public(&method.vis) => {
                            add(format!("method {path}{of}::{}", shown(&method.sig)));
                        }
                        ImplItem::Const(item) if is_public(&item.vis) => {
                            add(format!("const {path}{of}::{}: {}", item.ident, shown(&item.ty)));
                        }
                        _ => {}
                    }
                }
            }
            Item::Const(one) if is_public(&one.vis) && is_exported(&one.ident.to_string()) => {
                add(format!("const {path}{}: {}", one.ident, shown(&one.ty)));
            }
            Item::Type(one) if is_public(&one.vis) && is_exported(&one.ident.to_string()) => {
                add(format!("type {path}{} = {}", one.ident, shown(&one.ty)));
            }
            _ => {}
        }
    }
}

/// Everything public, a line each.
fn public_api() -> BTreeSet<String> {
    let mut exported = BTreeSet::new();
    for item in items("src/lib.rs") {
        match &item {
            Item::Use(one) if is_public(&one.vis) && !is_hidden(&one.attrs) => {
                assert!(
                    shown(&one.tree).starts_with("library::"),
                    "public from elsewhere: {}",
                    shown(&one.tree)
                );
                names(&one.tree, &mut exported);
            }
            Item::Mod(one) => {
                let is_shown = is_public(&one.vis) && !is_hidden(&one.attrs);
                assert!(!is_shown, "the module {} is public and not hidden", one.ident);
            }
            _ => {}
        }
    }
    // A module is public as a whole.
    let modules = ["stateright"];
    let mut lines = BTreeSet::new();
    let folder = crate_folder().join("src/library");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    for file in files {
        let module = file.trim_end_matches(".rs");
        let items = items(&format!("src/library/{file}"));
        if modules.contains(&module) {
            assert!(exported.remove(module), "{module} is no longer public");
            lines.insert(format!("mod {module}"));
            list(&items, &format!("{module}::"), &|name| defines_public(&items, name), &mut lines);
        } else {
            list(&items, "", &|name| exported.contains(name), &mut lines);
        }
    }
    let of_library = |krate: &str| crate_folder().join(format!("src/library/{krate}.rs")).exists();
    for item in items("src/library.rs") {
        let Item::Use(one) = item else { continue };
        let Some((from, names)) = taken(&one.tree) else { continue };
        let names = names.into_iter().filter(|(_, name)| is_public(&one.vis) && exported.contains(name));
        if !of_library(&from) {
            names.for_each(|(original, name)| list_foreign(&from, &original, &name, &mut lines));
        }
    }
    for name in &exported {
        let defines = |line: &String| {
            let mut words = line.split([' ', '<', '(']);
            matches!(words.next(), Some("struct" | "enum" | "trait" | "fn" | "const" | "type"))
                && words.next() == Some(name)
        };
        assert!(lines.iter().any(defines), "{name} is public, and nobody knows what it is");
    }
    lines
}

/// Whether a file defines a public type of this name, or something else that is public.
fn defines_public(items: &[Item], name: &str) -> bool {
    items.iter().any(|item| match item {
        Item::Struct(one) => one.ident == name && is_public(&one.vis),
        Item::Enum(one) => one.ident == name && is_public(&one.vis),
        Item::Trait(one) => one.ident == name && is_public(&one.vis),
        Item::Fn(one) => one.sig.ident == name && is_public(&one.vis),
        _ => false,
    })
}

/// The part of a version that changes when users have to change something.
fn breaking(version: &str) -> Vec<&str> {
    let parts: Vec<&str> = version.split('.').collect();
    let leading = parts.iter().take_while(|part| **part == "0").count();
    parts[..(leading + 1).min(parts.len())].to_vec()
}

#[test]
fn the_public_api_is_the_one_that_is_written_down() {
    let path = crate_folder().join("tests/public_api.txt");
    let version = env!("CARGO_PKG_VERSION");
    let now = public_api();
    let written = std::fs::read_to_string(&path).unwrap_or_else(|_| format!("# {version}\n"));
    let (header, rest) = written.split_once('\n').unwrap();
    let before: BTreeSet<String> = rest.lines().map(str::to_owned).collect();
    let gone: Vec<&String> = before.difference(&now).collect();
    let new: Vec<&String> = now.difference(&before).collect();
    if std::env::var_os("WHEREFORE_UPDATE").is_some() {
        let released = header.trim_start_matches("# ");
        assert!(
            gone.is_empty() || breaking(released) != breaking(version),
            "users of {released} rely on what is gone; change the version of the workspace first: {gone:#?}"
        );
        let lines: String = now.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(&path, format!("# {version}\n{lines}")).unwrap();
        return;
    }
    assert!(gone.is_empty() && new.is_empty(), "public API: gone {gone:#?}, new {new:#?}");
}

#[test]
fn versions_break_at_their_first_number_that_is_not_zero() {
    let cases = BTreeMap::from([("0.1.0", "0.1.7"), ("1.2.3", "1.9.0"), ("0.0.3", "0.0.3")]);
    assert!(cases.iter().all(|(one, other)| breaking(one) == breaking(other)));
    let cases =
        BTreeMap::from([("0.1.0", "0.2.0"), ("1.2.3", "2.0.0"), ("0.0.3", "0.0.4"), ("0.9.0", "1.0.0")]);
    assert!(cases.iter().all(|(one, other)| breaking(one) != breaking(other)));
}
