//! What formulas mean, shown by printing them back with all parentheses.

use graph::ViolatedWhen;
use property::{Spelling, parse};

fn mcl(text: &str) -> String {
    read(text, Spelling::Mcl)
}

fn mcf(text: &str) -> String {
    read(text, Spelling::Mcf)
}

/// The forbidden traces; behind "stuck after", those that must not end in a deadlock.
fn read(text: &str, spelling: Spelling) -> String {
    let formula = parse(text, spelling).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let prefix = match formula.violated_when {
        ViolatedWhen::Accepted => "",
        ViolatedWhen::AcceptedAndStuck => "stuck after ",
    };
    format!("{prefix}{}", formula.regular)
}

#[test]
fn repetition_binds_tighter_than_sequence_and_that_than_choice() {
    assert_eq!(mcl("['A' . 'B'* | 'C'+ . 'D'?] false"), "(('A' . 'B'*) | ('C'+ . 'D'?))");
    assert_eq!(mcf("[a . b* + c+ . d] false"), "((a . b*) | (c+ . d))");
    assert_eq!(mcl("['A' . ('B' | 'C') . nil] false"), "('A' . ('B' | 'C') . nil)");
    assert_eq!(mcf("[a . (b + c) . nil] false"), "(a . (b | c) . nil)");
}

#[test]
fn not_binds_tighter_than_and_or_implies_and_equ() {
    assert_eq!(
        mcl("[not 'A' and 'B' or 'C' implies 'D' or 'E' equ 'F'] false"),
        "(((((not 'A') and 'B') or 'C') implies ('D' or 'E')) equ 'F')"
    );
    assert_eq!(mcf("[!a && b || c => d] false"), "((((not a) and b) or c) implies d)");
    assert_eq!(mcl("['A' implies 'B' implies 'C'] false"), "('A' implies ('B' implies 'C'))");
    assert_eq!(mcl("[not not true] false"), "(not (not true))");
    assert_eq!(mcl("['A' and ('B' or 'C')] false"), "('A' and ('B' or 'C'))");
}

#[test]
fn operators_on_actions_bind_tighter_than_those_on_regular_formulas() {
    assert_eq!(mcl("[not 'A'*] false"), "(not 'A')*");
    assert_eq!(mcf("[!a*] false"), "(not a)*");
    assert_eq!(mcf("[!(a)*.b] false"), "((not a)* . b)");
    assert_eq!(mcl("['A' or 'B'* . 'C'] false"), "(('A' or 'B')* . 'C')");
    assert_eq!(mcl("['A' . 'B' or 'C'] false"), "('A' . ('B' or 'C'))");
}

#[test]
fn a_repetition_of_a_repetition_is_one_repetition() {
    assert_eq!(mcl("['A'**] false"), "'A'*");
    assert_eq!(mcl("['A'+?] false"), "'A'*");
    assert_eq!(mcl("[('A'+)+] false"), "'A'+");
    assert_eq!(mcl("['A'??] false"), "'A'?");
}

#[test]
fn in_mcrl2_a_plus_is_a_choice_if_something_follows() {
    assert_eq!(mcf("[a+] false"), "a+");
    assert_eq!(mcf("[a+ + b] false"), "(a+ | b)");
    assert_eq!(mcf("[a+ . b] false"), "(a+ . b)");
    assert_eq!(mcf("[a+(b)] false"), "(a | b)");
    assert_eq!(mcf("[(a+b)+] false"), "(a | b)+");
}

#[test]
fn layout_and_comments_do_not_matter() {
    let expected = "(true* . 'SEND' . true* . 'EXEC' . true*)";
    assert_eq!(mcl("([\n    true* . 'SEND' .\n    true* . 'EXEC' . \n    true*\n] false\n)\n"), expected);
    assert_eq!(mcl("[\r\n true*.'SEND'.\r\ntrue*.'EXEC'.true*\r\n]false"), expected);
    let commented = "(* no (* EXEC *) ' after *) [true*.'SEND'.(* then *)true*.'EXEC'.true*] false (**)";
    assert_eq!(mcl(commented), expected);
    assert_eq!(mcl("(* not nested (* here *) ['A'] false (* ( *)"), "'A'");
    assert_eq!(mcl("['A(*'] false"), "'A(*'");
    assert_eq!(mcf("% no b ]\n[true* . % first\n a . true* . b] false % done"), "(true* . a . true* . b)");
    assert_eq!(mcf("form [a] false;\n"), "a");
}

