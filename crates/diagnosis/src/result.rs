//! What a diagnosis found, in the words of the program.

use encode::unwind::Write;
use findings::{
    Claim, Exactness, Explanation, Finding, How, InputsOfTrace, Made, RecheckResult, RightMade, RightValue,
    SuspectEvidence, SuspectStatement, Suspects, Worded,
};
use model::StatementKind;

use crate::formula::TraceFormula;
use crate::program::ProgramDiagnosis;
use crate::suspects::edge;
use crate::text::Text;

/// How many values of one diagnosis are told, and how many diagnoses become causes.
const MOST_VALUES: usize = 20;
const MOST_CAUSES: usize = 3;

fn line(text: &dyn Text, statement: u32) -> u64 {
    text.location(statement).map_or(0, |at| at.line)
}

/// The lines of statements, in order.
fn lines(text: &dyn Text, statements: &[u32]) -> Vec<u64> {
    let mut lines: Vec<u64> = statements.iter().map(|statement| line(text, *statement)).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

fn statement(text: &dyn Text, number: u32) -> SuspectStatement {
    SuspectStatement {
        text: text.program().statements[number as usize].text.clone(),
        location: text.location(number),
    }
}

/// What a statement makes: the variable it writes, as it is written, or its condition.
fn made(text: &dyn Text, number: u32) -> Made {
    let statement = &text.program().statements[number as usize];
    let told = statement.text.as_str();
    match statement.kind {
        StatementKind::Branch => Made::Written(told.to_owned()),
        StatementKind::Return => Made::Returned(told.to_owned()),
        _ => {
            target(told).map_or_else(|| Made::By(told.to_owned()), |target| Made::Written(target.to_owned()))
        }
    }
}

/// What stands left of an assignment.
fn target(told: &str) -> Option<&str> {
    let bytes = told.as_bytes();
    let assigns = |at: &usize| {
        bytes[*at] == b'='
            && bytes.get(at + 1) != Some(&b'=')
            && !at
                .checked_sub(1)
                .is_some_and(|before| b"=!<>".contains(&bytes[before]) && !is_shift(bytes, before))
    };
    let left = match (0..bytes.len()).find(assigns) {
        Some(at) => &told[..at],
        None => told.strip_suffix("++").or_else(|| told.strip_suffix("--"))?,
    };
    let left = left.trim_end_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>', ' ']);
    // Of a declaration, the name; of an element, all of it.
    let name = left.rsplit([' ', '*']).find(|word| !word.is_empty())?;
    Some(if left.contains('[') || left.contains('>') { left } else { name })
}

fn is_shift(bytes: &[u8], at: usize) -> bool {
    matches!(bytes[at], b'<' | b'>') && at > 0 && bytes[at - 1] == bytes[at]
}

/// What the statements of a diagnosis made on the failing trace, and what they should have made.
pub(crate) fn values(
    text: &dyn Text,
    formula: &TraceFormula<'_, '_>,
    failing: &[i64],
    right: &[(usize, i64)],
) -> Vec<RightValue> {
    let mut told = Vec::new();
    for (number, right) in right {
        let Some(failing) = failing.get(*number) else { continue };
        let Write { at, .. } = formula.traced.writes[*number];
        let statement = formula.statement(at);
        let is_branch = text.program().statements[statement as usize].kind == StatementKind::Branch
            && edge(formula.unwinder.program(), at).outcome.is_some();
        // Of a branch that went to its second side, the condition is the opposite.
        let word = |value: i64| match is_branch {
            true if (value != 0)
                == (edge(formula.unwinder.program(), at).outcome != Some(model::Outcome::False)) =>
            {
                "true".to_owned()
            }
            true => "false".to_owned(),
            false => value.to_string(),
        };
        if failing != right && told.len() < MOST_VALUES {
            told.push(RightValue {
                line: line(text, statement),
                what: made(text, statement).into(),
                failing: word(*failing),
                right: word(*right),
            });
        }
    }
    told
}

pub(crate) fn suggestion(text: &dyn Text, statement: u32, right: &str) -> RightMade {
    RightMade { made: made(text, statement), right: right.to_owned(), line: line(text, statement) }
}

/// The assignment that would make the right value, where the statement is one.
pub(crate) fn change(text: &dyn Text, statement: u32, right: &str) -> Option<String> {
    let statement = &text.program().statements[statement as usize];
    match statement.kind {
        StatementKind::Assignment | StatementKind::Declaration => {
            Some(format!("{} = {right}", target(&statement.text)?))
        }
        StatementKind::Return => Some(format!("return {right}")),
        _ => None,
    }
}

pub(crate) fn told(text: &dyn Text, found: &ProgramDiagnosis, seconds: f64) -> findings::Diagnosis {
    let likely = crate::ranking::likely(&found.suspicions);
    let suspicions =
        found.suspicions.iter().zip(likely).zip(1..).map(|((one, likely), rank)| findings::Suspicion {
            rank,
            likely,
            small_change: one.told_change().map(Worded::from),
            lines: lines(text, &one.statements),
            statements: one.statements.iter().map(|number| statement(text, *number)).collect(),
            transitive: lines(text, &one.transitive),
            redundant: one.redundant,
            values: one.values.clone(),
            suggestion: one.suggestion.clone().map(Worded::from),
            change: one.change.clone(),
            explains: one.explained() as u64,
            scope: one.scope,
            repair: None,
        });
    let constraint = |number: &u32| {
        let SuspectStatement { text, location } = statement(text, *number);
        findings::Constraint { text, location }
    };
    findings::Diagnosis {
        seconds,
        exactness: Exactness::of(found.complete),
        constraints: found.constraints.iter().map(constraint).collect(),
        inputs: if found.fixed { InputsOfTrace::Fixed } else { InputsOfTrace::Symbolic },
        suspects: found.suspects as u64,
        statements: found.statements as u64,
        diagnoses: suspicions.collect(),
        conflicts: found.conflicts.iter().map(|conflict| lines(text, conflict)).collect(),
        absence_of_function: found.absence.clone().map(|absence| findings::Absence {
            unimplied: absence.unimplied,
            passing_input: absence.passing,
            failing_input: absence.failing,
        }),
        runs: found.runs as u64,
        tried_on: found.tried_on as u64,
        across: found.across.as_ref().map(|across| findings::Across {
            runs: across.runs.clone(),
            exactness: Exactness::of(across.complete),
            diagnoses: across
                .sets
                .iter()
                .map(|set| findings::SuspectSet {
                    lines: lines(text, set),
                    statements: set.iter().map(|number| statement(text, *number)).collect(),
                })
                .collect(),
        }),
    }
}

/// The likeliest diagnoses as findings.
pub(crate) fn findings(explanation: &Explanation, text: &dyn Text, found: &ProgramDiagnosis) -> Vec<Finding> {
    let distance = |one: &crate::ranking::Suspicion| one.small_change.map(crate::change::Change::distance);
    let nearest = found.suspicions.iter().filter_map(distance).min();
    let is_cause = |one: &&crate::ranking::Suspicion| match nearest {
        Some(_) => distance(one) == nearest,
        None => one.explains.iter().all(|explained| *explained),
    };
    let likely = found.suspicions.iter().filter(is_cause).take(MOST_CAUSES);
    let steps = |lines: &[u64]| -> Vec<u64> {
        let Some(counterexample) = &explanation.counterexample else { return Vec::new() };
        let at = |step: &&findings::Step| step.location.as_ref().is_some_and(|at| lines.contains(&at.line));
        counterexample.steps.iter().filter(at).map(|step| step.n).collect()
    };
    let finding = |one: &crate::ranking::Suspicion| {
        let lines = lines(text, &one.statements);
        let (evidence, how) = match one.told_change() {
            None => (SuspectEvidence::Runs(found.runs as u64), How::WholeProgram),
            Some(change) => {
                let (tried, failing) = (found.tried_on as u64, found.tried_failing as u64);
                (SuspectEvidence::SmallChange { change, tried, failing }, How::ChangedProgramRun)
            }
        };
        let steps = steps(&lines);
        let suspects = Suspects {
            statements: one.statements.iter().map(|number| statement(text, *number).text).collect(),
            lines,
            suggestion: one.suggestion.clone(),
            evidence,
        };
        let locations = one.statements.iter().filter_map(|number| text.location(*number)).collect();
        let finding = Finding { group: 0, ..Finding::new(Claim::Diagnosis(suspects), locations, steps) };
        finding.rechecked(how, RecheckResult::Confirmed)
    };
    likely.map(finding).collect()
}
