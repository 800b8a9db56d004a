//! Traces of TLC, as `-dumpTrace json` writes them (TLC 1.8 and later).
//!
//! The file is TLC's `CounterExample`: `state` has every state with its number, `action` every step from a
//! numbered state to another, with the name of its action. A step back to an earlier state closes a loop. The names are the labels of the state graph that TLC dumps; the values tell apart steps of
//! the same name.
//!
//! TLC writes sets, sequences and functions both as arrays and objects, so values are compared by the words
//! they consist of, in any order.

use std::collections::BTreeMap;

use anyhow::Result;
use findings::Counterexample;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::labels::{label, loop_start};

/// The words of a value, sorted.
type Words = Vec<String>;

/// What a state of a trace must look like.
pub(crate) type StateWords = BTreeMap<String, Words>;

#[derive(Deserialize)]
struct File {
    /// Where other things are written beside it, the counterexample has a name.
    counterexample: Option<CounterExample>,
    #[serde(flatten)]
    plain: Option<CounterExample>,
}

#[derive(Deserialize)]
struct CounterExample {
    action: Vec<(Numbered, Action, Numbered)>,
    state: Vec<Numbered>,
}

#[derive(Deserialize)]
struct Numbered(u64, Map<String, Value>);

#[derive(Deserialize)]
struct Action {
    name: String,
}

/// A trace of TLC.
#[derive(Debug)]
pub(crate) struct TlcTrace {
    pub(crate) labels: Vec<String>,
    /// What its states look like, one more than there are labels.
    pub(crate) looks: Vec<StateWords>,
    /// The step that closes a loop, and how many steps lie before the state it leads to.
    pub(crate) back: Option<(String, usize)>,
}

/// Nothing if this is no file of TLC.
pub(crate) fn read(bytes: &[u8]) -> Option<TlcTrace> {
    let File { counterexample, plain } = serde_json::from_slice(bytes).ok()?;
    let CounterExample { mut action, mut state } = counterexample.or(plain)?;
    let closing = action.iter().find(|(from, _, to)| from.0 >= to.0);
    let closing = closing.map(|(_, action, to)| (action.name.clone(), to.0));
    action.retain(|(from, _, to)| from.0 < to.0);
    action.sort_by_key(|(from, ..)| from.0);
    // Some versions leave out states that are told with the actions.
    for (from, _, to) in &action {
        for Numbered(number, values) in [from, to] {
            if !state.iter().any(|known| known.0 == *number) {
                state.push(Numbered(*number, values.clone()));
            }
        }
    }
    state.sort_by_key(|numbered| numbered.0);
    let back = closing.map(|(name, to)| (name, action.iter().filter(|(from, ..)| from.0 < to).count()));
    let labels = action.into_iter().map(|(_, action, _)| action.name).collect();
    let looks = state.into_iter().map(|Numbered(_, values)| {
        values.into_iter().map(|(name, value)| (name, words_of_json(&value))).collect()
    });
    Some(TlcTrace { labels, looks: looks.collect(), back })
}

/// A counterexample of ours as TLC writes one. Values are numbers, truth values or strings in the words of the system.
pub(crate) fn write(trace: &Counterexample) -> Result<String> {
    let mut values: BTreeMap<&str, &str> =
        trace.initial.iter().map(|(name, value)| (&**name, &**value)).collect();
    let mut state = vec![(1, told(&values))];
    for (number, step) in (2_u64..).zip(&trace.steps) {
        for (name, [_, new]) in &step.changes {
            match new {
                Some(new) => _ = values.insert(name, new),
                None => _ = values.remove(&**name),
            }
        }
        state.push((number, told(&values)));
    }
    let back = loop_start(trace);
    if back.is_some() {
        // The last state is the one in which the loop began.
        state.pop();
    }
    let target = |at: usize| state.get(at + 1).or_else(|| state.get(back? as usize));
    let action = trace.steps.iter().enumerate().map(|(at, step)| {
        let location = step.location.as_ref().map(
            |place| json!({ "module": place.file, "beginLine": place.line, "beginColumn": place.column }),
        );
        (state.get(at), json!({ "name": label(step), "location": location }), target(at))
    });
    let action: Vec<_> = action.collect();
    let written = Written { counterexample: WrittenTrace { action: &action, state: &state } };
    Ok(serde_json::to_string_pretty(&written)? + "\n")
}

