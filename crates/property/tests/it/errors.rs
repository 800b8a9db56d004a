//! What is wrong with a formula, and where: the text under each span is shown in front of its message.

use property::{Spelling, parse};

fn errors(text: &str, spelling: Spelling) -> Vec<String> {
    let errors = parse(text, spelling).map(|formula| formula.regular.to_string()).expect_err("not a formula");
    errors.iter().map(|error| format!("{} <- {}", error.span.text(text), error.message)).collect()
}

fn mcl(text: &str) -> Vec<String> {
    errors(text, Spelling::Mcl)
}

fn mcf(text: &str) -> Vec<String> {
    errors(text, Spelling::Mcf)
}

fn help(text: &str, spelling: Spelling) -> String {
    parse(text, spelling).expect_err("not a formula")[0].help.clone().unwrap_or_default()
}

#[test]
fn something_is_missing() {
    assert_eq!(mcl(""), [" <- the formula is empty"]);
    assert_eq!(mcl("['A']"), [" <- a state formula such as `[R] false` is missing at the end"]);
    assert_eq!(mcl("['A'"), [" <- an operator or `]` is missing at the end"]);
    assert_eq!(mcl("('A')"), ["'A' <- found `'A'` where a state formula such as `[R] false` should be"]);
    assert_eq!(mcl("['A' .] false"), ["] <- found `]` where a regular formula should be"]);
    assert_eq!(mcl("['A' 'B'] false"), ["'B' <- found `'B'` where an operator or `]` should be"]);
    assert_eq!(mcl("(['A'] false"), [" <- `)` is missing at the end"]);
    assert_eq!(mcf("[a] false [b] false"), ["[ <- found `[` where `&&` or the end of the formula should be"]);
    assert_eq!(mcf("[a|] false"), ["| <- an action is missing behind `|`"]);
}

#[test]
fn the_position_is_the_end_of_the_last_token() {
    let error = &parse("['A']   \n\n", Spelling::Mcl).unwrap_err()[0];
    assert_eq!((error.span.start, error.span.end), (5, 5));
}

#[test]
fn quotes_and_comments_that_do_not_end() {
    assert_eq!(mcl("['A] false"), ["' <- the regular expression has no end"]);
    assert_eq!(mcl("[\"A] false"), ["\" <- the string has no end"]);
    assert_eq!(mcl("[{A !1 ] false"), ["{ <- the action pattern has no end"]);
    assert_eq!(mcl("['A'] false (* and"), ["(* <- the comment has no end"]);
    assert_eq!(mcf("[a(1] false"), ["( <- the arguments of the action have no closing parenthesis"]);
}

#[test]
fn several_errors_are_reported_at_once() {
    assert_eq!(
        mcl("['A' # 'B'] false and ['C' .] false and [\\('D'] §"),
        [
            "# <- the character `#` means nothing here",
            "] <- found `]` where a regular formula should be",
            "\\ <- the character `\\\\` means nothing here",
            "§ <- the character `§` means nothing here",
        ]
    );
}

#[test]
fn regular_expressions_are_checked() {
    assert_eq!(mcl(r"['A\(B'] false"), [r"\( <- `\(` has no `\)`"]);
    assert_eq!(mcl("['ä[b'] false"), ["[ <- `[` has no `]`"]);
}

#[test]
fn words_that_mean_nothing() {
    assert_eq!(mcl("[true* . LOSS] false"), ["LOSS <- `LOSS` is not a word of MCL"]);
    assert_eq!(mcl("[A] false and [B] false").len(), 2);
    assert!(help("[true* . LOSS] false", Spelling::Mcl).starts_with("write 'X' for a label"));
    assert_eq!(mcf("[true* . 1] false"), ["1 <- the character `1` means nothing here"]);
}

#[test]
fn operators_on_actions_want_actions() {
    assert_eq!(
        mcl("[not ('A' . 'B')] false"),
        ["('A' . 'B') <- `not` is for action formulas, and this is a regular formula"]
    );
    assert_eq!(
        mcl("['A'* or 'B'] false"),
        ["'A'* <- `or` is for action formulas, and this is a regular formula"]
    );
    assert_eq!(
        mcf("[a || (b*)] false"),
        ["(b*) <- `||` is for action formulas, and this is a regular formula"]
    );
    assert_eq!(
        help("[a || (b*)] false", Spelling::Mcf),
        "regular formulas can be joined by `+` and `.`; they have no complement"
    );
}

