//! When points of no return are fatal, in the words of the model: values of variables, and where other
//! processes stand.

use explain::anomalies::KnownFates;
use explain::anomalies::crossings::{CrossingStatement, occurrences};
use explain::fatal_when::{Condition, Literal, Occurrences};
use explain::recheck::{self, Goal, RecheckLimits};
use explain::without::without;
use graph::{BitSet, Interrupt, Transitions};
use rustc_hash::{FxHashMap, FxHashSet};

use super::outlook::Outlook;
use crate::causes::result_of;
use crate::naming::Naming;

/// Of so many points of no return it is asked when they are fatal.
const MOST_POINTS: usize = 10;
/// The conditions of so many are looked at again.
const MOST_RECHECKED: usize = 3;
/// So many occurrences are looked at in all.
const MOST_OCCURRENCES: u64 = 50_000;
/// And so many when a condition is looked at again, which may hold in states where nothing can fail any more.
const MOST_LOOKED_AT_AGAIN: u64 = 4 * MOST_OCCURRENCES;

/// When each of these statements is fatal, by their numbers; those are missing that are always, or that occur too often.
pub(super) fn fatal_when<T: Transitions + Naming>(
    known_fates: &KnownFates<'_, T>,
    outlook: &mut Outlook<'_, T>,
    points: &[CrossingStatement],
    look: &RecheckLimits<'_>,
) -> Result<FxHashMap<u32, findings::FatalWhen>, Interrupt> {
    let mut room = MOST_OCCURRENCES;
    let mut asked: FxHashMap<u32, Occurrences> = FxHashMap::default();
    for point in points.iter().take(MOST_POINTS).filter(|point| point.harmless > 0) {
        if let Some(left) = room.checked_sub(point.crosses + point.harmless) {
            room = left;
            asked.insert(point.statement, Occurrences::default());
        }
    }
    let statements = outlook.statements().to_vec();
    let mut is_wanted = vec![false; statements.len()];
    (0..).zip(&statements).for_each(|(at, statement)| is_wanted[at as usize] = asked.contains_key(statement));
    let mut row = Vec::new();
    occurrences(
        known_fates,
        |label| is_wanted[label as usize],
        |state, label, is_fatal| {
            if let Some(known) = asked.get_mut(&statements[label as usize]) {
                outlook.look(state, label, &mut row);
                known.add(&row, is_fatal);
            }
        },
    )?;
    let mut told_of = FxHashMap::default();
    for (at, point) in points.iter().enumerate() {
        let (columns, values) = outlook.columns();
        let known = asked.get(&point.statement);
        if let Some(found) = known.and_then(|known| known.condition(&columns, values)) {
            let mut told = told(&found, outlook);
            if at < MOST_RECHECKED && found.harmless_covered == 0 && !found.rules.is_empty() {
                recheck_under(known_fates, outlook, point.statement, &found, look, &mut told);
            }
            told_of.insert(point.statement, told);
        }
    }
    Ok(told_of)
}

/// Looks again at whether a statement is fatal whenever the condition is true, wherever that is, and blocks it there.
fn recheck_under<T: Transitions + Naming>(
    known_fates: &KnownFates<'_, T>,
    outlook: &mut Outlook<'_, T>,
    statement: u32,
    found: &Condition,
    look: &RecheckLimits<'_>,
    told: &mut findings::FatalWhen,
) {
    let system = known_fates.system;
    let mut fatal: FxHashSet<(u32, u32)> = FxHashSet::default();
    // Few states have such a step, and most are told apart without looking into the set.
    let mut has_fatal = BitSet::new(system.bound());
    let (mut labels, mut row) = (Vec::new(), Vec::new());
    let mut looked_at = 0;
    for state in known_fates.explored.live() {
        labels.clear();
        system.successors(*state, |label, _| {
            if outlook.statements()[label as usize] == statement && !labels.contains(&label) {
                labels.push(label);
            }
        });
        looked_at += labels.len() as u64;
        if looked_at > MOST_LOOKED_AT_AGAIN {
            told.recheck = Some(findings::RecheckResult::NotRun);
            return;
        }
        for label in &labels {
            outlook.look(*state, *label, &mut row);
            let value = |variable: u32| row.iter().find(|(known, _)| *known == variable);
            if found.holds(|variable| value(variable).map(|(_, value)| outlook.value(*value))) {
                fatal.insert((*state, *label));
                has_fatal.insert(*state);
            }
        }
    }
    let is_such = |state: u32, label: u32| has_fatal.contains(state) && fatal.contains(&(state, label));
    let result = recheck::on_no_correct_trace(system, is_such, &Goal::Passing, look);
    told.recheck = Some(result_of(result));
    let left = without(system, |state, label, _| is_such(state, label), look.fairness, look.watch);
    told.still_violating = left.ok().map(|left| left.violating);
}

fn told<T: Naming>(found: &Condition, outlook: &Outlook<'_, T>) -> findings::FatalWhen {
    let rule = |rule: &Vec<Literal>| rule.iter().map(|literal| outlook.fact(literal)).collect();
    findings::FatalWhen {
        condition: findings::Condition { any_of: found.rules.iter().map(rule).collect() }.into(),
        is_exact: found.is_exact(),
        fatal: found.fatal,
        fatal_covered: found.fatal_covered,
        harmless: found.harmless,
        harmless_covered: found.harmless_covered,
        recheck: None,
        still_violating: None,
    }
}
