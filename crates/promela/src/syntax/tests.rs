//! The tree of small texts, and where its parts point to.

use source::{Diagnostic, Severity};

use super::*;

fn parsed(text: &str) -> Module {
    let (module, diagnostics) = parse(text);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    module
}

fn body(module: &Module) -> &Sequence {
    let process = module.units.iter().find_map(|unit| match unit {
        Unit::Process(process) => Some(process),
        _ => None,
    });
    &process.expect("a process").body
}

/// The expression in fully parenthesised form.
fn expression(text: &str) -> String {
    let module = parsed(&format!("init {{ x = {text} }}"));
    match &body(&module)[0].kind {
        StmtKind::Assign { value, .. } => shown(value),
        other => panic!("{other:?}"),
    }
}

fn formula(text: &str) -> String {
    let module = parsed(&format!("ltl {{ {text} }}"));
    match &module.units[0] {
        Unit::Ltl(ltl) => ltl.formula.as_ref().map_or_else(|_| String::new(), shown),
        other => panic!("{other:?}"),
    }
}

fn shown(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Number(value) => value.to_string(),
        ExprKind::Name(name) => name.parts[0].name.name.clone(),
        ExprKind::Unary { op, operand } => format!("{op:?}({})", shown(operand)),
        ExprKind::Binary { op, left, right } => format!("({} {op:?} {})", shown(left), shown(right)),
        ExprKind::Conditional { condition, then, otherwise } => {
            format!("({} ? {} : {})", shown(condition), shown(then), shown(otherwise))
        }
        ExprKind::RemoteVariable { proctype, .. } => format!("{}:", proctype.name),
        ExprKind::RemoteLabel { proctype, label, .. } => format!("{}@{}", proctype.name, label.name),
        other => format!("{other:?}"),
    }
}

#[test]
fn operators_bind_as_in_c_and_to_the_left() {
    assert_eq!(expression("a + b * c - d"), "((a Add (b Multiply c)) Subtract d)");
    assert_eq!(expression("a | b ^ c & d == e"), "(a BitOr (b BitXor (c BitAnd (d Equal e))))");
    assert_eq!(expression("a || b && c || d"), "((a Or (b And c)) Or d)");
    assert_eq!(expression("!a == b"), "(Not(a) Equal b)");
    assert_eq!(expression("-a - -b"), "(Minus(a) Subtract Minus(b))");
    assert_eq!(expression("a << 1 + 2 < 3"), "((a ShiftLeft (1 Add 2)) Less 3)");
    assert_eq!(expression("(a -> b : c) + 1"), "((a ? b : c) Add 1)");
}

#[test]
fn temporal_operators_bind_as_spin_has_them() {
    assert_eq!(formula("[] p -> <> q"), "(Always(p) Implies Eventually(q))");
    assert_eq!(formula("[]p U q && r"), "((Always(p) Until q) And r)");
    assert_eq!(formula("p U q U r"), "((p Until q) Until r)");
    assert_eq!(formula("a <-> b || c"), "(a Equivalent (b Or c))");
    assert_eq!(formula("always (p implies next q)"), "Always((p Implies Next(q)))");
    assert_eq!(formula("p weakuntil q /\\ r release s \\/ t"), "(((p WeakUntil q) And (r Release s)) Or t)");
    assert_eq!(formula("[] !(x[1] > 2 && <>y)"), "Always(Not(((x Greater 2) And Eventually(y))))");
}

