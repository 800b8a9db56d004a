//! Goes through the claims of a report and has each tested by whoever knows its kind.

use std::collections::BTreeMap;

use findings::{Beyond, TestResult, Verification, Witness};
use graph::{StateGraph, Story, System};

use crate::case::{Case, Followed, Tested, result, same, unknown};
use crate::correct::{Check, ErrorEdge, Values};
use crate::deferred::Deferred;
use crate::entries::{Entry, What, entries};
use crate::fates::Fates;
use crate::model::Model;
use crate::needed::Needed;
use crate::net::Net;
use crate::pattern::Pattern;
use crate::product::{Automaton, product};
use crate::raw::TooLarge;
use crate::repair::{NoSurvey, Survey, Text};
use crate::replaced::Replaced;
use crate::report::{Counterexample, Patch, Report};
use crate::says::{Anomaly, Between, Crossing, Decision, Says};
use crate::verdict::{self, ViolationClass};
use crate::words::{States, Words};
use crate::{
    Limits, ModelQuestion, Properties, anomaly, correct, crossing, decision, deferred, diagnosis,
    fate_counts, needed, neighbourhoods, pattern, repair, replaced, replay, untestable, variation, without,
};

/// A net in which one violation is explained, and all that is known of it.
struct Ground {
    net: Net,
    fates: Fates,
    live: BTreeMap<usize, u64>,
}

impl Ground {
    fn new(net: Net, is_fair: bool) -> Self {
        Self { fates: Fates::new(&net, is_fair), live: net.live(), net }
    }

    fn has_target(&self) -> bool {
        self.live.keys().any(|node| self.net.is_target(*node))
    }
}

/// The figures of a search.
struct Figures {
    states: u64,
    max_depth: u64,
}

pub(crate) fn model<S: System>(
    report: &Report,
    system: &S,
    story: &dyn Story,
    question: ModelQuestion<'_>,
    limits: Limits<'_>,
) -> Verification {
    let found =
        Model::new(system, story, question.is_asked, question.invariant, (limits.max_states, limits.watch));
    let model = match found {
        Ok(model) if model.is_unknowable() => return untestable(report, &Beyond::Unknowable),
        Ok(model) => model,
        Err(TooLarge::States(most)) => return untestable(report, &Beyond::States(most)),
        Err(TooLarge::Interrupted(why)) => return untestable(report, &Beyond::Interrupted(why.to_string())),
    };
    let numbered = model.classes.iter().enumerate().filter(|(_, class)| class.is_asked);
    let found: Vec<ViolationClass> =
        numbered.map(|(number, class)| ViolationClass::of(class, number)).collect();
    let raw = &model.raw;
    let figures = Figures {
        states: raw.uninterrupted.iter().filter(|inside| !**inside).count() as u64,
        max_depth: raw.depth.iter().copied().max().unwrap_or_default(),
    };
    let explained = |id: Option<u64>| {
        let told = match id {
            Some(id) => report.violations.iter().find(|told| told.id == id)?,
            None => report.violations.first()?,
        };
        Some(verdict::violation(told, &found).ok()?.class)
    };
    let ground = |class: usize| {
        let ground = Ground::new(model.net(class, false, false), question.is_fair);
        if ground.has_target() {
            ground
        } else {
            Ground::new(model.net(class, true, false), question.is_fair)
        }
    };
    let others = report.others.iter().map(|other| explained(Some(other.violation)).map(&ground));
    Judge {
        report,
        found: &found,
        figures,
        main: explained(report.explained).map(&ground),
        others: others.collect(),
        words: &model,
        is_fair: question.is_fair,
        text: question.text,
        properties: question.properties,
    }
    .all()
}

