//! Files that other tools wrote, where they are at hand, against counts made line by line.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use graph::{StateGraph, Unwatched};
use lts::{Format, Reading};

/// The files with this ending in folders of the test data.
fn files(folders: &[&str], extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in folders.iter().filter_map(|folder| testkit::data_folder(folder)) {
        files.extend(fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    }
    files.retain(|path| path.extension().is_some_and(|ending| ending == extension));
    files.sort();
    files
}

fn read(path: &Path) -> (String, Reading) {
    let contents = fs::read(path).unwrap();
    let format = Format::from_extension(path.extension().unwrap().to_str().unwrap()).unwrap();
    assert_eq!(Format::detect(&contents), Some(format), "{}", path.display());
    let reading = lts::read(format, &contents, &Unwatched).unwrap();
    (String::from_utf8(contents).unwrap(), reading)
}

fn edges(graph: &StateGraph) -> BTreeSet<(String, String, String)> {
    let states = 0..graph.state_count() as u32;
    let edges = states.flat_map(|source| graph.edges(source).iter().map(move |edge| (source, edge)));
    let name = |state| graph.names.name(state).to_string();
    edges
        .map(|(from, edge)| (name(from), graph.labels.get(edge.label).to_owned(), name(edge.state)))
        .collect()
}

#[test]
fn aut_files_of_cadp_and_mcrl2() {
    let folders = [
        "vlts",
        "clear/allbad_bug",
        "clear/interleaving_bug",
        "clear/isolated_bug",
        "clear/iteration_bug",
        "clear/sanitary_agency",
    ];
    for path in files(&folders, "aut") {
        let (contents, reading) = read(&path);
        let mut lines = contents.lines().map(str::trim).filter(|line| !line.is_empty());
        let header = lines.next().unwrap().trim_start_matches("des").trim().trim_matches(['(', ')']);
        let header: Vec<usize> = header.split(',').map(|number| number.trim().parse().unwrap()).collect();
        let expected: BTreeSet<_> = lines
            .map(|line| {
                let inside = line.strip_prefix('(').unwrap().strip_suffix(')').unwrap();
                let (source, rest) = inside.split_once(',').unwrap();
                let (label, target) = rest.rsplit_once(',').unwrap();
                let label = label.trim();
                let label =
                    label.strip_prefix('"').and_then(|label| label.strip_suffix('"')).unwrap_or(label);
                (source.trim().to_owned(), label.to_owned(), target.trim().to_owned())
            })
            .collect();
        let shown = path.display();
        assert_eq!(edges(&reading.graph), expected, "{shown}");
        assert!(reading.graph.state_count() >= header[2], "{shown}");
        if path.ends_with("cexp_dump.aut") {
            continue;
        }
        assert_eq!((reading.graph.state_count(), reading.warnings), (header[2], vec![]), "{shown}");
    }
}

#[test]
fn state_graphs_of_tlc() {
    for path in files(&["tlc"], "dot") {
        let (contents, reading) = read(&path);
        let (mut states, mut initial, mut expected) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for line in contents.lines() {
            if let Some((source, rest)) = line.split_once(" -> ") {
                let (target, rest) = rest.split_once(" [").unwrap();
                // What has no label is stuttering.
                if let Some(label) = rest.strip_prefix("label=\"") {
                    let label = label.split_once("\",color").unwrap().0;
                    expected.insert((source.to_owned(), label.to_owned(), target.to_owned()));
                }
            } else if let Some((state, rest)) = line.split_once(" [label=\"") {
                states.insert(state.to_owned());
                if rest.ends_with("style = filled]") {
                    initial.insert(state.to_owned());
                }
            }
        }
        let (graph, shown) = (&reading.graph, path.display());
        println!("{shown}: {} states, {} transitions", graph.state_count(), graph.edge_count());
        assert_eq!(edges(graph), expected, "{shown}");
        assert_eq!(graph.state_count(), states.len(), "{shown}");
        let found: BTreeSet<_> =
            graph.initial().iter().map(|state| graph.names.name(*state).to_string()).collect();
        assert_eq!(found, initial, "{shown}");
        let variables = graph.variables.as_ref().unwrap();
        assert!(variables.names().iter().all(|name| name != "state"), "{shown}: {:?}", variables.names());
        for state in 0..graph.state_count() as u32 {
            assert!((0..variables.names().len()).all(|variable| variables.get(state, variable).is_some()));
        }
    }
}