#[test]
fn what_is_outside_the_fragment_is_refused_by_name() {
    assert_eq!(mcl("mu X . <true> X"), ["mu <- fixed points (`mu`) are not supported"]);
    assert_eq!(mcl("macro A() = 'A' end_macro ['A'] false"), ["macro <- `macro` is not supported"]);
    assert_eq!(mcl("library standard.mcl end_library"), ["library <- `library` is not supported"]);
    assert_eq!(mcl("<'A'> @"), ["@ <- infinite repetition `@` is not a safety property"]);
    assert_eq!(mcl("['A'{3}] false"), ["{3} <- counted repetition is not supported"]);
    assert_eq!(
        mcl("[{SEND ?x:nat}] false"),
        ["?x:nat <- variables in action patterns, such as `?x:nat`, are not supported"]
    );
    assert_eq!(
        mcl("[true*] <'A'> true"),
        ["<'A'> true <- a diamond says that something is possible, which no single trace can refute"]
    );
    assert_eq!(
        mcl("['A'] false or ['B'] false"),
        ["['A'] false or ['B'] false <- a choice between state formulas is not supported"]
    );
    assert_eq!(
        mcl("[true*] <true> true and ['B'] false"),
        ["[true*] <true> true and ['B'] false <- forbidden traces and deadlocks are mixed in one formula"]
    );
    assert_eq!(mcf("nu X. [true]X"), ["nu <- fixed points (`nu`) are not supported"]);
    assert_eq!(
        mcf("[exists n: Nat. a(n)] false"),
        ["exists <- quantification over data (`exists`) is not supported"]
    );
    assert_eq!(mcf("[true*] val(1 > 2)"), ["val <- data expressions (`val`) are not supported"]);
    assert_eq!(mcf("[a@3] false"), ["@ <- time (`@`) is not supported"]);
    assert_eq!(mcf("act a; form [a] false;")[0], "act <- declarations (`act`) are not supported");
    assert!(help("nu X. [true]X", Spelling::Mcf).contains("`!<R> true`"));
    assert!(help("[true*] <'A'> true", Spelling::Mcl).contains("`not <R> true`"));
}

#[test]
fn deep_nesting_is_an_error_with_a_place() {
    let deep = [
        format!("[{}'A'{}] false", "(".repeat(100_000), ")".repeat(100_000)),
        format!("[{}'A'] false", "not ".repeat(100_000)),
        format!("{}['A'] false{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("{}['A'] false", "not ".repeat(100_000)),
        format!("{}false", "['A']".repeat(100_000)),
        format!("[{}'A'] false", "'A' implies ".repeat(100_000)),
        format!("{}false", "true implies ".repeat(100_000)),
    ];
    for text in deep {
        let errors = parse(&text, Spelling::Mcl).unwrap_err();
        assert_eq!(errors[0].message, "the formula is nested more than 100 levels deep");
        assert!(errors[0].span.start > 100 && errors[0].span.end < text.len());
    }
}

#[test]
fn a_repetition_that_may_surprise_is_warned_of() {
    let text = "['A' or 'B'* . 'C'] false";
    let warning = &parse(text, Spelling::Mcl).unwrap().warnings[0];
    assert_eq!(warning.span.text(text), "'A' or 'B'*");
    assert_eq!(warning.message, "`*` repeats all of `'A' or 'B'`");
    assert!(parse("[('A' or 'B')* . not 'C'*] false", Spelling::Mcl).unwrap().warnings.is_empty());
}

#[test]
fn a_hundred_thousand_errors_are_not_listed() {
    for text in ["#".repeat(100_000), "[] false and ".repeat(100_000)] {
        assert_eq!(parse(&text, Spelling::Mcl).unwrap_err().len(), 20);
    }
    let regexes = format!("[{}] false", vec!["'A.*'"; 100_000].join(" . "));
    assert_eq!(mcl(&regexes), ["'A.*' <- the formula has more than 1000 regular expressions"]);
}
