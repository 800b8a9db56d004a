//! Small models and what is told about them.

use graph::{System, Worker};

use super::super::{Event, Machine};
use super::{Change, Teller};
use crate::resolve::Program;

fn program(text: &str) -> Program {
    let (program, diagnostics) = crate::resolve::read(text);
    program.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

/// The state after so many steps, each the first that the scheduler shows whose statement has the text.
fn state_after(machine: &Machine, texts: &[&str]) -> Vec<u8> {
    let mut worker = machine.worker();
    let mut state = Vec::new();
    worker.initial(|first| state = first.to_vec());
    for text in texts {
        let mut next = None;
        let mut shown = Vec::new();
        worker.steps(&state, |step| {
            let event = Event::unpack(step.event);
            let found = &machine.statements[event.statement as usize].text;
            shown.push(found.clone());
            if found == text && next.is_none() {
                next = Some(step.state.to_vec());
            }
        });
        state = next.unwrap_or_else(|| panic!("no step {text} among {shown:?}"));
    }
    state
}

/// `name = value`, with the process in front of locals.
fn values(text: &str, steps: &[&str]) -> Vec<String> {
    let program = program(text);
    let machine = Machine::new(&program).expect("a model that can be compiled");
    let state = state_after(&machine, steps);
    let told = Teller::new(&program, &machine).values(&state);
    let line = |value: &super::Value| match &value.process {
        Some((name, pid)) => format!("{name}:{pid} {} = {}", value.name, value.value),
        None => format!("{} = {}", value.name, value.value),
    };
    told.iter().map(line).collect()
}

/// `name: old -> new` for the last step.
fn changes(text: &str, steps: &[&str]) -> Vec<String> {
    let program = program(text);
    let machine = Machine::new(&program).expect("a model that can be compiled");
    let from = state_after(&machine, &steps[..steps.len() - 1]);
    let to = state_after(&machine, steps);
    let told = Teller::new(&program, &machine).changes(&from, &to);
    let line = |change: &Change| {
        let whose = change.process.as_ref().map_or(String::new(), |(name, pid)| format!("{name}:{pid} "));
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        format!("{whose}{}: {} -> {}", change.name, value(&change.old), value(&change.new))
    };
    told.iter().map(line).collect()
}

/// `process: text: reason`, and `process may end`.
fn waits(text: &str, steps: &[&str]) -> Vec<String> {
    let program = program(text);
    let machine = Machine::new(&program).expect("a model that can be compiled");
    let state = state_after(&machine, steps);
    let mut lines = Vec::new();
    for blocked in Teller::new(&program, &machine).blocked(&state) {
        let who = format!("{}:{}", blocked.process, blocked.pid);
        if blocked.may_end {
            lines.push(format!("{who} may end"));
        }
        for wait in blocked.waits {
            let text = &machine.statements[wait.statement as usize].text;
            lines.push(format!("{who}: {text}: {}", wait.reason));
        }
    }
    lines
}

const KINDS_OF_VALUES: &str = "
    mtype = { ack, nak };
    mtype:colour = { red };
    typedef Node { byte state; bool flags[2] }
    bool on = true; bit one = 1; int big = -5; mtype kind; mtype:colour paint = red; pid who = 1;
    Node node[2];
    byte a[3] = 4;
    hidden byte secret = 3;
    active proctype P(byte p) { short i = -1; kind = ack; node[1].state = 7; node[1].flags[1] = true; _ = 3 }
";

#[test]
fn every_kind_of_value() {
    let expected = [
        "on = true",
        "one = 1",
        "big = -5",
        "kind = 0",
        "paint = red",
        "who = 1",
        "node[0].state = 0",
        "node[0].flags[0] = false",
        "node[0].flags[1] = false",
        "node[1].state = 0",
        "node[1].flags[0] = false",
        "node[1].flags[1] = false",
        "a[0] = 4",
        "a[1] = 4",
        "a[2] = 4",
        "P:0 p = 0",
        "P:0 i = -1",
    ];
    assert_eq!(values(KINDS_OF_VALUES, &[]), expected);
    let steps = ["kind = ack", "node[1].state = 7", "node[1].flags[1] = 1", "_ = 3"];
    assert_eq!(changes(KINDS_OF_VALUES, &steps[..1]), ["kind: 0 -> ack"]);
    assert_eq!(changes(KINDS_OF_VALUES, &steps[..2]), ["node[1].state: 0 -> 7"]);
    assert_eq!(changes(KINDS_OF_VALUES, &steps[..3]), ["node[1].flags[1]: false -> true"]);
    assert_eq!(changes(KINDS_OF_VALUES, &steps), [""; 0]);
}

const CHANNELS: &str = "
    mtype = { ack, nak };
    chan q = [2] of { byte, mtype };
    chan meet = [0] of { byte };
    chan forks[2] = [1] of { bool };
    active proctype P() {
        chan mine = [1] of { chan };
        chan other;
        q!1,ack; q!2,nak; forks[1]!true; mine!q; other = forks[1]; q = forks[0];
        run R(mine, forks[1], 3, 0)
    }
    proctype R(chan in; chan out; byte x; byte y) { in?out; skip }
";

#[test]
fn channels_show_their_messages_and_references_their_names() {
    let start = ["q = []", "forks[0] = []", "forks[1] = []", "P:0 mine = []", "P:0 other = none"];
    assert_eq!(values(CHANNELS, &[]), start);
    let steps = [
        "q!1,ack",
        "q!2,nak",
        "forks[1]!1",
        "mine!q",
        "other = forks[1]",
        "q = forks[0]",
        "(run R(mine,forks[1],3,0))",
    ];
    assert_eq!(changes(CHANNELS, &steps[..2]), ["q: [<1, ack>] -> [<1, ack>, <2, nak>]"]);
    assert_eq!(changes(CHANNELS, &steps[..4]), ["P:0 mine: [] -> [<q>]"]);
    assert_eq!(changes(CHANNELS, &steps[..5]), ["P:0 other: none -> forks[1]"]);
    let displaced = ["q: [<1, ack>, <2, nak>] -> forks[0]", "channel of q: nothing -> [<1, ack>, <2, nak>]"];
    assert_eq!(changes(CHANNELS, &steps[..6]), displaced);
    let created = ["R:1 in: nothing -> mine of P:0", "R:1 out: nothing -> forks[1]", "R:1 x: nothing -> 3"];
    assert_eq!(changes(CHANNELS, &steps), created);
}

#[test]
fn conditions_tell_what_they_read() {
    let model = "
        mtype = { idle, busy };
        mtype state = busy; byte turn; byte flag[2]; byte i = 1;
        active proctype P() {
            if
            :: turn == 1
            :: flag[1 - i + _pid] && turn == 0
            :: !(state == busy) || flag[i] > turn + 2
            :: (turn || flag[0] || flag[1]) && state == busy && i == 1
            :: turn == 1 && turn > 2 && flag[0] && flag[1] && i == 2 && state == idle
            :: false
            fi
        }";
    let expected = [
        "P:0: ((turn==1)): `turn == 1` is false: turn is 0",
        "P:0: ((flag[((1-i)+_pid)]&&(turn==0))): \
         `flag[1 - i + _pid] && turn == 0` is false: flag[0] is 0",
        "P:0: ((!((state==busy))||(flag[i]>(turn+2)))): \
         `!(state == busy) || flag[i] > turn + 2` is false: state is busy, flag[1] is 0, turn is 0",
        "P:0: (((((turn||flag[0])||flag[1])&&(state==busy))&&(i==1))): \
         `(turn || flag[0] || flag[1]) && state == busy && i == 1` is false: turn is 0, flag[0] is 0, flag[1] is 0",
        "P:0: (((((((turn==1)&&(turn>2))&&flag[0])&&flag[1])&&(i==2))&&(state==idle))): \
         `turn == 1 && turn > 2 && flag[0] && flag[1] && i == 2 && state == idle` is false: \
         turn is 0, flag[0] is 0, flag[1] is 0, i is 1, ...",
        "P:0: (0): the condition is never true",
    ];
    assert_eq!(waits(model, &[]), expected);
}

#[test]
fn assertions_are_told_part_by_part() {
    let program = program(
        "mtype = { idle, busy };
         mtype state = busy; byte turn; byte flag[2]; byte i = 1; chan q = [1] of { byte };
         active proctype P() { assert(i == 1 && !(state == busy || flag[i]) && flag[i] > turn + 2 && full(q)) }",
    );
    let machine = Machine::new(&program).expect("a model that can be compiled");
    let is_assertion = |statement: &super::super::Statement| statement.text.starts_with("assert");
    let statement = machine.statements.iter().position(is_assertion).expect("an assertion");
    let parts = Teller::new(&program, &machine).condition(&state_after(&machine, &[]), 0, statement);
    let told: Vec<String> =
        parts.iter().rev().map(|part| format!("{} {:?}", part.text, part.worth)).collect();
    assert_eq!(
        told,
        [
            "i == 1 && !(state == busy || flag[i]) && flag[i] > turn + 2 && full(q) Truth(false)",
            "i == 1 Truth(true)",
            "i Value(\"1\")",
            "!(state == busy || flag[i]) Truth(false)",
            "state == busy || flag[i] Truth(true)",
            "state == busy Truth(true)",
            "state Value(\"busy\")",
            "flag[i] Truth(false)",
            "flag[i] > turn + 2 Truth(false)",
            "flag[1] Value(\"0\")",
            "turn Value(\"0\")",
            "full(q) Truth(false)",
        ]
    );
    assert_eq!(Teller::new(&program, &machine).condition(&state_after(&machine, &[]), 0, usize::MAX), []);
}

#[test]
fn buffered_channels_are_full_or_empty_or_begin_with_something_else() {
    let model = "
        mtype = { ack, nak };
        chan q = [1] of { mtype, byte }; chan e = [1] of { byte };
        byte n = 3;
        active proctype P(chan c) {
            q!ack(2);
            if
            :: q!nak(1) :: q?nak,_ :: q?ack,eval(n) :: q??nak,n :: e?n :: c!1
            :: d_step { e?n; n = 0 }
            fi
        }";
    let expected = [
        "P:0: q!nak,1: `q` is full (1 of 1)",
        "P:0: q?nak,_: the first message in `q` is <ack, 2>, which does not match `nak, _`",
        "P:0: q?ack,eval(n): the first message in `q` is <ack, 2>, which does not match `ack, eval(n)` (n is 3)",
        "P:0: q??nak,n: no message in `q` matches `nak, n`",
        "P:0: e?n: `e` is empty",
        "P:0: c!1: `c` refers to no channel: it was never initialised",
        "P:0: e?n: `e` is empty",
    ];
    assert_eq!(waits(model, &["q!ack,2"]), expected);
}

#[test]
fn a_rendezvous_needs_somebody_else() {
    let model = "
        chan c = [0] of { byte }; chan d = [0] of { byte };
        active proctype S() { byte x; end: if :: c!2 :: d?x fi }
        active proctype R() { c?1 }
        active proctype E() { skip }
        active proctype T() { d?1 }";
    let expected = [
        "S:0 may end",
        "S:0: c!2: nobody is ready to receive <2> from `c`: `R:1` waits for `1`",
        "S:0: d?x: nobody offers to send on `d`",
        "R:1: c?1: nobody offers what it needs on `c`: `S:0` offers <2>, which does not match `1`",
        "E:2 may end",
        "E:2: -end-: `T:3` was started later and has not ended",
        "T:3: d?1: nobody offers to send on `d`",
    ];
    assert_eq!(waits(model, &["(1)"]), expected);
}

#[test]
fn some_may_not_move_at_all() {
    let model = "
        byte x = 1;
        active proctype P() provided (x == 0) { skip }
        active proctype Q() { do :: x == 1 -> x = 2 :: else -> skip od }";
    let expected = [
        "P:0: (1): its `provided` clause does not hold: `x == 0` is false: x is 1",
        "Q:1: else: another option can be taken",
    ];
    assert_eq!(waits(model, &[]), expected);
    let atomic = "
        byte x;
        active proctype P() { skip }
        active proctype Q() { atomic { x = 1; x = 2 } }";
    assert_eq!(waits(atomic, &["x = 1"]), ["P:0: (1): `Q:1` is inside an `atomic` sequence and goes first"]);
    let along = "
        chan c = [0] of { byte };
        active proctype P() { do :: c?_ :: skip od }
        active proctype Q() { atomic { skip; c!1 } }";
    assert_eq!(waits(along, &["(1)"]), ["P:0: (1): `Q:1` is inside an `atomic` sequence and goes first"]);
    let priority = "
        active proctype P() priority 1 { skip }
        active proctype Q() priority 5 { skip }";
    assert_eq!(waits(priority, &[]), ["P:0: (1): `Q:1` can move and has priority 5, above 1"]);
}

#[test]
fn escapes_wait_too_and_go_first() {
    let model = "
        byte x;
        active proctype P() { { x == 1; skip } unless { x == 2 } }";
    let expected = ["P:0: ((x==2)): `x == 2` is false: x is 0", "P:0: ((x==1)): `x == 1` is false: x is 0"];
    assert_eq!(waits(model, &[]), expected);
    let taken = "
        byte x;
        active proctype P() { { x = 1; skip } unless { x == 0 } }";
    assert_eq!(waits(taken, &[]), ["P:0: x = 1: the escape of its `unless` can be taken instead"]);
}

#[test]
fn names_are_unique_and_helpers_are_left_out() {
    let model = "
        typedef M { byte b }
        chan q = [2] of { M };
        init { M m; { byte i = 1 }; { byte i = 2 }; for (m in q) { skip } }";
    let expected = ["q = []", ":init::0 m.b = 0", ":init::0 i = 0", ":init::0 i#2 = 0"];
    assert_eq!(values(model, &[]), expected);
    assert_eq!(changes(model, &["i = 1"]), [":init::0 i: 0 -> 1"]);
    assert_eq!(changes(model, &["i = 1", "i = 2"]), [":init::0 i#2: 0 -> 2"]);
}

#[test]
fn a_process_that_ended_is_not_told_of() {
    let model = "init { byte x = 3; chan c = [1] of { byte }; c!x }";
    assert_eq!(changes(model, &["c!x"]), [":init::0 c: [] -> [<3>]"]);
    assert_eq!(changes(model, &["c!x", "-end-"]), [""; 0]);
}

#[test]
fn questions_about_channels_and_others_are_answered() {
    let model = "
        mtype = { ack, nak };
        bool on;
        chan q = [2] of { byte };
        active proctype Q() { byte y = 5; skip; there: skip }
        active proctype P() {
            q!nak;
            if
            :: len(q) == 0 :: full(q) :: nempty(q) && empty(q) :: q?[ack] :: q?ack
            :: Q@there :: !(Q[0]:y == 5) :: enabled(0) == false && _nr_pr > 2 :: on
            fi
        }";
    let expected = [
        "P:1: ((len(q)==0)): `len(q) == 0` is false: `q` holds 1 of 2",
        "P:1: (full(q)): `full(q)` is false: `q` holds 1 of 2",
        "P:1: ((nempty(q)&&empty(q))): `nempty(q) && empty(q)` is false: `q` holds 1 of 2",
        "P:1: (q?[ack]): `q?[ack]` is false: `q` holds [<nak>]",
        "P:1: q?ack: the first message in `q` is <nak>, which does not match `ack`",
        "P:1: ((Q._p==there)): `Q@there` is false: Q is not at there",
        "P:1: (!((Q[0].y==5))): `!(Q[0]:y == 5)` is false: Q[0]:y is 5",
        "P:1: (((enabled(0)==0)&&(_nr_pr>2))): `enabled(0) == 0 && _nr_pr > 2` is false: \
         `Q:0` can move, _nr_pr is 2",
        "P:1: (on): `on` is false",
    ];
    assert_eq!(waits(model, &["q!nak"]), expected);
}

#[test]
fn timeout_is_said_to_be_false_while_others_move() {
    let model = "
        byte x;
        active proctype P() { timeout -> x = 1 }
        active proctype Q() { skip }";
    assert_eq!(waits(model, &[]), ["P:0: (timeout): `timeout` is false: others can move"]);
    let over = "
        byte x;
        active proctype P() { timeout && x == 1 }";
    assert_eq!(waits(over, &[]), ["P:0: ((timeout&&(x==1))): `timeout && x == 1` is false: x is 0"]);
}

#[test]
fn faults_are_reasons() {
    let model = "
        byte a[2]; byte i = 7;
        active proctype P() { if :: a[i] == 1 :: i / a[0] == 1 :: i = i % a[1] fi }";
    let told = waits(model, &[]);
    assert!(told.contains(&"P:0: (((i/a[0])==1)): it fails: division by zero".to_owned()), "{told:#?}");
    assert!(told.contains(&"P:0: i = (i%a[1]): it fails: division by zero".to_owned()), "{told:#?}");
}

#[test]
fn a_channel_of_somebody_else_is_told_with_its_owner() {
    let model = "
        init { chan mine = [1] of { byte }; run P(mine); 0 }
        proctype P(chan c) { c?_ }";
    let expected =
        [":init::0: (0): the condition is never true", "P:1: c?_: `c` (`mine of init:0`) is empty"];
    assert_eq!(waits(model, &["(run P(mine))"]), expected);
}

#[test]
fn unreached_code_is_told_in_the_order_of_the_text() {
    let model = "
        byte x;
        active proctype P() {
            if :: x == 1 -> x = 2 :: x == 0 -> goto out fi;
            x = 3;
            d_step { x = 4; x = 5 };
        out: x = 6; false; x = 7
        }
        proctype Q() { x = 8 }";
    let program = program(model);
    let machine = Machine::new(&program).expect("a model that can be compiled");
    let texts = ["((x==0))", "x = 6"];
    let number = |text: &&str| machine.statements.iter().position(|known| known.text == *text);
    let executed = texts.iter().filter_map(number).map(|number| number as u32);
    let told: Vec<&str> = Teller::new(&program, &machine)
        .unreached(executed)
        .into_iter()
        .map(|number| machine.statements[number as usize].text.as_str())
        .collect();
    assert_eq!(told, ["x = 2", "x = 3", "D_STEP", "x = 7", "-end-", "x = 8", "-end-"]);
}

/// What the last step reads and writes, and through which channels messages go.
fn footprint(text: &str, steps: &[&str]) -> [Vec<String>; 4] {
    let program = program(text);
    let machine = Machine::new(&program).expect("a model that can be compiled");
    let state = state_after(&machine, &steps[..steps.len() - 1]);
    let mut found = None;
    machine.worker().steps(&state, |step| {
        let event = Event::unpack(step.event);
        if machine.statements[event.statement as usize].text == steps[steps.len() - 1] {
            found.get_or_insert(event);
        }
    });
    let event = found.expect("a step with this text");
    let teller = Teller::new(&program, &machine);
    let told = teller.footprint(&state, event.process, event.statement, event.partner);
    let passages = |list: Vec<graph::Passage>| {
        let text = |one: graph::Passage| match one.slot {
            Some(slot) => format!("{} at {slot}", one.channel),
            None => one.channel,
        };
        list.into_iter().map(text).collect()
    };
    let writes = told.writes.into_iter().chain(told.begins).collect();
    [told.reads, writes, passages(told.sends), passages(told.receives)]
}

#[test]
fn footprints_tell_elements_apart() {
    let text = "byte a[3]; active proctype p() { byte i = 1; a[i] = a[i+1] + i; a[0] > 0 || a[1] == 0 }";
    let [reads, writes, ..] = footprint(text, &["a[i] = (a[(i+1)]+i)"]);
    assert_eq!((reads, writes), (vec!["a[2]".to_owned(), "p:0.i".to_owned()], vec!["a[1]".to_owned()]));
    // Only the true half of the disjunction counts, and it is in another element.
    let text = "byte a[3]; active proctype p() { a[0] > 0 || a[1] == 0 }";
    assert_eq!(footprint(text, &["(((a[0]>0)||(a[1]==0)))"])[0], ["a[1]"]);
}

#[test]
fn footprints_follow_messages() {
    let text = "chan c = [2] of { byte }; byte x;
        active proctype p() { c!1; c!x; c??2 }
        active proctype q() { c?x }";
    assert_eq!(
        footprint(text, &["c!1", "c!x"]),
        [vec!["x".to_owned()], vec![], vec!["c at 1".to_owned()], vec![]]
    );
    let received = footprint(text, &["c!1", "c!x", "c?x"]);
    assert_eq!(received, [vec![], vec!["x".to_owned()], vec![], vec!["c at 0".to_owned()]]);
    let text = "chan c = [0] of { byte }; byte x = 3;
        active proctype p() { byte y; c?y }
        active proctype q() { c!x }";
    let met = footprint(text, &["c!x"]);
    assert_eq!(met, [["x"], ["p:0.y"], ["c"], ["c"]].map(|names| names.map(str::to_owned).to_vec()));
}

#[test]
fn footprints_of_else_and_run() {
    let text =
        "byte x, y; active proctype p() { if :: x == 1 -> skip :: y > 2 -> skip :: else -> run q(x) fi }
        proctype q(byte z) { z == 0 }";
    assert_eq!(footprint(text, &["else"])[0], ["x", "y"]);
    let [reads, writes, ..] = footprint(text, &["else", "(run q(x))"]);
    assert_eq!((reads, writes), (vec!["x".to_owned()], vec!["q:1.z".to_owned()]));
}
