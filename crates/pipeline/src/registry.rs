//! All methods, in the order in which they run. A new one is a file with an implementation of [`Method`], its name in
//! `findings::Method`, and a line here.

use findings::{Method as Name, Methods, Outcome, Skip};
use graph::Transitions;

use crate::anomalies::Anomalies;
use crate::correct_transitions::CorrectTransitions;
use crate::method::{Answer, Answered, GraphCase, Method};
use crate::naming::Naming;
use crate::variations::Variations;

pub(crate) type Standard = (Neighbourhoods, (Anomalies, (CorrectTransitions, (Variations, (Diagnosis, ())))));

/// Where passing traces part from failing ones. They are found on the way to the counterexample, which is chosen by them.
pub(crate) struct Neighbourhoods;

impl Method for Neighbourhoods {
    type Result = findings::Neighbourhoods;
    const NAME: Name = Name::Neighbourhoods;

    fn slot(methods: &mut Methods) -> &mut Option<Outcome<Self::Result>> {
        &mut methods.neighbourhoods
    }

    fn on_graph<T: Transitions + Naming>(case: &GraphCase<'_, T>) -> Answered<Self::Result> {
        let result = case.neighbourhoods.take().ok_or(Skip::NothingToExplain)?;
        let seconds = case.host.seconds() - case.started;
        Ok(Answer { result: findings::Neighbourhoods { seconds, ..result }, findings: Vec::new() })
    }
}

/// Statements that may be wrong. Whoever knows the text of a program or model looks for them, after everything else.
pub(crate) struct Diagnosis;

impl Method for Diagnosis {
    type Result = findings::Diagnosis;
    const NAME: Name = Name::Diagnosis;

    fn slot(methods: &mut Methods) -> &mut Option<Outcome<Self::Result>> {
        &mut methods.diagnosis
    }

    fn on_graph<T: Transitions + Naming>(_: &GraphCase<'_, T>) -> Answered<Self::Result> {
        Err(Skip::NoStatements)
    }
}
