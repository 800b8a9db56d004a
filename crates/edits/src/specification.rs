//! Lines that say what is right although they are no assertions: functions that only assertions call, variables that
//! only assertions read, and loops and branches around nothing but assertions. To change them makes a violation go away, but nothing better.

use std::collections::BTreeMap;

use crate::outline::Outline;
use crate::token::TokenKind;
use crate::tree::{Form, Node};

/// Lines that nothing but a check is made of, as ranges of which both ends are included: functions that only assertions
/// call, loops and branches around nothing but assertions, what is only copied for an assertion, and counters that only
/// assertions read. Whoever changes them changes what is asked for.
pub(crate) fn checks_alone(outline: &Outline<'_>) -> Vec<(u64, u64)> {
    let is_computed = |line: u64| {
        let nodes = outline.tree.nodes.iter();
        let mut there = nodes.filter(|node| outline.line(node.first) == line && node.form != Form::Block);
        there.any(|node| {
            let value = (node.first..=node.last).find(|at| outline.word(*at) == "=");
            value.is_some_and(|sign| {
                let inside = sign + 1..=node.last;
                inside.filter(|at| !matches!(outline.word(*at), ";" | "-" | "")).count() > 1
            })
        })
    };
    let compared = compared_functions(outline);
    let mut found = specification(outline);
    found.retain(|range| !compared.contains(range) && (range.0 != range.1 || !is_computed(range.0)));
    found.extend(ghost_counters(outline));
    found
}

/// The functions whose results assertions compare with something: such a result is what is checked, and not what checks.
fn compared_functions(outline: &Outline<'_>) -> Vec<(u64, u64)> {
    let is_comparison = |at: usize| matches!(outline.word(at), "==" | "!=" | "<" | ">" | "<=" | ">=");
    let behind_call = |name: usize| {
        let mut depth = 0_i64;
        (name + 1..outline.len()).find(|at| {
            depth += match outline.word(*at) {
                "(" => 1,
                ")" => -1,
                _ => 0,
            };
            depth <= 0
        })
    };
    let is_compared = |at: usize| {
        let is_after = behind_call(at).is_some_and(|close| close > at + 1 && is_comparison(close + 1));
        outline.is_sacred(at) && (is_after || at > 0 && is_comparison(at - 1))
    };
    let mut found = Vec::new();
    for unit in &outline.units {
        let Some(name) = unit.parameters.and_then(|(open, _)| open.checked_sub(1)) else { continue };
        let is_use = |at: &usize| outline.word(*at) == outline.word(name) && *at != name;
        if (0..outline.len()).filter(is_use).any(is_compared) {
            found.push((outline.line(unit.body.0), outline.line(unit.body.1)));
        }
    }
    found
}

/// The lines that count something up or down that only assertions and formulas read.
fn ghost_counters(outline: &Outline<'_>) -> Vec<(u64, u64)> {
    let mut found = Vec::new();
    for name in outline.names.iter().filter(|name| !name.is_member && !name.is_constant) {
        let in_scope = |at: &usize| name.unit.is_none() || outline.unit_of(*at) == name.unit;
        let is_use =
            |at: &usize| outline.kind(*at) == Some(TokenKind::Word) && outline.word(*at) == name.text;
        let uses: Vec<usize> = (0..outline.len()).filter(is_use).filter(in_scope).collect();
        let is_counted = |at: usize| {
            matches!(outline.word(at + 1), "++" | "--")
                || at > 0 && matches!(outline.word(at - 1), "++" | "--")
        };
        let (checks, others): (Vec<usize>, Vec<usize>) =
            uses.into_iter().filter(|at| *at != name.at).partition(|at| outline.is_sacred(*at));
        if !checks.is_empty() && !others.is_empty() && others.iter().all(|at| is_counted(*at)) {
            found.extend(others.iter().map(|at| (outline.line(*at), outline.line(*at))));
        }
    }
    found
}

