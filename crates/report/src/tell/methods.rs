//! The words in what each method found.

use findings::{
    Anomalies, CorrectTransitions, Diagnosis, Methods, Neighbourhoods, NoOrderCore, NoPatterns, Outcome,
    Untouched,
};

use super::changes::small_change;
use super::claims::{made, right_made};
use super::conditions::{link_reason, rules};
use super::skips::skip;
use super::{repairs, what};

/// The same results, with their words.
pub(super) fn methods(found: &Methods) -> Methods {
    let mut told = found.clone();
    outcome(told.neighbourhoods.as_mut(), neighbourhoods);
    outcome(told.anomalies.as_mut(), anomalies);
    outcome(told.correct_transitions.as_mut(), correct_transitions);
    outcome(told.variations.as_mut(), |_| {});
    outcome(told.diagnosis.as_mut(), diagnosis);
    // There are no words here for what methods found that are not known.
    told.more.values_mut().for_each(|more| outcome(more.as_mut(), |_| {}));
    told
}

fn outcome<F>(outcome: Option<&mut Outcome<F>>, tell: impl Fn(&mut F)) {
    match outcome {
        None => {}
        Some(Outcome::Skipped { skipped }) => skipped.tell(skip),
        Some(Outcome::Found(found)) => tell(found),
    }
}

fn neighbourhoods(found: &mut Neighbourhoods) {
    found.untouched.iter_mut().for_each(|why| why.tell(untouched));
}

fn untouched(why: &Untouched) -> String {
    match why {
        Untouched::DoomedFromTheStart => "no trace passes, so every step leads to failure".to_owned(),
        Untouched::PartedAtTheStart => {
            "no passing trace shares a prefix with it: passing traces begin with another step, after which failing is \
             still possible"
                .to_owned()
        }
        Untouched::PartedEarlier { step, event } => format!(
            "no passing trace follows it beyond step {step} (`{event}`), and who leaves it there can still fail, so \
             no state on it has a correct transition"
        ),
        Untouched::OnlyByCircling => {
            "along it the only way to pass is to repeat a cycle forever, so no state on it has a correct transition"
                .to_owned()
        }
        Untouched::NotExplored => {
            "too little was explored to tell where passing traces leave it".to_owned()
        }
    }
}

fn anomalies(found: &mut Anomalies) {
    found.links.iter_mut().for_each(|link| link.reason.tell(link_reason));
    found.no_order_core.iter_mut().for_each(|why| why.tell(|why| no_order_core(*why)));
    found.no_patterns.iter_mut().for_each(|why| why.tell(|why| no_patterns(*why)));
    let conditions = found.points_of_no_return.iter_mut().filter_map(|point| point.fatal_when.as_mut());
    conditions.for_each(|when| when.condition.tell(rules));
}

fn no_order_core(why: NoOrderCore) -> String {
    match why {
        NoOrderCore::NothingPasses => "no trace from the initial state passes",
        NoOrderCore::InPassingTraces => {
            "passing traces can have all of these events in the same order, with others in between"
        }
        NoOrderCore::TooLarge => "the limit of work was reached first",
    }
    .to_owned()
}

fn no_patterns(why: NoPatterns) -> String {
    match why {
        NoPatterns::NotSampled => "patterns are looked for in samples of traces: --mode sampled",
        NoPatterns::Limit => "the limit of work was reached before all were found",
    }
    .to_owned()
}

fn correct_transitions(found: &mut CorrectTransitions) {
    found.traces.iter_mut().for_each(|trace| trace.query.check.tell(what));
}

fn diagnosis(found: &mut Diagnosis) {
    for one in &mut found.diagnoses {
        let statements: Vec<String> = one.statements.iter().map(|statement| statement.text.clone()).collect();
        one.small_change.iter_mut().for_each(|change| change.tell(|small| small_change(small, &statements)));
        one.values.iter_mut().for_each(|value| value.what.tell(made));
        one.suggestion.iter_mut().for_each(|right| right.tell(right_made));
        one.repair.iter_mut().for_each(|repair| repair.tell(repairs::repair));
    }
}
