//! What came of the tests that a program ran on.

use findings::TestRuns;

use crate::wording::count;

/// How many tests are named.
const MOST_NAMED: usize = 8;

/// Which tests fail, and how many pass.
pub fn tests(told: &TestRuns) -> String {
    let all = count(told.count, "test");
    let passing = told.passing.len();
    if passing as u64 == told.count {
        return format!("tests: all {all} in {} pass", told.folder)
            .replace("all 1 test in", "the only test in");
    }
    let mut parts = Vec::new();
    let failing: Vec<&str> = told.failing.iter().map(|test| test.name.as_str()).collect();
    match (&failing[..], told.count) {
        ([], _) => parts.push(format!("none of {all} fails")),
        ([only], 1) => parts.push(format!("the only test, {only}, fails")),
        ([only], _) => parts.push(format!("test {only} of {} fails", told.count)),
        (some, _) => parts.push(format!("{} of {all} fail: {}", some.len(), named(some))),
    }
    if passing > 0 {
        parts.push(format!("{passing} {}", if passing == 1 { "passes" } else { "pass" }));
    }
    if let Some(first) = told.undecided.first() {
        let names: Vec<&str> = told.undecided.iter().map(|test| test.name.as_str()).collect();
        parts.push(format!("nothing is known of {}: {}", named(&names), first.why));
    }
    let explained = told.explained.as_ref().filter(|_| failing.len() > 1);
    let explained = explained.map_or_else(String::new, |name| format!("; the report explains test {name}"));
    format!("tests: {}{explained}", parts.join(", "))
}

fn named(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        _ if names.len() > MOST_NAMED => {
            format!("{} and {} more", names[..MOST_NAMED].join(", "), names.len() - MOST_NAMED)
        }
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod unit {
    use findings::FailingTest;

    use super::*;

    fn told(failing: &[&str], passing: &[&str]) -> String {
        let fails = |name: &&str| FailingTest {
            name: (*name).to_owned(),
            what: String::new(),
            location: None,
            output: None,
        };
        tests(&TestRuns {
            folder: "t".to_owned(),
            count: (failing.len() + passing.len()) as u64,
            passing: passing.iter().map(|name| (*name).to_owned()).collect(),
            failing: failing.iter().map(fails).collect(),
            undecided: Vec::new(),
            explained: failing.first().map(|name| (*name).to_owned()),
        })
    }

    #[test]
    fn failing_tests_are_named() {
        assert_eq!(told(&["4"], &["1", "2"]), "tests: test 4 of 3 fails, 2 pass");
        let some = "tests: 3 of 4 tests fail: 4, 7 and 9, 1 passes; the report explains test 4";
        assert_eq!(told(&["4", "7", "9"], &["1"]), some);
        assert_eq!(told(&[], &["1", "2"]), "tests: all 2 tests in t pass");
    }
}
