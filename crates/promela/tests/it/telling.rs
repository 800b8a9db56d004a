//! What is told about states agrees with the states, on random traces of many models: the examples, those
//! of Debian's `spin` package and those that show one rule each.

use std::collections::{BTreeMap, BTreeSet};

use graph::{End, System, Worker};
use promela::machine::{Breach, Event, Machine, Teller, Value};
use promela::resolve::Process;
use promela::syntax::ProcessKind;
use testkit::random::{Random, for_random_inputs};
use testkit::random_promela::{Knobs, RandomModel};

use crate::support;

/// Steps of one trace.
const STEPS: usize = 150;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name(Option<(String, u8)>, String);

fn by_name(values: Vec<Value>) -> BTreeMap<Name, String> {
    let count = values.len();
    let map: BTreeMap<Name, String> =
        values.into_iter().map(|value| (Name(value.process, value.name), value.value)).collect();
    assert_eq!(map.len(), count, "two variables have one name");
    map
}

/// The changes, made to the values of one state, give the values of the other.
fn check_changes(teller: &Teller<'_>, from: &[u8], to: &[u8]) {
    assert_eq!(teller.changes(from, from), []);
    let mut values = by_name(teller.values(from));
    let living: BTreeSet<(String, u8)> =
        teller.processes(to).into_iter().map(|(name, pid, _)| (name, pid)).collect();
    let lived: BTreeSet<(String, u8)> =
        teller.processes(from).into_iter().map(|(name, pid, _)| (name, pid)).collect();
    values.retain(|name, _| name.0.as_ref().is_none_or(|process| living.contains(process)));
    for change in teller.changes(from, to) {
        assert_ne!(change.old, change.new);
        let name = Name(change.process, change.name);
        let known = match change.new {
            Some(new) => values.insert(name, new),
            None => values.remove(&name),
        };
        assert_eq!(known, change.old);
    }
    // Of a new process, what is not told is still at its start.
    let told = |(name, value): &(Name, String)| {
        let is_new = name.0.as_ref().is_some_and(|process| !lived.contains(process));
        !(is_new && ["0", "false", "none", "[]"].contains(&value.as_str()))
    };
    let expected: BTreeMap<Name, String> = by_name(teller.values(to)).into_iter().filter(told).collect();
    assert_eq!(values, expected);
}

/// What waits is what the scheduler does not take.
fn check_waits(
    teller: &Teller<'_>,
    machine: &Machine,
    state: &[u8],
    taken: &BTreeSet<(u8, u32)>,
    is_end: bool,
) {
    let processes = teller.processes(state);
    let blocked = teller.blocked(state);
    assert_eq!(processes.len(), blocked.len());
    for ((name, pid, statements), blocked) in processes.iter().zip(&blocked) {
        assert_eq!((name, pid), (&blocked.process, &blocked.pid));
        let moves = statements.iter().any(|statement| taken.contains(&(*pid, *statement)));
        assert!(moves || !blocked.waits.is_empty(), "{name}:{pid} stands still and waits for nothing");
        assert!(!(is_end && moves));
        for wait in &blocked.waits {
            let text = &machine.statements[wait.statement as usize].text;
            assert!(
                !taken.contains(&(*pid, wait.statement)),
                "{name}:{pid} waits at {text}, which it can execute"
            );
            assert!(!wait.reason.contains("has to wait for others"), "no reason for {name}:{pid} at {text}");
        }
    }
}

/// `is_observed`: there is a trace assertion, which may have to go on where no process has to.
fn walk(machine: &Machine, teller: &Teller<'_>, is_observed: bool, random: &mut Random) {
    let mut worker = machine.worker();
    let mut state = Vec::new();
    worker.initial(|initial| state = initial.to_vec());
    for _ in 0..STEPS {
        let mut taken = BTreeSet::new();
        let mut next = Vec::new();
        let mut has_steps = false;
        worker.steps(&state, |step| {
            has_steps = true;
            let event = Event::unpack(step.event);
            if step.violation.is_none_or(|violation| Breach::unpack(violation).is_assertion())
                || step.state != state
            {
                taken.insert((event.process, event.statement));
                taken.extend(event.partner);
                next.push(step.state.to_vec());
            }
        });
        let is_deadlock = !has_steps && worker.end(&state) == End::Deadlock;
        check_waits(teller, machine, &state, &taken, next.is_empty());
        if is_deadlock && !is_observed {
            assert!(teller.blocked(&state).iter().any(|blocked| !blocked.may_end), "a deadlock of nobody");
        }
        if next.is_empty() {
            return;
        }
        let chosen = next.swap_remove(random.below(next.len() as u32) as usize);
        check_changes(teller, &state, &chosen);
        state = chosen;
    }
}

/// Walks through a model, and says whether it could be read.
fn walk_through(text: &str, random: &mut Random) -> bool {
    let Some(program) = promela::resolve::read(text).0 else { return false };
    let Ok(machine) = Machine::new(&program) else { return false };
    let teller = Teller::new(&program, &machine);
    let observes = |process: &Process| matches!(process.kind, ProcessKind::Trace | ProcessKind::NoTrace);
    walk(&machine, &teller, program.processes.iter().any(observes), random);
    true
}

#[test]
fn random_traces_of_our_models() {
    let models = support::models();
    let mut walked = 0;
    for_random_inputs(2, |random| {
        for (path, text) in &models {
            let check = std::panic::AssertUnwindSafe(|| walk_through(text, random));
            match std::panic::catch_unwind(check) {
                Ok(could_read) => walked += u32::from(could_read),
                Err(_) => panic!("{}", path.display()),
            }
        }
    });
    assert!(walked > 100, "the examples and the cases of the semantics are here");
}

#[test]
fn random_traces_of_random_models() {
    let mut walked = 0;
    for_random_inputs(200, |random| {
        let text = RandomModel::random(random, &Knobs::default()).to_string();
        walked += u32::from(walk_through(&text, random));
    });
    assert!(walked > 0);
}
