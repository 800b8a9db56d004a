//! What is needed to have the claims of a report tested again.

use findings::{Beyond, Verification};
use graph::{Fairness, Interrupt};
use pipeline::request::{Asked, Host};
use verify::{Limits, ModelQuestion, Report};

use crate::question::Question;
use crate::searched::Searched;

/// How many states are explored where nobody says otherwise: naive code keeps them all.
const MOST_STATES: u64 = 1_000_000;

pub(crate) fn limits<'a>(question: &Question<'_>, host: &'a dyn Host) -> Limits<'a> {
    Limits { max_states: question.request.max_states.min(MOST_STATES), watch: host }
}

/// Tests what a report says of the ends of traces of a model.
pub(crate) fn model<M: Searched>(
    question: &Question<'_>,
    report: &Report,
    model: &M,
    asked: &Asked,
    host: &dyn Host,
) -> Verification {
    let fairness = question.property.fairness.unwrap_or(Fairness::Weak);
    let asked = ModelQuestion {
        is_asked: &|wrong| asked.covers(wrong),
        is_fair: fairness == Fairness::Weak,
    };
    verify::model(report, model, &model.story(), asked, limits(question, host))
}

pub(crate) fn interrupted(report: &Report, limit: Interrupt) -> Verification {
    verify::untestable(report, &Beyond::Interrupted(limit.to_string()))
}
