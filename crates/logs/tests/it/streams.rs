//! Logs of any content and size: an answer or an error, with the right lines, whatever lies where blocks
//! are cut.

#![allow(clippy::unwrap_used)]

use std::num::NonZeroUsize;

use graph::Unwatched;
use logs::{Fields, Kind, Options, Source, contrast};
use proptest::prelude::*;

fn log(name: &str, text: impl Into<Vec<u8>>) -> [Source; 1] {
    [Source::of_bytes(name, text.into())]
}

fn options() -> Options {
    Options { threads: NonZeroUsize::new(2).unwrap(), ..Options::default() }
}

#[test]
fn lines_keep_their_numbers_over_many_blocks() {
    let mut text = String::new();
    for n in 1..=400_000 {
        text.push_str(if n == 300_007 { "odd\n" } else { "a line of some length\n" });
        if n % 1_000 == 0 {
            text.push('\n');
        }
    }
    let found = contrast(
        &log("good", "a line of some length\n".repeat(3)),
        &log("bad", text),
        &options(),
        &Unwatched,
    );
    let found = found.unwrap();
    assert_eq!((found.failing.events, found.failing.quality.lines), (400_000, 400_400));
    assert_eq!(found.count, 2);
    let first = &found.anomalies[0];
    assert_eq!((first.position, first.line), (300_006, 300_306));
    assert_eq!(first.unheard, [false, true]);
}

#[test]
fn quoted_line_breaks_may_lie_where_blocks_are_cut() {
    let mut text = String::from("id,event\n");
    let rows = 60_000;
    for n in 0..rows {
        let long = "x\n".repeat(n % 40);
        text.push_str(&format!("{n},\"event \"\"q\"\"\n{long}\"\n"));
    }
    assert!(text.len() > 3 << 20);
    let lines = text.lines().count() as u64;
    let found =
        contrast(&log("good.csv", "event\nstart\n"), &log("bad.csv", text), &options(), &Unwatched).unwrap();
    let quality = &found.failing.quality;
    assert_eq!((found.failing.events, quality.broken, quality.lines), (rows as u64, 0, lines));
}

#[test]
fn a_quote_too_many_breaks_one_row_and_not_the_rest() {
    let row = "1,some event\n";
    let text = format!("id,event\n{}2,\"never closed\n{}", row.repeat(200_000), row.repeat(200_000));
    let found =
        contrast(&log("good.csv", "event\nstart\n"), &log("bad.csv", text), &options(), &Unwatched).unwrap();
    assert_eq!((found.failing.events, found.failing.quality.broken), (400_000, 1));
    assert_eq!(found.failing.quality.examples[0].line, 200_002);
}

#[test]
fn overlong_lines_are_counted_and_left_out() {
    let text = [&b"a\n"[..], &vec![b'x'; 5 << 20], b"\nb\n"].concat();
    let found = contrast(&log("good", "b\na\n"), &log("bad", text), &options(), &Unwatched).unwrap();
    let quality = &found.failing.quality;
    assert_eq!((found.failing.events, quality.lines, quality.broken), (2, 3, 1));
    assert_eq!((quality.examples[0].line, found.anomalies[0].line), (2, 1));
}

fn any_log() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200),
        "[{}\\[\\]\":,a-c0-9\\n\\r\\\\ ;]{0,200}".prop_map(String::into_bytes),
        "(\\{\"(id|event|x)\":(\"[a-c]\"|1|null|\\{\"event\":2\\}),\"event\":\"[a-c]\"\\}\\n|[a-c,;\"]{0,9}\\n){0,20}"
            .prop_map(String::into_bytes),
        proptest::collection::vec(any::<u8>(), 0..100)
            .prop_map(|rest| [&b"\x28\xb5\x2f\xfd"[..], &rest].concat()),
        proptest::collection::vec(any::<u8>(), 0..100)
            .prop_map(|rest| [&b"\x1f\x8b\x08\0\0\0\0\0\0\xff"[..], &rest].concat()),
    ]
}

proptest! {
    // Every case starts threads.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_end_in_an_answer_or_an_error(
        good in any_log(),
        bad in any_log(),
        kind in prop_oneof![Just(None), Just(Some(Kind::Text)), Just(Some(Kind::Csv)), Just(Some(Kind::JsonLines))],
        event in prop_oneof![Just(None), Just(Some("event".to_owned())), Just(Some("2".to_owned()))],
        trace in prop_oneof![Just(None), Just(Some("id".to_owned())), Just(Some("1".to_owned()))],
        length in 1..5usize,
    ) {
        let fields = Fields { trace, process: None, event };
        let options = Options { kind, fields, length: Some(length), ..options() };
        if let Ok(found) = contrast(&log("good", good), &log("bad", bad), &options, &Unwatched) {
            prop_assert!(found.anomalies.len() as u64 == found.count);
            prop_assert!(found.anomalies.iter().all(|anomaly| anomaly.passing == 0 && anomaly.failing > 0));
        }
    }
}
