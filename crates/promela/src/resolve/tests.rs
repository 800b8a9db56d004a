//! What small models mean.

use super::*;

fn program(text: &str) -> Program {
    let (program, diagnostics) = read(text);
    program.unwrap_or_else(|| panic!("{text}: {diagnostics:?}"))
}

fn messages(text: &str) -> Vec<String> {
    read(text).1.into_iter().map(|diagnostic| diagnostic.message).collect()
}

/// The statements with their structure, in one line.
fn shape(body: &[Stmt]) -> String {
    let parts: Vec<String> = body
        .iter()
        .map(|statement| match &statement.kind {
            StmtKind::If(choices) | StmtKind::Do(choices) => {
                let choices: Vec<_> = choices.iter().map(|choice| shape(&choice.body)).collect();
                format!("{}<{}>", statement.text, choices.join(" :: "))
            }
            StmtKind::Atomic(inner) | StmtKind::DStep(inner) | StmtKind::Block(inner) => {
                format!("{}<{}>", statement.text, shape(inner))
            }
            StmtKind::Unless { main, escape } => format!("<{} unless {}>", shape(main), shape(escape)),
            _ => statement.text.clone(),
        })
        .collect();
    parts.join("; ")
}

fn shape_of(text: &str) -> String {
    let program = program(text);
    let process = program.processes.iter().find(|process| process.active > 0).expect("a process");
    shape(&process.body)
}

#[test]
fn mtype_constants_are_numbered_from_the_last() {
    let program = program("mtype = {a, b, c}; mtype:k = {p, q}; mtype = {d, e}; init { a == d }");
    assert_eq!(program.mtypes[0].constants, ["c", "b", "a", "e", "d"]);
    assert_eq!(program.mtypes[1].constants, ["q", "p"]);
    assert_eq!(program.mtypes[1].name.as_deref(), Some("k"));
    assert_eq!(program.mtypes[0].constant(3), Some("a"));
    assert_eq!(program.mtypes[0].constant(0), None);
}

#[test]
fn loops_are_written_out() {
    assert_eq!(
        shape_of("byte i, s; init { for (i : 1 .. 3) { s++ } }"),
        "i = 1; DO<((i<=3)); s = (s+1); i = (i+1) :: else; break>"
    );
    assert_eq!(
        shape_of("byte i, a[4]; init { for (i in a) { a[i] = 1 } }"),
        "i = 0; DO<((i<=3)); a[i] = 1; i = (i+1) :: else; break>"
    );
    assert_eq!(shape_of("byte x; init { select (x : 1 .. 3) }"), "IF<x = 1 :: x = 2 :: x = 3>");
    assert_eq!(shape_of("byte x, y; init { select (x : 1 .. y) }"), "x = 1; DO<break :: ((x<y)); x = (x+1)>");
    assert_eq!(shape_of("byte x; init { select (x : 0 .. 99) }"), "x = 0; DO<((x<99)); x = (x+1) :: break>");
    assert_eq!(
        shape_of("typedef R { byte f; bit g }; chan c = [2] of { R }; R r; init { for (r in c) { skip } }"),
        "_f0r_t3mp = 0; DO<((_f0r_t3mp<len(c))); c?r.f,r.g; c!r.f,r.g; (1); _f0r_t3mp = (_f0r_t3mp+1) :: else; break>"
    );
}