#[test]
fn colons_mean_labels_values_and_remote_variables() {
    let module = parsed("proctype P() { skip } init { L: M: (a -> b[1] : c); P:x; (P[1]:y); P[2]@Q }");
    let Unit::Process(init) = &module.units[1] else { panic!() };
    let kinds: Vec<_> = init
        .body
        .iter()
        .map(|statement| match &statement.kind {
            StmtKind::Condition(expr) => shown(expr),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(kinds, ["(a ? b : c)", "P:", "P:", "P@Q"]);
    let labels: Vec<_> = init.body[0].labels.iter().map(|label| label.name.as_str()).collect();
    assert_eq!(labels, ["L", "M"]);
}

#[test]
fn line_breaks_separate_where_a_statement_can_end() {
    let module =
        parsed("init {\n x = 1\n y = (2 +\n 3)\n c!m\n (z)\n if\n :: a\n -> b\n :: else\n fi\n d\n}");
    assert_eq!(body(&module).len(), 6);
    assert!(matches!(&body(&module)[2].kind, StmtKind::Send { values, .. } if values.len() == 1));
    let module = parsed("init { c!m (z) }");
    assert!(matches!(&body(&module)[0].kind, StmtKind::Send { values, .. } if values.len() == 2));
}

#[test]
fn line_markers_and_comments_are_skipped() {
    let module = parsed("# 1 \"model.pml\"\nbyte x; /* a\n b */ // c\n# 7 \"other.h\" 2\ninit { skip }");
    assert_eq!(module.units.len(), 2);
}

#[test]
fn inlines_are_substituted_as_text() {
    let text = "inline double(v) {\n  v = v * 2\n}\ninit { double(a.b); c = d; triple = 1 }";
    let module = parsed(text);
    let StmtKind::Block(inner) = &body(&module)[0].kind else { panic!() };
    let StmtKind::Assign { target, value } = &inner[0].kind else { panic!() };
    assert_eq!(target.parts.len(), 2);
    assert_eq!(shown(value), "(a Multiply 2)");
    // The statement stands in the inline, the names in the call, and both are known.
    assert_eq!(inner[0].span.text(text), "v = v * 2");
    assert_eq!(target.parts[1].name.span.text(text), "b");
    assert!(target.parts[1].name.span.start > inner[0].span.end);
    assert_eq!(inner[0].expansion, Some(ExpansionId(0)));
    assert_eq!(body(&module)[0].span.text(text), "double(a.b)");
    assert_eq!(body(&module)[0].expansion, None);
    // Substitution is by text: precedence may change.
    let module = parsed("inline double(v) { x = v * 2 } init { double(a + b) }");
    let StmtKind::Block(inner) = &body(&module)[0].kind else { panic!() };
    let StmtKind::Assign { value, .. } = &inner[0].kind else { panic!() };
    assert_eq!(shown(value), "(a Add (b Multiply 2))");
}

#[test]
fn inlines_in_inlines_know_their_callers() {
    let text = "inline f(a) { a++ } inline g(b) { f(b); f(b) } init { g(x) }";
    let module = parsed(text);
    let parents: Vec<_> =
        module.expansions.iter().map(|expansion| (expansion.name.as_str(), expansion.parent)).collect();
    assert_eq!(parents, [("g", None), ("f", Some(ExpansionId(0))), ("f", Some(ExpansionId(0)))]);
    assert_eq!(module.expansions[2].call.text(text), "f(b)");
}

#[test]
fn an_inline_can_return_a_value() {
    let module = parsed("inline next(v) { skip; return v + 1 } init { x = next(y) }");
    let StmtKind::Block(inner) = &body(&module)[0].kind else { panic!() };
    let StmtKind::Assign { target, value } = &inner[1].kind else { panic!() };
    assert_eq!((target.parts[0].name.name.as_str(), shown(value).as_str()), ("x", "(y Add 1)"));
}

fn messages(text: &str) -> Vec<String> {
    let errors = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
    parse(text).1.into_iter().filter(errors).map(|diagnostic| diagnostic.message).collect()
}

#[test]
fn parsing_goes_on_after_errors() {
    let found =
        messages("init { x = ; y = 2 +; if :: a + b c :: d fi; { z = ) } }\nproctype P() { q = 1 2; r = 3 }");
    assert_eq!(
        found,
        [
            "expected an expression, found `;`",
            "expected an expression, found `;`",
            "expected `;`, found `c`",
            "expected an expression, found `)`",
            "expected `;`, found `2`",
        ]
    );
    assert_eq!(
        messages("init { do :: x++ fi }\nproctype P() { skip }"),
        ["expected `od` to close `do`, found `fi`"]
    );
    assert_eq!(
        messages("byte x\nbyte = 3; byte y; init { skip; }"),
        ["expected the name of a variable, found `=`"]
    );
}

#[test]
fn numbers_wrap_to_32_bits_with_a_warning() {
    let (module, diagnostics) = parse("init { x = 3000000000; y = '\\n'; z = 'A' }");
    assert_eq!(diagnostics.len(), 1);
    let values: Vec<_> = body(&module)
        .iter()
        .map(|statement| match &statement.kind {
            StmtKind::Assign { value: Expr { kind: ExprKind::Number(value), .. }, .. } => *value,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(values, [3_000_000_000u32 as i32, 10, 65]);
}
