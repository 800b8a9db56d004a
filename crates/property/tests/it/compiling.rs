//! Formulas against the labels of a graph: classes, limits, warnings.

use std::fmt::Write;
use std::time::{Duration, Instant};

use graph::Labels;
use property::{CompileError, CompiledProperty, MAX_STATES, Spelling, parse};

fn labels(texts: &[&str]) -> Labels {
    let mut labels = Labels::new();
    for text in texts {
        labels.intern(text);
    }
    labels
}

fn compile(text: &str, labels: &Labels) -> Result<CompiledProperty, CompileError> {
    parse(text, Spelling::Mcl).expect("a formula").automaton(labels, None, MAX_STATES)
}

/// The text under each warning, the warning and the help.
fn warnings(text: &str, spelling: Spelling, texts: &[&str]) -> Vec<(String, String, String)> {
    let formula = parse(text, spelling).expect("a formula");
    let property = formula.automaton(&labels(texts), None, MAX_STATES).expect("a small automaton");
    let warnings = property.warnings.into_iter();
    warnings.map(|w| (w.span.text(text).to_owned(), w.message, w.help.unwrap_or_default())).collect()
}

#[test]
fn labels_are_told_apart_only_where_the_formula_does() {
    let labels = labels(&["a", "b", "c", "d"]);
    let property = compile("[true* . 'a' . not 'b'*] false", &labels).unwrap();
    assert_eq!((0..4).map(|label| property.classes.of(label)).collect::<Vec<_>>(), [0, 1, 2, 2]);
    assert_eq!(property.dfa.state_count(), 2);
    assert_eq!(compile("[true*] false", &labels).unwrap().classes.count(), 1);
}

#[test]
fn more_than_64_predicates() {
    let texts: Vec<String> = (0..200).map(|n| format!("l{n}")).collect();
    let labels = labels(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let formula = texts.iter().map(|text| format!("'{text}'")).collect::<Vec<_>>().join(" . ");
    let property = compile(&format!("[{formula}] false"), &labels).unwrap();
    assert_eq!((property.classes.count(), property.dfa.state_count()), (200, 201));
    let end = (0..200).fold(property.dfa.initial(), |state, label| {
        assert!(!property.dfa.accepts(state));
        property.dfa.next(state, property.classes.of(label))
    });
    assert!(property.dfa.accepts(end));
}

#[test]
fn a_graph_without_labels_has_a_property_still() {
    let labels = Labels::new();
    assert!(compile("false", &labels).unwrap().dfa.accepts(0));
    assert!(!compile("['A'] false", &labels).unwrap().dfa.accepts(0));
    assert!(compile("['A'*] false", &labels).unwrap().dfa.accepts(0));
}

#[test]
fn a_misspelt_label_is_reported_with_the_one_that_was_meant() {
    let warned = warnings("[true* . 'LOS' . \"REC\"] false", Spelling::Mcl, &["LOSS", "RECV", "EXEC"]);
    assert_eq!(
        warned,
        [
            ("'LOS'".into(), "no label matches 'LOS'".into(), "did you mean `LOSS`?".into()),
            ("\"REC\"".into(), "no label matches \"REC\"".into(), "did you mean `RECV`?".into()),
        ]
    );
    let warned = warnings("[!snd(1)] false", Spelling::Mcf, &["send(1)"]);
    assert_eq!(warned[0].1, "no label matches `snd(1)`");
    assert_eq!(warned[0].2, "did you mean `send(1)`?");
    assert!(warnings("['A' . 'B.*' . tau] false", Spelling::Mcl, &["A", "BC"]).is_empty());
}

#[test]
fn other_reasons_for_which_nothing_matches() {
    let help = |text, labels: &[&str]| warnings(text, Spelling::Mcl, labels)[0].2.clone();
    assert_eq!(
        help("['SEND|RECV'] false", &["RECV"]),
        "`( ) { } | + ?` stand for themselves here, as in CADP; to match `RECV` write 'SEND\\|RECV'"
    );
    assert_eq!(
        help("['SEND'] false", &["SEND !1"]),
        "a label has to match as a whole; `SEND !1` would match 'SEND.*'"
    );
    assert_eq!(
        help("['!.'] false", &["SEND !1 !2"]),
        "it matches a part of `SEND !1 !2`, but has to match the whole label; `.*` matches any rest"
    );
    assert_eq!(help("[{SEND !2}] false", &["SEND !1"]), "a label at this gate is `SEND !1`");
    assert_eq!(help("['zzz'] false", &["SEND"]), "");
}

#[test]
fn a_test_that_occurs_often_is_reported_once() {
    let text = "['X' . 'X' . not 'X'] false";
    assert_eq!(warnings(text, Spelling::Mcl, &["A"]).len(), 1);
}

#[test]
fn exponential_formulas_stop_at_the_limit() {
    let labels = labels(&["a", "b"]);
    let text = format!("[true* . 'a' {}] false", " . true".repeat(30));
    let error = parse(&text, Spelling::Mcl).unwrap().automaton(&labels, None, 1000).unwrap_err();
    assert!(matches!(error, CompileError::TooManyStates(_)), "{error}");
    assert!(parse("false", Spelling::Mcl).unwrap().automaton(&labels, None, 1).is_ok());
}

#[test]
fn large_formulas_are_compiled_or_refused_in_time() {
    let texts: Vec<String> = (0..20_000).map(|n| format!("label {n}")).collect();
    let labels = labels(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let all = |before: &str, after: &str, between: &str, count| {
        let mut text = String::from("[");
        for n in 0..count {
            let between = if n == 0 { "" } else { between };
            write!(text, "{between}{before}label {n}{after}").unwrap();
        }
        text + "] false"
    };
    let start = Instant::now();
    for (text, fits) in [
        (all("\"", "\"", " | ", 20_000), true),
        (all("'", "'", " or ", 20_000), true),
        (all("'", "'*", " . ", 2_000), true),
        (all("true* . '", "'", " . ", 20_000), false),
        (all("not '", "'", " . ", 20_000), false),
        (all("'.*", "'", " . ", 900), true),
        (format!("[{}] false", vec!["true*"; 100_000].join(" . ")), true),
    ] {
        let result = compile(&text, &labels);
        println!("{:40.40} {:?}", text, start.elapsed());
        assert_eq!(result.is_ok(), fits, "{} {:?}", &text[..40], result.err());
    }
    assert!(start.elapsed() < Duration::from_secs(300), "{:?}", start.elapsed());
}