#[test]
fn labels_of_mcl() {
    assert_eq!(mcl(r#"["SEND !1"] false"#), r#""SEND !1""#);
    assert_eq!(mcl(r#"["SEND !\"a\""] false"#), r#""SEND !"a"""#);
    assert_eq!(mcl("['SEND !.*'] false"), "'SEND !.*'");
    assert_eq!(mcl("[{SEND !1   !true}] false"), "{SEND !1 !true}");
    assert_eq!(mcl("[{ SEND ?any ... }] false"), "{SEND ?any ...}");
    assert_eq!(mcl("[not tau] false"), "(not tau)");
}

#[test]
fn multi_actions_of_mcrl2() {
    assert_eq!(mcf("[b | a( 1, 2 )] false"), "a(1,2)|b");
    assert_eq!(mcf("[a|b||c] false"), "(a|b or c)");
    assert_eq!(mcf("[tau] false"), "tau");
    assert_eq!(mcf("[a(f(1), % the list\n [2, 3])] false"), "a(f(1),[2,3])");
    assert_eq!(mcf("[x' . y_1] false"), "(x' . y_1)");
}

#[test]
fn boxes_behind_boxes_are_a_sequence_and_conjunctions_a_choice() {
    assert_eq!(mcl("['A'] ['B'] false"), "('A' . 'B')");
    assert_eq!(mcl("['A'] false and ['B'] false"), "('A' | 'B')");
    assert_eq!(mcf("[a] false && [b] false && [c] false"), "(a | b | c)");
    assert_eq!(mcl("['A'] (['B'] false and ['C'] false)"), "('A' . ('B' | 'C'))");
    assert_eq!(mcl("['A'] ['B'] false and ['C'] false"), "(('A' . 'B') | 'C')");
}

#[test]
fn what_must_not_be_possible_is_forbidden() {
    assert_eq!(mcl("not <'A'> true"), "'A'");
    assert_eq!(mcf("!<a . b> true"), "(a . b)");
    assert_eq!(mcl("not <'A'> <'B'> true"), "('A' . 'B')");
    assert_eq!(mcl("not (<'A'> true or <'B'> true)"), "('A' | 'B')");
    assert_eq!(mcl("['A'] not <'B'> true"), "('A' . 'B')");
    assert_eq!(mcl("not not ['A'] false"), "'A'");
    assert_eq!(mcl("not (['A'] false implies <'B'> true)"), "('A' | 'B')");
}

#[test]
fn something_must_be_possible() {
    assert_eq!(mcl("[true*] <true> true"), "stuck after true*");
    assert_eq!(mcf("[true* . a] <true> true"), "stuck after (true* . a)");
    assert_eq!(mcl("<true> true"), "stuck after nil");
    assert_eq!(mcl("['A'] <true> true and ['B'] <true> true"), "stuck after ('A' | 'B')");
    assert_eq!(mcl("not <true*> [true] false"), "stuck after true*");
}

#[test]
fn the_constants() {
    assert_eq!(mcl("false"), "nil");
    assert_eq!(mcl("true"), "false");
    assert_eq!(mcl("['A'] true"), "false");
    assert_eq!(mcl("true and ['A'] false"), "'A'");
    let formula = parse("['A'] true", Spelling::Mcl).unwrap();
    assert_eq!(formula.warnings[0].message, "no system violates this formula");
}

#[test]
fn long_formulas_are_wide_and_not_deep() {
    for (operator, spelling) in [
        (" . ", Spelling::Mcl),
        (" | ", Spelling::Mcl),
        (" or ", Spelling::Mcl),
        (" and ", Spelling::Mcl),
        (" equ ", Spelling::Mcl),
        (" + ", Spelling::Mcf),
        (" && ", Spelling::Mcf),
    ] {
        let long = vec!["true"; 100_000].join(operator);
        parse(&format!("[{long}] false"), spelling).unwrap();
    }
    parse(&vec!["['A'] false"; 100_000].join(" and "), Spelling::Mcl).unwrap();
    parse(&format!("['A'{}] false", "*".repeat(100_000)), Spelling::Mcl).unwrap();
}