#[test]
fn declarations_among_statements_are_steps() {
    let text = "init { byte a = 1; a = 2; byte b = 3; byte c[2]; { byte d; d = 4 } }";
    assert_eq!(shape_of(text), "a = 2; b = 3; c[0] = 0; sub-sequence<d = 0; d = 4>");
    let program = program(text);
    let names: Vec<_> =
        program.processes[0].locals.iter().map(|id| program.variable(*id).name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c", "d"]);
    assert!(matches!(program.variables[0].initial, Initial::Value(_)));
    assert!(program.variables[1..].iter().all(|variable| variable.initial == Initial::Zero));
}

#[test]
fn records_travel_as_their_fields() {
    let text = "typedef P { byte x; short y[2] }; typedef Q { P p; bit b };
                chan c = [1] of { mtype, Q }; Q q; typedef S { bit s; bit t }; S s; proctype R(S r; byte n) { skip }
                init { c!1,q; c?_,q; run R(s, 2) }";
    let parts = "q.p.x,q.p.y[0],q.p.y[1],q.b";
    assert_eq!(shape_of(text), format!("c!1,{parts}; c?_,{parts}; (run R(s.s,s.t,2))"));
    let program = program(text);
    assert_eq!(program.parameter_places(ProcessId(0)).len(), 3);
    let Initial::Channel(channel) = &program.variables[0].initial else { panic!() };
    assert_eq!(channel.fields.len(), 5);
    assert_eq!(channel.declared.len(), 2);
}

#[test]
fn atomicity_is_known_everywhere() {
    let program = program(
        "byte x; init { x = 1; atomic { x = 2; if :: d_step { x = 3; atomic { x = 4 } } fi }; d_step { x = 5 } }",
    );
    fn collect(body: &[Stmt], found: &mut Vec<(String, Atomicity)>) {
        for statement in body {
            match &statement.kind {
                StmtKind::If(choices) => choices.iter().for_each(|choice| collect(&choice.body, found)),
                StmtKind::Atomic(inner) | StmtKind::DStep(inner) | StmtKind::Block(inner) => {
                    collect(inner, found)
                }
                _ => found.push((statement.text.clone(), statement.atomicity)),
            }
        }
    }
    let mut found = Vec::new();
    collect(&program.processes[0].body, &mut found);
    let found: Vec<_> = found.iter().map(|(text, atomicity)| (text.as_str(), *atomicity)).collect();
    assert_eq!(
        found,
        [
            ("x = 1", Atomicity::None),
            ("x = 2", Atomicity::Atomic),
            ("x = 3", Atomicity::DStep),
            ("x = 4", Atomicity::DStep),
            ("x = 5", Atomicity::DStep),
        ]
    );
}

#[test]
fn labels_of_inlines_stay_apart() {
    let program = program(
        "byte x; inline f() { skip; L: x++; if :: x < 3 -> goto L :: else fi } init { f(); f(); M: skip; goto M }",
    );
    let init = &program.processes[0];
    let names: Vec<_> = init.labels.iter().map(|label| label.name.as_str()).collect();
    assert_eq!(names, ["L", "L", "M"]);
    for (at, statement) in init.body[..2].iter().enumerate() {
        let StmtKind::Block(inner) = &statement.kind else { panic!() };
        assert_eq!(inner[1].labels, [LabelId(at as u32)]);
        let StmtKind::If(choices) = &inner[2].kind else { panic!() };
        assert_eq!(choices[0].body[1].kind, StmtKind::Goto(LabelId(at as u32)));
    }
    assert_eq!(init.body[3].kind, StmtKind::Goto(LabelId(2)));
    assert_eq!(init.body[3].text, "goto M");
}

#[test]
fn special_labels_on_jumps_get_a_step() {
    let text = "byte x; init { do :: x = 1; end1: goto L :: x = 2; M: goto L od; L: skip }";
    assert_eq!(shape_of(text), "DO<x = 1; (1); goto L :: x = 2; goto L>; (1)");
    // Another process looks for it.
    let text = "byte x; active proctype P() { x = 2; M: goto L; L: skip } active proctype Q() { P[0]@M }";
    assert_eq!(shape_of(text), "x = 2; (1); goto L; (1)");
}

#[test]
fn unless_takes_blocks_apart_and_lifts_labels() {
    assert_eq!(
        shape_of("byte x; init { { x = 1; x = 2 } unless { x == 3; x = 4 } }"),
        "<x = 1; x = 2 unless ((x==3)); x = 4>"
    );
    let text = "byte x; init { L: atomic { x = 1 } unless x == 2; atomic { x = 3 } unless x == 4 }";
    assert_eq!(shape_of(text), "ATOMIC<<x = 1 unless ((x==2))>>; <ATOMIC<x = 3> unless ((x==4))>");
    assert_eq!(program(text).processes[0].body[0].labels, [LabelId(0)]);
}

#[test]
fn else_comes_last_and_idle_skips_vanish() {
    assert_eq!(
        shape_of("byte x; init { if :: else -> x = 1 :: x == 2 -> skip; skip; skip; x = 3 fi }"),
        "IF<((x==2)); (1); x = 3 :: else; x = 1>"
    );
}

#[test]
fn formulas_are_kept_over_resolved_expressions() {
    let program = program(
        "ltl safe { [] (x < 3 && !y) } ltl { <> P@L } byte x; bool y; active proctype P() { L: skip }",
    );
    assert_eq!(program.formulas[0].name, "safe");
    assert_eq!(program.formulas[1].name, "ltl_0");
    let Formula::Always(inner) = &program.formulas[0].formula else { panic!() };
    let Formula::And(left, right) = inner.as_ref() else { panic!() };
    assert!(matches!(left.as_ref(), Formula::Atom(expr) if program.expression_text(expr) == "(x<3)"));
    assert!(matches!(right.as_ref(), Formula::Not(_)));
    let Formula::Eventually(inner) = &program.formulas[1].formula else { panic!() };
    assert!(matches!(inner.as_ref(), Formula::Atom(Expr { kind: ExprKind::RemoteLabel { .. }, .. })));
}

#[test]
fn processes_know_their_instances() {
    let program = program(
        "byte n = 2; active [n] proctype P(byte a) priority 3 { skip } proctype Q() { skip }
         init { run Q() priority 4 } never { skip }",
    );
    let found: Vec<_> =
        program.processes.iter().map(|p| (p.name.as_str(), p.active, p.priority, p.kind)).collect();
    use crate::syntax::ProcessKind::{Init, Never, Proctype};
    assert_eq!(
        found,
        [("P", 2, 3, Proctype), ("Q", 0, 1, Proctype), (":init:", 1, 1, Init), ("never_0", 0, 1, Never)]
    );
    let StmtKind::Condition(Expr { kind: ExprKind::Run { process, priority, .. }, .. }) =
        &program.processes[2].body[0].kind
    else {
        panic!()
    };
    assert_eq!((*process, *priority), (ProcessId(1), Some(4)));
}

#[test]
fn mistakes_are_explained() {
    let found = read("byte count; init { conut = 1; count.f = 2; Count = 3 }").1;
    let helps: Vec<_> = found.iter().map(|diagnostic| diagnostic.help.clone().unwrap_or_default()).collect();
    assert_eq!(helps[2], "is `count` meant?");
    assert_eq!(
        messages("chan c = [1] of { byte, byte }; byte x; init { c!1; c?x }"),
        ["this sends 1, but the channel holds 2", "this receives 1, but the channel holds 2"]
    );
    assert_eq!(messages("mtype = {a}; init { a = 1 }"), ["`a` is an mtype constant and cannot change"]);
}

#[test]
fn an_error_in_an_argument_points_to_the_call() {
    let text = "byte x; inline f(v) { x = v } init { f(nix) }";
    let diagnostics = read(text).1;
    assert_eq!(diagnostics[0].span.text(text), "nix");
}