/// What a changed model does.
pub(crate) fn survey<S: System>(
    system: &S,
    story: &dyn Story,
    question: ModelQuestion<'_>,
    limits: Limits<'_>,
) -> Result<Survey, NoSurvey> {
    let within = (limits.max_states, limits.watch);
    let model = match Model::new(system, story, question.is_asked, question.invariant, within) {
        Ok(model) if model.is_unknowable() => return Err(NoSurvey::TooLarge(Beyond::Unknowable)),
        Ok(model) => model,
        Err(TooLarge::States(most)) => return Err(NoSurvey::TooLarge(Beyond::States(most))),
        Err(TooLarge::Interrupted(why)) => {
            return Err(NoSurvey::TooLarge(Beyond::Interrupted(why.to_string())));
        }
    };
    let asked = model.classes.iter().enumerate().filter(|(_, class)| class.is_asked);
    let wrong = asked.map(|(number, class)| {
        let found = ViolationClass::of(class, number);
        repair::of_violation(&found.kind, found.location.as_ref())
    });
    let ground = Ground::new(model.net(usize::MAX, false, false), question.is_fair);
    let passes = ground.net.initial.iter().any(|node| ground.fates.can_pass[*node]);
    Ok(Survey { wrong: wrong.collect(), passes })
}

pub(crate) fn transition_system(
    report: &Report,
    graph: &StateGraph,
    automaton: Automaton<'_>,
    limits: Limits<'_>,
) -> Verification {
    let Some((net, of)) = product(graph, automaton, limits.max_states) else {
        return untestable(report, &Beyond::States(limits.max_states));
    };
    let ground = Ground::new(net, false);
    let violating: Vec<u64> = ground
        .live
        .iter()
        .filter(|(node, _)| ground.net.is_target(**node))
        .map(|(_, depth)| *depth)
        .collect();
    let found = violating.iter().min().map(|shortest| ViolationClass {
        kind: report.property.kind.clone(),
        text: None,
        location: None,
        count: violating.len() as u64,
        shortest: *shortest,
        class: 0,
    });
    let found: Vec<ViolationClass> = found.into_iter().collect();
    let figures = Figures {
        states: ground.live.len() as u64,
        max_depth: ground.live.values().copied().max().unwrap_or_default(),
    };
    let words = States { graph, of };
    Judge {
        report,
        found: &found,
        figures,
        main: Some(ground),
        others: Vec::new(),
        words: &words,
        is_fair: false,
        text: None,
        properties: &|_| None,
    }
    .all()
}

struct Judge<'a> {
    report: &'a Report,
    found: &'a [ViolationClass],
    figures: Figures,
    main: Option<Ground>,
    others: Vec<Option<Ground>>,
    words: &'a dyn Words,
    is_fair: bool,
    text: Option<Text<'a>>,
    properties: Properties<'a>,
}

