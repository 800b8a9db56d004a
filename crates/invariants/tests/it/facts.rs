//! Every kind of fact: found where it holds, not found where one sample breaks it, and true of all samples.

use invariants::daikon::{Point, data_trace, declarations};
use invariants::{Samples, Value, compare, detect};
use testkit::random::{Random, for_random_inputs};

fn samples<const N: usize>(names: [&str; N], rows: impl IntoIterator<Item = [i64; N]>) -> Samples {
    let mut samples = Samples::new();
    for row in rows {
        samples.add(names.iter().zip(row).map(|(name, value)| ((*name).to_owned(), Value::Number(value))));
    }
    samples
}

fn facts(samples: &Samples) -> Vec<String> {
    detect(samples, false).iter().map(|found| found.fact.to_string()).collect()
}

fn has(samples: &Samples, fact: &str) -> bool {
    facts(samples).iter().any(|found| found == fact)
}

#[test]
fn one_variable() {
    let of = |values: &[i64]| samples(["x"], values.iter().map(|value| [*value]));
    assert_eq!(facts(&of(&[7; 10])), ["x == 7"]);
    assert_eq!(facts(&of(&[1, 2, 1, 2, 1, 2, 1, 2])), ["x one of { 1, 2 }"]);
    assert_eq!(facts(&of(&[4, 9, 5, 6, 8, 7, 4, 4])), ["x >= 4", "x <= 9"]);
    let by_three: Vec<i64> = (0..12).map(|n| 3 * n + 2).collect();
    assert!(has(&of(&by_three), "x == 2 (mod 3)"), "{:?}", facts(&of(&by_three)));
    let around: Vec<i64> = (0..200).map(|n| if n % 2 == 0 { 1 + n % 7 } else { -1 - n % 5 }).collect();
    assert!(has(&of(&around), "x != 0"));
    // Seven samples could miss zero by chance.
    assert!(!has(&of(&[-3, 2, -1, 5, 4, -2, 3]), "x != 0"));
}

#[test]
fn few_samples_are_chance_unless_they_are_all() {
    let two = samples(["x", "y"], [[1, 2], [3, 4]]);
    assert_eq!(facts(&two), Vec::<String>::new());
    let all: Vec<String> = detect(&two, true).iter().map(|found| found.fact.to_string()).collect();
    assert!(all.contains(&"x < y".to_owned()), "{all:?}");
}

#[test]
fn two_and_three_variables() {
    let line = samples(["x", "y"], (0..9).map(|n| [n, 2 * n + 1]));
    assert!(has(&line, "2 * x == y - 1"), "{:?}", facts(&line));
    let sum = samples(["x", "y", "z"], (0..12).map(|n| [n * n % 7, 3 * n % 5, n * n % 7 + 3 * n % 5]));
    assert!(has(&sum, "x == -y + z"), "{:?}", facts(&sum));
    let equal = samples(["x", "y"], (0..9).map(|n| [n, n]));
    assert!(has(&equal, "x == y") && !has(&equal, "x <= y"));
    let ordered = samples(["x", "y"], (0..9).map(|n| [n, n + n % 3]));
    assert!(has(&ordered, "x <= y"));
    let strictly = samples(["x", "y"], (0..9).map(|n| [n + 1 + n % 3, n]));
    assert!(has(&strictly, "y < x"));
}

#[test]
fn arrays() {
    let mut sorted = Samples::new();
    for n in 0..10 {
        let array = vec![n, n + 1, n + 1, n + 5];
        let sum = array.iter().sum();
        sorted.add([
            ("a".to_owned(), Value::Array(array)),
            ("n".to_owned(), Value::Number(n)),
            ("s".to_owned(), Value::Number(sum)),
        ]);
    }
    for fact in ["a sorted by <=", "a elements >= 0", "a elements <= 14", "n in a", "s == sum(a)"] {
        assert!(has(&sorted, fact), "{fact}: {:?}", facts(&sorted));
    }
    assert!(!has(&sorted, "a sorted by <"));
}

