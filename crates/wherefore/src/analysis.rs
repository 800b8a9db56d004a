//! Check, then explain: the stages in their order, each allowed to run into a limit.
//!
//! Whatever a stage found before a limit stopped it is told; what it could not find is said to be
//! missing. So a report always comes out, and never claims more than was computed.

use explain::Counterexample;
use explain::neighbourhoods::Neighbourhoods;
use graph::{Exploration, Fates, Interrupt, Trace, Transitions, Watch, calmest_shortest};
use report::{Outcome, Report, Verdict};

use crate::causes::causes;
use crate::naming::Naming;
use crate::telling;

/// What surrounds an analysis: limits and signals, the clock, the memory meter.
pub trait Host: Watch {
    /// Seconds since the command started.
    fn seconds(&self) -> f64;
    fn peak_bytes(&self) -> Option<u64>;
}

/// What is asked.
#[derive(Debug)]
pub struct Request {
    pub input: report::Input,
    pub property: report::Property,
    pub max_states: u64,
    /// Explain this trace instead of a shortest one.
    pub trace: Option<Trace>,
    /// Whether to run the method at all, or only check.
    pub neighbourhoods: bool,
    /// Whether to list every coloured edge.
    pub edges: bool,
    /// How many neighbourhoods to list.
    pub most_listed: usize,
}

impl Request {
    pub(crate) fn is_deadlock(&self) -> bool {
        self.property.kind == "deadlock"
    }
}

pub fn analyse<T: Transitions + Naming>(system: &T, request: Request, host: &dyn Host) -> Report {
    let mut explored = Exploration::new(system, request.max_states, host);
    let mut report = telling::blank(&request);
    telling::exploration(&mut report, &request, &explored);
    match (report.verdict, request.neighbourhoods) {
        (Verdict::Violated, true) => explain(system, &mut explored, &request, &mut report, host),
        (Verdict::Violated, false) => report.counterexample = unexplained(system, &explored, &request),
        (_, true) => {
            let skipped = "there is no counterexample to explain".to_owned();
            report.methods.neighbourhoods = Some(Outcome::Skipped { skipped });
        }
        (_, false) => {}
    }
    report.statistics.seconds = host.seconds();
    report.statistics.peak_bytes = host.peak_bytes();
    report
}

fn explain<T: Transitions + Naming>(
    system: &T,
    explored: &mut Exploration,
    request: &Request,
    report: &mut Report,
    host: &dyn Host,
) {
    let started = host.seconds();
    explored.go_beyond(system, request.max_states, host);
    let weighed = Fates::new(system, explored, host).and_then(|fates| {
        let labels = system.labels().len();
        let found = Neighbourhoods::new(system, labels, explored, &fates, host)?;
        Ok((fates, found))
    });
    let (fates, found) = match weighed {
        Ok(weighed) => weighed,
        Err(interrupt) => {
            report.counterexample = unexplained(system, explored, request);
            report.statistics.complete = false;
            report.methods.neighbourhoods = Some(Outcome::Skipped { skipped: interrupt.to_string() });
            return;
        }
    };
    report.statistics.complete = explored.interrupt().is_none();
    report.fates = Some(telling::fates(fates.count(system, explored)));
    let given = request.trace.clone();
    let Some(trace) = given.or_else(|| calmest_shortest(system, explored, |state| found.is_frontier(state)))
    else {
        return;
    };
    let counterexample = Counterexample::new(system, explored, &fates, &found, trace);
    report.causes = causes(system, &counterexample, host);
    report.counterexample = Some(telling::counterexample(system, request, &counterexample));
    let mut told = telling::neighbourhoods(system, explored, request, &fates, &found, &counterexample);
    told.seconds = host.seconds() - started;
    report.methods.neighbourhoods = Some(Outcome::Found(Box::new(told)));
}

/// A counterexample of which only the steps are known.
fn unexplained<T: Transitions + Naming>(
    system: &T,
    explored: &Exploration,
    request: &Request,
) -> Option<report::Counterexample> {
    let trace = request.trace.clone().or_else(|| calmest_shortest(system, explored, |_| false))?;
    Some(telling::bare_counterexample(system, request, &trace))
}

/// The report on an input that was not even read to its end.
pub fn unread(request: &Request, interrupt: Interrupt, host: &dyn Host) -> Report {
    let mut report = telling::blank(request);
    report.reason = format!("the input was not read to its end: {interrupt}");
    report.statistics.seconds = host.seconds();
    report.statistics.peak_bytes = host.peak_bytes();
    report
}