/// Ranges of lines, both ends included.
pub(crate) fn specification(outline: &Outline<'_>) -> Vec<(u64, u64)> {
    let mut uses: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for at in (0..outline.len()).filter(|at| outline.kind(*at) == Some(TokenKind::Word)) {
        uses.entry(outline.word(at)).or_default().push(at);
    }
    let uses_of = |word: &str| uses.get(word).map_or(&[][..], Vec::as_slice);
    let mut found = Vec::new();
    for unit in &outline.units {
        let Some(name) = unit.parameters.and_then(|(open, _)| open.checked_sub(1)) else { continue };
        let mut others = uses_of(outline.word(name)).iter().filter(|at| **at != name).peekable();
        if others.peek().is_some() && others.all(|at| outline.is_sacred(*at)) {
            found.push((outline.line(unit.body.0), outline.line(unit.body.1)));
        }
    }
    for name in outline.names.iter().filter(|name| !name.is_member && !name.is_constant) {
        let Some(unit) = name.unit else { continue };
        let own: Vec<usize> =
            uses_of(name.text).iter().copied().filter(|at| outline.unit_of(*at) == Some(unit)).collect();
        let is_checked = own.iter().any(|at| outline.is_sacred(*at));
        let is_written = |at: usize| at == name.at || outline.word(at + 1) == "=";
        // What is written in several places is what the program works out.
        let writes = own.iter().filter(|at| outline.word(**at + 1) == "=").count();
        if is_checked && writes <= 1 && own.iter().all(|at| outline.is_sacred(*at) || is_written(*at)) {
            let written = own.iter().filter(|at| !outline.is_sacred(**at));
            found.extend(written.map(|at| (outline.line(*at), outline.line(*at))));
        }
    }
    // Statements come in the order of the text, so those inside of another follow it.
    let nodes = &outline.tree.nodes;
    for (number, node) in
        nodes.iter().enumerate().filter(|(_, node)| matches!(node.form, Form::If | Form::Loop))
    {
        let inside = || nodes[number + 1..].iter().take_while(|inner| inner.first <= node.last);
        // Where another option is there for all other cases, the guard of an option decides nothing but what is checked.
        let is_decided = inside().any(|inner| outline.word(inner.first) == "else");
        let mut single = inside()
            .filter(|inner| !matches!(inner.form, Form::If | Form::Loop | Form::Block))
            .filter(|inner| !(is_decided && is_guard(outline, inner)))
            .peekable();
        let checks = |inner: &Node| (inner.first..=inner.last).any(|at| outline.is_sacred(at));
        if single.peek().is_some() && single.all(checks) {
            found.push((outline.line(node.first), outline.line(node.last)));
        }
    }
    found
}

/// Whether a statement is the first of an option, and only asks.
fn is_guard(outline: &Outline<'_>, node: &Node) -> bool {
    let acts = |at: usize| matches!(outline.word(at), "=" | "!" | "?" | "!!" | "??" | "++" | "--" | "run");
    node.index == 0
        && outline.tree.sequences[node.sequence].is_option
        && !(node.first..=node.last).any(|at| acts(at) && at > node.first)
}

/// Whether a name is used by what the program is checked for.
pub(crate) fn is_checked(outline: &Outline<'_>, name: &str) -> bool {
    (0..outline.len()).any(|at| outline.is_sacred(at) && outline.word(at) == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn what_only_assertions_use_is_a_specification() {
        let text = "int sorted(int a) {\n return a;\n}\nint f(int a) {\n return a;\n}\nint main(void) {\n int x = f(1);\n \
                    int y = f(2);\n int z;\n z = x;\n assert(sorted(x) && z);\n return y;\n}\n";
        let outline = Outline::new(text, Language::C);
        assert_eq!(specification(&outline), [(1, 3), (10, 10), (11, 11)]);
        let text = "int main(void) {\n int m = 0;\n if (x)\n  m = 1;\n assert(m);\n return 0;\n}\n";
        assert_eq!(
            specification(&Outline::new(text, Language::C)),
            [],
            "what is written twice is worked out"
        );
        assert_eq!(checks_alone(&outline), [(1, 3), (10, 10), (11, 11)]);
        let text = "int main(void) {\n int r = a - b;\n assert(r);\n return 0;\n}\n";
        let outline = Outline::new(text, Language::C);
        assert_eq!((specification(&outline).len(), checks_alone(&outline).len()), (1, 0), "it is computed");
        let text = "int twice(int n) {\n return n - n;\n}\nint main(void) {\n assert(twice(2) == 4);\n return 0;\n}\n";
        let outline = Outline::new(text, Language::C);
        assert_eq!(specification(&outline), [(1, 3)]);
        assert_eq!(checks_alone(&outline), [], "its result is compared, so it is what is checked");
        let text = "byte n, m;\nactive proctype P() {\n n++;\n m++;\n assert(n == 1);\n m > 1;\n n--\n}\n";
        let outline = Outline::new(text, Language::Promela);
        assert_eq!(checks_alone(&outline), [(3, 3), (7, 7)], "`m` is read by the model");
        let text = "active proctype P() {\n if\n :: x > 1 ->\n  assert(y)\n :: else\n fi;\n if\n :: x > 2 ->\n  assert(y)\n fi\n}\n";
        assert_eq!(specification(&Outline::new(text, Language::Promela)), [(2, 6)], "the second one waits");
        let text = "void f(void) {\n for (i = 0; i < 3; i++)\n  assert(a[i]);\n if (x) {\n  assert(y);\n  y++;\n }\n}\n";
        assert_eq!(specification(&Outline::new(text, Language::C)), [(2, 3)]);
    }
}
