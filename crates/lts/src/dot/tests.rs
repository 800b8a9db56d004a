use crate::Format;
use crate::scan::LONGEST;
use crate::testing::{edges, error, initial, read, values, warnings, written};

const DOT: Format = Format::TlcDot;

/// A dump with everything TLC can put into one: two initial states, stuttering, a state outside the
/// constraint, tooltips, colours, ranks and a legend.
const DUMP: &str = r#"strict digraph DiskGraph {
node [shape=box,style=rounded]
edge [colorscheme="paired12"]
nodesep=0.35;
subgraph cluster_graph {
color="white";
-8 [label="/\\ pc = \"a\"\n/\\ x = << 1,\n   2 >>",style = filled]
9223372036854775807 [label="/\\ pc = \"b\"\n/\\ x = <<>>",style = filled]
-8 -> 3 [label="Next(\"q\")",color="2",fontcolor="2"];
3 [label="/\\ x = <<3>>",tooltip="/\\ pc = \"a\"\n/\\ x = <<3>>"];
-8 -> 3 [label="Next(\"q\")",color="2",fontcolor="2"];
-8 -> -8 [style="dashed",color="lightgray"];
3 -> 3 [style="dashed"];
3 -> -9223372036854775808 [label="Stop",color="3",fontcolor="3"];
-9223372036854775808 [label="/\\ pc = \"b\"",tooltip="/\\ pc = \"b\"",style = filled, fillcolor=lightyellow];
{rank = same; -8;9223372036854775807;}
{rank = same; 3;}
}
subgraph cluster_legend {graph[style=bold];label = "Next State Actions" style="solid"
node [ labeljust="l",colorscheme="paired12",style=filled,shape=record ]
M:Next [label="M!Next",fillcolor=2]
Stop(@) [label="} {",fillcolor=3]
}}"#;

#[test]
fn a_dump_of_tlc_is_understood() {
    let reading = read(DOT, DUMP);
    let graph = &reading.graph;
    assert_eq!(graph.state_count(), 4);
    assert_eq!(edges(graph), ["-8 Next(\"q\") 3", "3 Stop -9223372036854775808"]);
    assert_eq!(initial(graph), ["-8", "9223372036854775807"]);
    assert_eq!(values(graph, 0), ["pc=\"a\"", "x=<< 1, 2 >>"]);
    assert_eq!(values(graph, 2), ["pc=\"a\"", "x=<<3>>"]);
    assert_eq!(values(graph, 3), ["pc=\"b\""]);
    // Every dump of TLC has stuttering, so leaving it out is worth no warning.
    assert_eq!(warnings(&reading), ["15:1: 1 state outside the model's constraint (light yellow); kept"]);
}

#[test]
fn line_ends_of_windows_and_spaces_in_odd_places_change_nothing() {
    let reading = read(DOT, DUMP.replace('\n', "\r\n").replace(" -> ", "->").replace('=', " = "));
    assert_eq!(edges(&reading.graph), edges(&read(DOT, DUMP).graph));
}

#[test]
fn a_plain_dump_has_steps_without_names() {
    let reading =
        read(DOT, "digraph D {\n1 [label=\"x = 0\",style = filled]\n1 -> 2;\n2 -> 1 [label=\"\"];\n}");
    assert_eq!(edges(&reading.graph), ["1 step 2", "2 step 1"]);
    assert_eq!(values(&reading.graph, 0), ["x=0"]);
    assert_eq!(
        warnings(&reading),
        ["3:1: 2 edges without a name, called `step` (`-dump dot,actionlabels` names them)"]
    );
}

#[test]
fn dashed_steps_of_other_tools_are_steps() {
    let graph = read(DOT, "digraph { a -> a [style=dashed,label=x]; a -> b [style=dashed] }").graph;
    assert_eq!(edges(&graph), ["a x a", "a step b"]);
}

#[test]
fn graphs_drawn_by_hand_are_read() {
    let reading = read(
        DOT,
        "/* by hand */ DiGraph \"G 1\" {\n rankdir=LR // left to right\n node [shape=circle style=filled];\n\
         # a comment\n \"s 0\":e -> b:sw:n -> {c; \"d\\\"\", 5} [ label = go ; weight=2 ] [color=red]\n\
         c [label=<<b>bold</b>>]\n subgraph { b -> é [label=\"A\\nB\"] }\n}\n",
    );
    assert_eq!(edges(&reading.graph), ["s 0 go b", "b go c", "b go d\"", "b go 5", "b A\nB é"]);
    assert_eq!(initial(&reading.graph), ["s 0"]);
    assert_eq!(values(&reading.graph, 2), ["state=<b>bold</b>"]);
    assert_eq!(
        warnings(&reading),
        ["no node is marked as initial (`style = filled`); the first one is taken"]
    );
}

