//! Steps of a counterexample as labels of transitions.

use findings::{Counterexample, Step};

/// How many steps lie before the loop, if there is one.
pub(crate) fn loop_start(trace: &Counterexample) -> Option<u32> {
    let start = u32::try_from(trace.loop_start?.checked_sub(1)?).ok()?;
    (u64::from(start) < trace.steps.len() as u64).then_some(start)
}

/// What a step is called, with the inputs it takes.
pub(crate) fn label(step: &Step) -> String {
    let mut label = step.event.clone();
    for value in &step.inputs {
        label.push_str(&format!(" ?{value}"));
    }
    label
}

/// The same taken apart. No statement of C ends with a question mark and a number.
pub(crate) fn label_and_inputs(label: &str) -> (&str, Vec<i64>) {
    let mut label = label;
    let mut inputs = Vec::new();
    while let Some((rest, value)) = label.rsplit_once(" ?")
        && let Ok(value) = value.parse()
    {
        label = rest;
        inputs.push(value);
    }
    inputs.reverse();
    (label, inputs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_stand_behind_the_label() {
        let label = "main:0 f(in(), x ? 1 : 2, in()) ?-3 ?9223372036854775807";
        assert_eq!(label_and_inputs(label), ("main:0 f(in(), x ? 1 : 2, in())", vec![-3, i64::MAX]));
        assert_eq!(label_and_inputs("ch ?x"), ("ch ?x", vec![]));
        assert_eq!(label_and_inputs(" ?7"), ("", vec![7]));
    }
}