#[test]
fn implications() {
    let split = samples(["b", "x", "y"], (0..30).map(|n| [n % 2, n, if n % 2 == 1 { n } else { 15 }]));
    assert!(has(&split, "(b == 1) ==> (x == y)"), "{:?}", facts(&split));
    assert!(has(&split, "(b == 0) ==> (y == 15)"));
}

#[test]
fn words_are_equal_or_not() {
    let mut samples = Samples::new();
    for n in 0..8 {
        let word = if n % 2 == 0 { "idle" } else { "busy" };
        samples.add([("mode".to_owned(), Value::Word(word.to_owned()))]);
    }
    assert_eq!(facts(&samples), ["mode one of { busy, idle }"]);
}

/// What is found holds of every sample; what is told of one set and not of the other is so.
#[test]
fn facts_are_true() {
    let mut found_any = 0;
    for_random_inputs(400, |random| {
        let draw = |random: &mut Random| {
            let mut samples = Samples::new();
            let shape = random.below(4);
            for _ in 0..random.below(30) {
                let x = i64::from(random.below(5)) - 2;
                let y = if shape == 0 { x + 1 } else { i64::from(random.below(5)) };
                let extreme = [i64::MIN, i64::MAX, 0][random.below(3) as usize];
                let array = (0..random.below(4)).map(|_| i64::from(random.below(3))).collect();
                let mut values = vec![
                    ("x".to_owned(), Value::Number(x)),
                    ("y".to_owned(), Value::Number(y)),
                    ("z".to_owned(), Value::Number(if shape == 1 { x - y } else { extreme })),
                    ("a".to_owned(), Value::Array(array)),
                ];
                values.retain(|_| !random.percent(3));
                samples.add(values);
            }
            samples
        };
        let (one, other) = (draw(random), draw(random));
        for is_exhaustive in [false, true] {
            for samples in [&one, &other] {
                for invariant in detect(samples, is_exhaustive) {
                    assert!(invariant.fact.holds_in_all(samples), "{}", invariant.fact);
                    found_any += 1;
                }
            }
            let compared = compare(&one, &other, is_exhaustive);
            assert!(compared.first.iter().all(|found| !found.fact.holds_in_all(&other)));
            assert!(compared.second.iter().all(|found| !found.fact.holds_in_all(&one)));
            assert!(
                compared
                    .both
                    .iter()
                    .all(|found| found.fact.holds_in_all(&one) && found.fact.holds_in_all(&other))
            );
        }
    });
    assert!(found_any > 1_000 || std::env::var_os("WHEREFORE_SEED").is_some());
}

#[test]
fn samples_for_daikon() {
    let mut samples = Samples::new();
    samples.add([
        ("x".to_owned(), Value::Number(-3)),
        ("my mode".to_owned(), Value::Word("id\"le".to_owned())),
        ("a[]".to_owned(), Value::Array(vec![1, 2])),
    ]);
    let points = [Point { name: "post sort", samples: &samples }];
    assert_eq!(
        declarations(&points),
        "decl-version 2.0\nvar-comparability none\n\nppt post\\_sort:::POINT\nppt-type point\n\
         variable x\n  var-kind variable\n  dec-type int\n  rep-type int\n  comparability 1\n\
         variable my\\_mode\n  var-kind variable\n  dec-type java.lang.String\n  rep-type java.lang.String\n  comparability 1\n\
         variable &a\n  var-kind variable\n  dec-type int[]\n  rep-type hashcode\n  comparability 1\n\
         variable a[..]\n  var-kind array\n  enclosing-var &a\n  array 1\n  dec-type int[]\n  rep-type int[]\n  comparability 1\n"
    );
    assert_eq!(
        data_trace(&points),
        "post\\_sort:::POINT\nx\n-3\n1\nmy\\_mode\n\"id\\\"le\"\n1\n&a\n1\n1\na[..]\n[1 2]\n1\n\n"
    );
}