#[derive(Serialize)]
struct Written<A, S> {
    counterexample: WrittenTrace<A, S>,
}

#[derive(Serialize)]
struct WrittenTrace<A, S> {
    action: A,
    state: S,
}

fn told<'t>(values: &BTreeMap<&'t str, &str>) -> BTreeMap<&'t str, Value> {
    values.iter().map(|(name, value)| (*name, as_json(value))).collect()
}

fn as_json(value: &str) -> Value {
    match value {
        "TRUE" | "true" => Value::Bool(true),
        "FALSE" | "false" => Value::Bool(false),
        _ => match (value.parse::<i64>(), value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))) {
            (Ok(number), _) => number.into(),
            (_, Some(text)) if !text.contains('"') => text.into(),
            _ => value.into(),
        },
    }
}

fn words_of_json(value: &Value) -> Words {
    let mut words = Vec::new();
    collect(value, &mut words);
    words.sort_unstable();
    words
}

/// JSON that is read has no more than 128 levels.
fn collect(value: &Value, words: &mut Words) {
    match value {
        Value::Null => {}
        Value::Bool(value) => words.push(if *value { "TRUE" } else { "FALSE" }.to_owned()),
        Value::Number(number) => words.push(number.to_string()),
        Value::String(text) => split(text, words),
        Value::Array(values) => values.iter().for_each(|value| collect(value, words)),
        Value::Object(members) => {
            for (name, value) in members {
                split(name, words);
                collect(value, words);
            }
        }
    }
}

fn split(text: &str, words: &mut Words) {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let parts = text.split(|c| !is_part(c)).filter(|word| !word.is_empty() && *word != "-");
    words.extend(parts.map(str::to_owned));
}

/// Whether values as TLC prints them look like this.
pub(crate) fn looks_like(look: &StateWords, values: &BTreeMap<String, String>) -> bool {
    look.iter().all(|(name, expected)| {
        values.get(name).is_none_or(|value| {
            let mut words = Vec::new();
            split(value, &mut words);
            words.sort_unstable();
            words == *expected
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = r#"{"action":[
        [[2,{"x":1,"q":["a"]}],{"name":"Put","location":{"beginLine":3}},[3,{"x":2,"q":["a","b"]}]],
        [[1,{"x":0,"q":[]}],{"name":"Start"},[2,{"x":1,"q":["a"]}]],
        [[3,{"x":2,"q":["a","b"]}],{"name":"Back"},[2,{"x":1,"q":["a"]}]]],
        "state":[[1,{"x":0,"q":[]}],[2,{"x":1,"q":["a"]}]]}"#;

    #[test]
    fn steps_are_put_in_order_and_loops_told_apart() {
        for text in [TRACE.to_owned(), format!(r#"{{"counterexample":{TRACE},"vars":["x"]}}"#)] {
            let TlcTrace { labels, looks, back } = read(text.as_bytes()).unwrap();
            assert_eq!((labels, looks.len()), (vec!["Start".to_owned(), "Put".to_owned()], 3));
            assert_eq!(back, Some(("Back".to_owned(), 1)));
        }
        assert!(read(b"{\"steps\":[]}").is_none());
        assert!(read(b"[]").is_none());
    }

    #[test]
    fn values_are_compared_by_their_words() {
        let TlcTrace { looks, .. } = read(TRACE.as_bytes()).unwrap();
        let values = |x: &str, q: &str| {
            BTreeMap::from([("x".to_owned(), x.to_owned()), ("q".to_owned(), q.to_owned())])
        };
        assert!(looks_like(&looks[2], &values("2", r#"<<"a", "b">>"#)));
        assert!(looks_like(&looks[2], &values("2", r#"{"b", "a"}"#)));
        assert!(!looks_like(&looks[2], &values("2", r#"<<"a">>"#)));
        assert!(!looks_like(&looks[0], &values("-1", "<<>>")));
        let record = words_of_json(&serde_json::json!({"pos": -1, "on": true}));
        let mut printed = Vec::new();
        split("[on |-> TRUE, pos |-> -1]", &mut printed);
        printed.sort_unstable();
        assert_eq!(record, printed);
    }
}