impl Judge<'_> {
    fn all(&self) -> Verification {
        let main = self.case(self.main.as_ref(), self.report.counterexample.as_ref());
        let others: Vec<_> = self
            .others
            .iter()
            .zip(&self.report.others)
            .map(|(ground, other)| self.case(ground.as_ref(), other.counterexample.as_ref()))
            .collect();
        let claims = entries(self.report).into_iter().map(|entry| {
            let case = match entry.other {
                None => main.as_ref(),
                Some(at) => others.get(at).and_then(Option::as_ref),
            };
            let tested = match self.test(&entry, case, main.as_ref()) {
                TestResult::Refuted(_) if self.is_partial() && counts_what_was_seen(&entry.what) => {
                    TestResult::TooLarge(Beyond::PartialReport)
                }
                tested => tested,
            };
            entry.tested(tested)
        });
        Verification { claims: claims.collect() }
    }

    /// A violation that is explained, with its counterexample followed, and what came of that.
    fn case<'s>(
        &'s self,
        ground: Option<&'s Ground>,
        told: Option<&Counterexample>,
    ) -> Option<(Case<'s>, Result<Followed, Witness>)> {
        let Ground { net, fates, live } = ground?;
        let case =
            Case { net, fates, words: self.words, live: live.clone(), trace: None, is_fair: self.is_fair };
        let followed =
            told.map_or_else(|| Err(unknown("a counterexample")), |told| replay::follow(&case, told));
        let trace = followed.as_ref().ok().cloned();
        Some((Case { trace, ..case }, followed))
    }

    fn test(
        &self,
        entry: &Entry<'_>,
        case: Option<&(Case<'_>, Result<Followed, Witness>)>,
        main: Option<&(Case<'_>, Result<Followed, Witness>)>,
    ) -> TestResult {
        match entry.what {
            What::Verdict => return verdict::verdict(self.report, self.found),
            What::OtherProperty(told) => return verdict::of_other(told, self.properties),
            What::Statistics => return self.statistics(),
            What::Violation(told) => {
                return match verdict::violation(told, self.found) {
                    Err(witness) => TestResult::Refuted(witness),
                    Ok(_) if self.is_partial() => TestResult::TooLarge(Beyond::PartialReport),
                    Ok(found) => result(verdict::numbers(told, found)),
                };
            }
            What::AllViolations if self.is_partial() => return TestResult::TooLarge(Beyond::PartialReport),
            What::AllViolations => return result(verdict::all_told(self.report, self.found)),
            _ => {}
        }
        let Some((case, followed)) = case else {
            return TestResult::Refuted(unknown("the violation that this is about"));
        };
        result(match entry.what {
            What::Fates(told) if self.is_partial() && told.unknown > 0 => {
                return TestResult::TooLarge(Beyond::PartialReport);
            }
            What::Fates(told) => fate_counts::fates(case, told),
            What::Steps => followed.clone().map(|_| ()),
            What::Ending(told) => replay::ending(case, told),
            What::Without(told) => without::without(case, told),
            What::SameCause(told) => match main {
                Some((main, _)) => without::same_cause(main, case, told),
                None => return TestResult::NotTested,
            },
            What::Repair(told) => return self.repair(told, entry.other),
            What::Claim { says: Some(says), steps, repair } => match (says.kind.as_str(), repair) {
                ("repair" | "may-be-wrong", _) => match says.read::<repair::Claimed>() {
                    Ok(told) => return self.repair(&told.repair, entry.other),
                    Err(error) => Err(unknown(&format!("a repair: {error}"))),
                },
                ("suggested", Some(told)) => return self.repair(told, entry.other),
                ("separates-variations" | "only-failing", _) => {
                    return variation::claim(case, says, self.listed(entry.other));
                }
                ("diagnosis", _) => return diagnosis::diagnosis(case, says),
                _ => match self.claim(case, says, steps) {
                    Some(tested) => tested,
                    None => return TestResult::NotTested,
                },
            },
            What::Coverage(says) => {
                match says.read::<Pattern>().ok().and_then(|told| pattern::coverage(case, &told)) {
                    Some(tested) => tested,
                    None => return TestResult::NotTested,
                }
            }
            What::Method { name: "neighbourhoods", result } => match neighbourhoods::counts(case, result) {
                Some(tested) => tested,
                None => return TestResult::NotTested,
            },
            What::Method { name: "anomalies", result } => match anomalies(case, result) {
                Some(tested) => tested,
                None => return TestResult::NotTested,
            },
            What::Method { name: "variations", result } => match variation::listed(case, result) {
                Some(tested) => tested,
                None => return TestResult::NotTested,
            },
            _ => return TestResult::NotTested,
        })
    }

    /// The variations that the report lists of a violation.
    fn listed(&self, other: Option<usize>) -> Option<&serde_json::Value> {
        if other.is_some() { None } else { self.report.methods.get("variations") }
    }

    /// Whether the report says of itself that it did not see everything.
    fn is_partial(&self) -> bool {
        !self.report.statistics.complete || self.report.statistics.reduction == "por"
    }

    /// Tests a change of the text.
    fn repair(&self, told: &Patch, other: Option<usize>) -> TestResult {
        let id = other.map_or(self.report.explained, |at| Some(self.report.others[at].violation));
        let mut told_of = self.report.violations.iter();
        let explained = told_of.find(|violation| id.is_none_or(|id| violation.id == id));
        let Some(explained) = explained else {
            return TestResult::Refuted(unknown("the violation that the repair is for"));
        };
        let wrong = |kind: &str, at: Option<&crate::report::ReportedPlace>| repair::of_violation(kind, at);
        let mut before: Vec<_> =
            self.found.iter().map(|found| wrong(&found.kind, found.location.as_ref())).collect();
        before.extend(verdict::wrong_elsewhere(self.report, self.properties));
        let explained = wrong(&explained.kind, explained.location.as_ref());
        repair::repair(told, self.text, &before, &explained)
    }

    /// Tests a claim; nothing where there is no test for its kind.
    fn claim(&self, case: &Case<'_>, says: &Says, steps: &[u64]) -> Option<Tested> {
        let checks: Vec<Check> =
            self.found.iter().map(|found| (found.text.clone(), found.location.clone())).collect();
        claim(case, says, steps, &checks)
    }

    fn statistics(&self) -> TestResult {
        // Other engines do not count states.
        if self.report.engine != "explicit" {
            return TestResult::NotTested;
        }
        if self.is_partial() {
            return TestResult::TooLarge(Beyond::PartialReport);
        }
        let told = &self.report.statistics;
        let states = same("states", &told.states, &self.figures.states);
        result(states.and_then(|()| same("max_depth", &told.max_depth, &self.figures.max_depth)))
    }
}

/// Whether a claim counts states or steps. A report that did not see all of them counts those that it saw; whatever else it
/// says has to be true of the whole input.
fn counts_what_was_seen(what: &What<'_>) -> bool {
    match what {
        What::Statistics
        | What::AllViolations
        | What::Fates(_)
        | What::Without(_)
        | What::SameCause(_)
        | What::Coverage(_)
        | What::Method { .. } => true,
        What::Claim { says: Some(says), .. } => says.kind == "crossing",
        _ => false,
    }
}

fn claim(case: &Case<'_>, says: &Says, steps: &[u64], checks: &[Check]) -> Option<Tested> {
    let malformed = |error: serde_json::Error| Err(unknown(&format!("a claim `{}`: {error}", says.kind)));
    Some(match says.kind.as_str() {
        kind @ ("point-of-no-return" | "only-the-violation") => match says.read::<Decision>() {
            Err(error) => malformed(error),
            Ok(told) if told.is_endless => return None,
            Ok(told) => decision::point_of_no_return(case, &told, kind == "only-the-violation"),
        },
        "doomed" => decision::doomed(case),
        "crossing" => match says.read::<Crossing>() {
            Err(error) => malformed(error),
            Ok(told) => crossing::crossing(case, &told, steps),
        },
        "anomaly" => match says.read::<Anomaly>() {
            Err(error) => malformed(error),
            Ok(told) => {
                let takes_part = |process: u64, event: usize| {
                    case.net.events[event].actors.iter().any(|actor| u64::from(*actor) == process)
                };
                let (names, at) = (&told.events, &told.steps);
                match told.between {
                    Between::Nothing => anomaly::only_failing(case, names, at, &|_| true),
                    Between::OtherProcesses { than } => {
                        anomaly::only_failing(case, names, at, &|event| takes_part(than, event))
                    }
                    Between::Uncounted => return None,
                }
            }
        },
        "deferred" => match says.read::<Deferred>() {
            Err(error) => malformed(error),
            Ok(told) => deferred::deferred(case, &told),
        },
        "needed" => match says.read::<Needed>() {
            Err(error) => malformed(error),
            Ok(told) => needed::needed(case, &told),
        },
        "error-edge" => match says.read::<ErrorEdge>() {
            Err(error) => malformed(error),
            Ok(told) => correct::error_edge(case, &told, steps, checks),
        },
        "values" => match says.read::<Values>() {
            Err(error) => malformed(error),
            Ok(told) => correct::values(case, &told, steps, checks),
        },
        "replaced" => match says.read::<Replaced>() {
            Err(error) => malformed(error),
            Ok(told) => replaced::replaced(case, &told),
        },
        "pattern" => match says.read::<Pattern>() {
            Err(error) => malformed(error),
            Ok(told) => pattern::cast(case, &told),
        },
        _ => return None,
    })
}

/// The anomalies that a report lists: no passing trace has one.
fn anomalies(case: &Case<'_>, result: &serde_json::Value) -> Option<Tested> {
    if result.get("exactness")?.as_str()? != "exact" || result.get("order")?.as_str()? != "trace" {
        return None;
    }
    let list = result.get("anomalies")?.as_array()?;
    let test = |one: &serde_json::Value| -> Option<Tested> {
        let events = one.get("events")?.as_array()?.iter();
        let names: Option<Vec<String>> =
            events.map(|event| Some(event.get("event")?.as_str()?.to_owned())).collect();
        Some(anomaly::in_no_passing_trace(case, &names?))
    };
    let tested: Option<Vec<Tested>> = list.iter().map(test).collect();
    Some(tested?.into_iter().collect())
}
