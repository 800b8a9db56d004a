//! What is needed to have the claims of a report tested again.

use findings::{Beyond, Verification};
use graph::{Fairness, Interrupt, Wrong};
use pipeline::request::{Asked, Host};
use verify::{Limits, ModelQuestion, NoSurvey, Report, Text};

use crate::disk::text_of;
use crate::question::Question;
use crate::searched::Searched;

/// How many states are explored where nobody says otherwise: naive code keeps them all.
const MOST_STATES: u64 = 1_000_000;

pub(crate) fn limits<'a>(question: &Question<'_>, host: &'a dyn Host) -> Limits<'a> {
    Limits { max_states: question.request.max_states.min(MOST_STATES), watch: host }
}

/// Tests what a report says of the ends of traces of a model; `read` reads another text in place of its own.
pub(crate) fn model<M: Searched>(
    question: &Question<'_>,
    report: &Report,
    model: &M,
    asked: &Asked,
    read: &dyn Fn(&str) -> Option<M>,
    host: &dyn Host,
) -> Verification {
    let is_fair = question.property.fairness.unwrap_or(Fairness::Weak) == Fairness::Weak;
    let is_asked = |wrong: &Wrong| asked.covers(wrong);
    let limits = limits(question, host);
    let survey = |text: &str| {
        let Some(changed) = read(text) else {
            return Err(NoSurvey::Unreadable("it has errors".to_owned()));
        };
        let asked = ModelQuestion {
            is_asked: &is_asked,
            invariant: None,
            is_fair,
            text: None,
            properties: &|_| None,
        };
        verify::survey(&changed, &changed.story(), asked, limits)
    };
    let own = text_of(question.input.bytes);
    let text = Some(Text { text: &own, survey: &survey });
    verify::model(
        report,
        model,
        &model.story(),
        ModelQuestion { is_asked: &is_asked, invariant: None, is_fair, text, properties: &|_| None },
        limits,
    )
}

pub(crate) fn interrupted(report: &Report, limit: Interrupt) -> Verification {
    verify::untestable(report, &Beyond::Interrupted(limit.to_string()))
}