#[test]
fn many_variables_in_few_states_cost_nothing() {
    let nodes: String = (0..2000).map(|n| format!("{n} [label=\"variable_{n} = {n}\"]\n")).collect();
    let reading = read(DOT, format!("digraph {{ {nodes} }}"));
    assert!(reading.graph.variables.is_none());
    assert!(warnings(&reading)[1].starts_with("2000 variables for 2000 states"));
}

#[test]
fn faults_tell_what_was_expected_and_found() {
    let cases: [(&str, &str); 20] = [
        ("", "1:1: expected `digraph`, found the end of the file"),
        ("strict", "1:7: expected `digraph`, found the end of the file"),
        ("strict graph {}", "1:8: a graph whose edges have no direction: expected `digraph`"),
        ("strict diagram {}", "1:8: expected `digraph`, found `diagram`"),
        ("digraph x", "1:10: expected `{`, found the end of the file"),
        ("digraph {}", "1:11: a graph without nodes: there is no initial state"),
        (
            "digraph {\na -> b;\n",
            "3:1: expected `}` (the file seems to be cut short), found the end of the file",
        ),
        ("digraph {a} b", "1:13: expected nothing after the end of the graph, found `b`"),
        ("digraph {a -- b}", "1:12: `--`, an edge without a direction: expected `->`"),
        ("digraph {a -> }", "1:15: expected a node after `->`, found `}`"),
        ("digraph {a -> {b -> c}}", "1:18: expected a node or `}`, found `-> c}}`"),
        ("digraph {a -> {b c} -> {d e}}", "1:10: edges from a group to a group of nodes cannot be read"),
        ("digraph {{a b} -> c}", "1:16: expected no edge from a group of nodes, found `-> c}`"),
        (
            "digraph {a [label]",
            "1:19: expected `}` (the file seems to be cut short), found the end of the file",
        ),
        ("digraph {a [label=]}", "1:19: expected a value after `=`, found `]}`"),
        ("digraph {a [label=\"b]}", "1:19: a quoted text that is never closed"),
        ("digraph {a [label=<b]}", "1:19: `<` without its `>`"),
        ("digraph {é ? b}", "1:12: a character that has no meaning here: `? b}`"),
        ("digraph {a b /* }", "1:14: a comment that is never closed"),
        ("digraph {a -> \"b\0c\"}", "1:17: a NUL byte: this is not a text file"),
    ];
    for (contents, message) in cases {
        assert_eq!(error(DOT, contents), message, "{contents:?}");
    }
}

#[test]
fn deep_nesting_and_endless_texts_end_in_an_error() {
    let deep = "{".repeat(1_000_000);
    assert!(error(DOT, format!("digraph {deep}")).contains("cut short"));
    assert!(
        error(DOT, format!("digraph {{ a [label=<{}>] }}", "<".repeat(1_000_000)))
            .contains("without its `>`")
    );
    let long = "x".repeat(2 * LONGEST);
    assert_eq!(
        error(DOT, format!("digraph {{\na -> \"{long}")),
        "2:6: this quoted text is longer than 16777216 bytes"
    );
    assert_eq!(
        error(DOT, format!("digraph {{\na -> {long}")),
        "2:6: this word is longer than 16777216 bytes"
    );
}

#[test]
fn quotes_that_look_escaped_do_not_take_for_ever() {
    let quotes = "\\\\\\\"".repeat(200_000);
    let reading = read(DOT, format!("digraph {{ a [label=\"/\\\\ x = \\\"{quotes}\"] }}"));
    assert_eq!(reading.graph.state_count(), 1);
}

#[test]
fn what_is_written_has_the_shape_of_a_dump() {
    let graph = read(DOT, DUMP).graph;
    let file = written(DOT, &graph);
    assert!(file.starts_with("strict digraph DiskGraph {\nnodesep=0.35;\nsubgraph cluster_graph {\n"));
    assert!(file.contains("-8 [label=\"/\\\\ pc = \\\"a\\\"\\n/\\\\ x = << 1, 2 >>\",style = filled]\n"));
    assert!(file.contains("-8 -> 3 [label=\"Next(\\\"q\\\")\",color=\"black\",fontcolor=\"black\"];\n"));
    let again = read(DOT, &file);
    assert_eq!(again.warnings, []);
    assert_eq!((edges(&again.graph), initial(&again.graph)), (edges(&graph), initial(&graph)));
    assert!((0..4).all(|state| values(&again.graph, state) == values(&graph, state)));
}
