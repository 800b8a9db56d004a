//! Unreached code, compared with the list that SPIN prints at the end of a search.

#![allow(clippy::print_stdout)]

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::Read;

use graph::{System, Worker};
use promela::machine::{Breach, Event, Machine, Teller};
use testkit::spin::{Options, Source, Spin};

use crate::support;

/// Texts of statements by process, sorted.
type Lists = BTreeMap<String, Vec<String>>;

/// The statements that all steps of all states leave unreached; nothing if there are too many states.
fn ours(text: &str) -> Option<Lists> {
    let program = promela::resolve::read(text).0?;
    let machine = Machine::new(&program).ok()?;
    let mut worker = machine.worker();
    let mut executed = BTreeSet::new();
    let mut known = HashSet::new();
    let mut waiting = Vec::new();
    worker.initial(|state| waiting.push(state.to_vec()));
    while let Some(state) = waiting.pop() {
        worker.steps(&state, |step| {
            // What only fails is not executed.
            if step.violation.is_some_and(|violation| !Breach::unpack(violation).is_assertion())
                && step.state == state
            {
                return;
            }
            let event = Event::unpack(step.event);
            executed.insert(event.statement);
            executed.extend(event.partner.map(|(_, statement)| statement));
            if known.insert(step.state.to_vec()) {
                waiting.push(step.state.to_vec());
            }
        });
        if known.len() > 100_000 {
            return None;
        }
    }
    let mut lists = Lists::new();
    for number in Teller::new(&program, &machine).unreached(executed.into_iter()) {
        let statement = &machine.statements[number as usize];
        // SPIN prints the text with one backslash less.
        let text = statement.text.replace("\\\\", "\\");
        lists.entry(statement.process.clone()).or_default().push(text);
    }
    lists.values_mut().for_each(|list| list.sort());
    Some(lists)
}

fn theirs(spin: &Spin, source: &Source) -> Option<Lists> {
    let mut options = Options::quick();
    options.verifier.retain(|option| option != "-n");
    let (verdict, log) = spin.verify_with_log(source, &options).ok()?;
    if !verdict.completed() {
        return None;
    }
    let mut printed = String::new();
    log.open().read_to_string(&mut printed).ok()?;
    let mut lists = Lists::new();
    let mut process = None;
    for line in printed.lines() {
        if let Some(name) = line.strip_prefix("unreached in proctype ") {
            process = Some(name.to_owned());
        } else if line == "unreached in init" {
            process = Some(":init:".to_owned());
        } else if line.starts_with("unreached in ") {
            process = None;
        }
        if let (Some(process), true) = (&process, line.starts_with('\t'))
            && let Some((_, rest)) = line.split_once(", state ")
        {
            let text = rest.split_once(", ").map_or("", |(_, text)| text);
            let text = text.trim_matches('"').to_owned();
            lists.entry(process.clone()).or_default().push(text);
        }
    }
    lists.values_mut().for_each(|list| list.sort());
    Some(lists)
}

/// Where the lists differ: what only we have, what only SPIN has, and why.
const KNOWN: [(&str, &[&str], &[&str], &str); 11] = [
    (
        "abp.pml",
        &["sender!ack0", "sender!ack1"],
        &["receiver?3", "receiver?3", "receiver?4", "receiver?4", "sender!1", "sender!2"],
        "SPIN lists the loops that control does not come back to, and here has numbers for constants",
    ),
    ("priority_inversion.pml", &[], &["((holder!=3))", "((holder==3))"], LOOP),
    ("unless_atomic_main.pml", &[], &["(((x==2)||(y==1)))"], LOOP),
    ("unless_goto_out.pml", &[], &["((x==5))"], LOOP),
    ("atomic_goto_between.pml", &["(1)"], &[], SKIP),
    ("guard_assignment.pml", &["(1)"], &[], SKIP),
    ("timeout_else_separate.pml", &["(1)"], &[], SKIP),
    ("atomic_goto_in.pml", &["y = 7"], &[], FIRST),
    ("scope_goto_into.pml", &["x = 3"], &[], FIRST),
    ("priority_unless.pml", &[], &["((x==2))"], LOOP),
    (
        "trace_declared_first.pml",
        &[],
        &["-end-", "-end-", "c?2"],
        "SPIN takes process 0 for the trace if that comes first",
    ),
];
const LOOP: &str = "SPIN lists places and not statements: one that is reached in one place, and not where the \
                    loop or what is guarded comes back to it, is listed";
const SKIP: &str = "SPIN never lists a `skip` behind a guard";
const FIRST: &str = "SPIN never lists the first statement of a block or an atomic sequence";

/// What is compared unless everything is asked for.
const QUICK: [&str; 22] = [
    "abp.pml",
    "atomic_d_step_inside.pml",
    "atomic_goto_between.pml",
    "brp.pml",
    "counter.pml",
    "else_sender_no_receiver.pml",
    "end_unreached_partner.pml",
    "ex_2.pml",
    "for_empty_range.pml",
    "goto_loop.pml",
    "mobile1.pml",
    "p104.1.pml",
    "p107.pml",
    "pathfinder.pml",
    "printer_pool.pml",
    "proctype_unused.pml",
    "scope_goto_into.pml",
    "snoopy.pml",
    "telephone.pml",
    "traffic_light.pml",
    "unless_goto_out.pml",
    "zune.pml",
];

/// All statements of all lists that are not in the other lists.
fn only(these: &Lists, others: &Lists) -> Vec<String> {
    let mut only = Vec::new();
    for (process, list) in these {
        let mut rest = others.get(process).cloned().unwrap_or_default();
        for text in list {
            match rest.iter().position(|other| other == text) {
                Some(at) => drop(rest.remove(at)),
                None => only.push(text.clone()),
            }
        }
    }
    only.sort();
    only
}

/// On some models; on all that we have with `WHEREFORE_SLOW=1`, for a minute or two.
#[test]
fn lists_are_those_of_spin() {
    let Some(spin) = Spin::find() else { return };
    let everything = std::env::var("WHEREFORE_SLOW").is_ok_and(|value| value == "1");
    let (mut compared, mut listed) = (0, 0);
    let mut wrong = Vec::new();
    for (path, text) in support::models() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !everything && !QUICK.contains(&name.as_str()) {
            continue;
        }
        let Some(ours) = ours(&text) else { continue };
        let Some(theirs) = theirs(&spin, &Source::file(&path).expect("a file")) else { continue };
        let (our_own, their_own) = (only(&ours, &theirs), only(&theirs, &ours));
        let known = KNOWN.iter().find(|(known, ..)| *known == name);
        let expected: (&[&str], &[&str]) =
            known.map_or((&[], &[]), |(_, our_own, their_own, _)| (our_own, their_own));
        if our_own != expected.0 || their_own != expected.1 {
            wrong.push(format!("{name}: only ours {our_own:?}, only SPIN's {their_own:?}"));
        }
        compared += 1;
        listed += ours.values().map(Vec::len).sum::<usize>();
        println!("{name:<32} {}", known.map_or("the same", |(.., why)| why));
    }
    println!("{compared} lists with {listed} statements\n{}", wrong.join("\n"));
    assert!(wrong.is_empty());
    // Where the package of SPIN is missing, so are its models.
    assert!(compared >= 12 && listed > 0);
}
