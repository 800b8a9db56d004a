//! The bug by its name: one sentence that tells the story, one that names it, and how far the whole system agrees.

use findings::{
    BugPattern, Coverage, Hold, Location, Moment, PatternMatch, PatternName, Role, Standstill, Window,
    Written,
};

use super::changes::change;
use crate::wording::{count, in_a_row};

/// The story, and what it is called.
pub(super) fn summary(found: &PatternMatch, everybody: &[Role]) -> String {
    let cast = Cast::of(&found.pattern, everybody);
    format!("{}. {}", story(&found.pattern, &cast), name(&found.pattern, &cast))
}

/// How far the whole system agrees.
pub(super) fn claim(found: &PatternMatch) -> String {
    let Some(Coverage { violating, need, passes }) = found.coverage else {
        return match &found.pattern {
            BugPattern::Slip { .. } => "nothing else that was tried helps as well".to_owned(),
            BugPattern::StaleValue { fresh: Some(_), .. } => {
                "with the missing assignment, inserted there, it holds".to_owned()
            }
            BugPattern::NeverServed { .. } => "no violating loop serves all of them".to_owned(),
            BugPattern::Starvation { .. } => "seen in the loop of this trace".to_owned(),
            _ => "read off this trace".to_owned(),
        };
    };
    let states = match (violating, need) {
        (1, 1) => "the only violating state is not reached without it".to_owned(),
        (violating, need) if violating == need => {
            format!("none of the {violating} violating states is reached without it")
        }
        (violating, need) => {
            format!("{need} of {} are not reached without it", count(violating, "violating state"))
        }
    };
    let pass = if passes { ", and traces still pass" } else { "; but no trace of this system passes" };
    format!("{states}{pass}")
}

/// The processes of a pattern and of its trace. Those that share a name are told with their numbers.
struct Cast(Vec<Role>);

impl Cast {
    fn of(pattern: &BugPattern, everybody: &[Role]) -> Self {
        let mut roles: Vec<Role> = pattern.roles().into_iter().chain(everybody).cloned().collect();
        roles.sort_unstable();
        roles.dedup();
        Self(roles)
    }

    fn who(&self, role: &Role) -> String {
        let Role { name, pid } = role;
        let is_shared = self.0.iter().filter(|other| other.name == *name).count() > 1;
        if is_shared || name == "thread" { format!("{name}:{pid}") } else { name.clone() }
    }

    fn moment(&self, moment: &Moment) -> (String, String) {
        (self.who(&moment.who), at(moment.location.as_ref()))
    }
}

fn at(location: Option<&Location>) -> String {
    location.map_or_else(String::new, |at| format!(" in line {}", at.outermost().line))
}

fn story(pattern: &BugPattern, cast: &Cast) -> String {
    match pattern {
        BugPattern::LockOrder { circle } => circular_wait(circle, cast),
        BugPattern::LeakedLock { lock, taken, left, waits } => {
            let (who, line) = cast.moment(taken);
            let (waiter, there) = (cast.who(&waits.who), at(waits.location.as_ref()));
            let exit = left.as_ref().and_then(|left| left.location.as_ref());
            let ends = match exit {
                Some(exit) => format!(", leaves the function{} and ends", at(Some(exit))),
                None => " and ends".to_owned(),
            };
            format!("{who} takes `{lock}`{line}{ends} without giving it back; {waiter} waits for it{there}")
        }
        BugPattern::KeptLock { lock, taken, left, waits } => {
            let (who, line) = cast.moment(taken);
            let there = at(waits.location.as_ref());
            let leaves = match left.as_ref().and_then(|left| left.location.as_ref()) {
                Some(exit) => format!(" and leaves the function{} without giving it back", at(Some(exit))),
                None => " and does not give it back".to_owned(),
            };
            format!("{who} takes `{lock}`{line}{leaves}; then it waits{there} for what it holds itself")
        }
        BugPattern::CircularFullChannels { circle } => full_circle(circle, cast),
        BugPattern::WaitsForEnded { channel, ended, waits } => {
            let (waiter, there) = (cast.who(&waits.who), at(waits.location.as_ref()));
            format!("{waiter} waits{there} for a message in `{channel}`, but {} has ended", cast.who(ended))
        }
        BugPattern::LostUpdate(window) => {
            let Window { variable, look, foreign, reliance, .. } = window;
            let ((who, look), (_, back)) = (cast.moment(look), cast.moment(reliance));
            let (other, between) = cast.moment(foreign);
            format!(
                "{who} reads `{variable}`{look}; {other} writes it{between}; then {who} writes back what it made \
                 of the old value{back}"
            )
        }
        BugPattern::ServedUpdate { variable, got, sent, foreign, stored, .. } => {
            let ((client, got), (_, sent)) = (cast.moment(got), cast.moment(sent));
            let ((_, between), (server, back)) = (cast.moment(foreign), cast.moment(stored));
            let back = if back == between { String::new() } else { back };
            format!(
                "{client} receives `{variable}`{got}; {server} changes it{between}; then {client} sends{sent} what it made \
                 of the old value, and {server} stores that{back}"
            )
        }
        BugPattern::CheckThenAct(window) => check_then_act(window, cast),
        BugPattern::MissedSignal(window) => {
            let Window { variable, look, foreign, reliance, test, .. } = window;
            let who = cast.who(&look.who);
            let tests = match test {
                Some(_) => looks(window, cast),
                None => format!("{who} tests `{variable}`{}", at(look.location.as_ref())),
            };
            let (_, sleeps) = cast.moment(reliance);
            let (other, between) = cast.moment(foreign);
            format!(
                "{tests}; {other} changes it{between}; only then {who} begins to wait{sleeps}, \
                 and nobody wakes it"
            )
        }
        BugPattern::SignalBeforeWait { signal, given, sleep } => {
            let ((other, given), (who, sleeps)) = (cast.moment(given), cast.moment(sleep));
            format!(
                "{other} signals `{signal}`{given} before {who} waits for it{sleeps}; nobody signals again"
            )
        }
        BugPattern::IfForWhile { window, .. } => {
            let Window { variable, foreign, reliance, .. } = window;
            let (who, used) = cast.moment(reliance);
            let (other, between) = cast.moment(foreign);
            format!(
                "{who} is woken and goes on{used} without testing `{variable}` again; {other} changed it meanwhile\
                 {between}"
            )
        }
        BugPattern::UseBeforeReady { flag, data, set, used, .. } => {
            let ((who, set), (other, used)) = (cast.moment(set), cast.moment(used));
            format!(
                "{who} sets `{flag}`{set} before it writes `{data}`; {other} sees `{flag}` and uses `{data}`{used}"
            )
        }
        BugPattern::NotAtomicPair { first, second, written, read } => {
            let ((who, written), (other, read)) = (cast.moment(written), cast.moment(read));
            format!(
                "{who} writes `{first}`{written} and `{second}` later; {other} reads both in between{read}"
            )
        }
        BugPattern::MissingCase { channel, messages, waits, .. } => {
            let (who, there) = (cast.who(&waits.who), at(waits.location.as_ref()));
            format!("{who} waits{there} while `{channel}` holds `{messages}`, which no branch there takes")
        }
        BugPattern::UpdateThenTest { window: Window { variable, look, foreign, reliance, .. }, .. } => {
            let ((who, counted), (_, tested)) = (cast.moment(look), cast.moment(reliance));
            let (other, between) = cast.moment(foreign);
            format!(
                "{who} updates `{variable}`{counted} and tests it{tested}; {other} updates it in between{between}"
            )
        }
        BugPattern::UnexpectedMessage { channel, sends, waits, .. } => {
            let (sender, offered) = (cast.who(&sends.who), at(sends.location.as_ref()));
            let (receiver, there) = (cast.who(&waits.who), at(waits.location.as_ref()));
            format!(
                "{sender} offers `{}`{offered}; only {receiver} receives from `{channel}`, and it waits{there}, where \
                 no branch does",
                sends.action
            )
        }
        BugPattern::Capacity { channel, waits, .. } => {
            let (who, there) = (cast.who(&waits.who), at(waits.location.as_ref()));
            format!("{who} waits{there} for room in `{channel}`, from which only {who} itself receives")
        }
        BugPattern::DivisionByZero { divisor, at: moment } => {
            let line = at(moment.location.as_ref());
            let zero = divisor.as_ref().map_or_else(String::new, |zero| format!(": {}", since(zero)));
            format!("`{}`{line} divides by 0{zero}", moment.action)
        }
        BugPattern::NullOrDangling { pointer, freed, at: moment, is_freed_again } => {
            let line = at(moment.location.as_ref());
            let again = if *is_freed_again { "it is freed again" } else { "it is used" };
            match (pointer, freed) {
                (Some(pointer), Some(freed)) => {
                    let place = at(freed.location.as_ref());
                    format!(
                        "`{}`{place} frees what `{}` points to; {again}{line}",
                        freed.action,
                        own_name(&pointer.variable, moment)
                    )
                }
                (Some(pointer), None) => format!("{}; {again}{line}", since(pointer)),
                (None, _) => format!("`{}`{line} uses a null or dangling pointer", moment.action),
            }
        }
        BugPattern::WrapAround { at: moment, is_used: false, .. } => {
            format!("the result of `{}`{} does not fit its type", moment.action, at(moment.location.as_ref()))
        }
        BugPattern::WrapAround { at: moment, is_used: true, .. } => {
            let line = at(moment.location.as_ref());
            format!(
                "the result of `{}`{line} does not fit its type, and what is left of it is used",
                moment.action
            )
        }
        BugPattern::LossyConversion { at: moment, .. } => {
            let line = at(moment.location.as_ref());
            format!(
                "`{}`{line} stores a value that does not fit, and what is left of it is used",
                moment.action
            )
        }
        BugPattern::Uninitialised { at: moment } => {
            format!("`{}`{} uses what was never given a value", moment.action, at(moment.location.as_ref()))
        }
        BugPattern::DoubleRelease { lock, before, again } => {
            double_release(lock, before.as_ref(), again, cast)
        }
        BugPattern::ForeignRelease { lock, taken, given } => {
            let ((holder, since), (who, there)) = (cast.moment(taken), cast.moment(given));
            format!("{holder} takes `{lock}`{since}; {who} gives it back{there} and does not hold it")
        }
        BugPattern::NotGivenBack { lock, taken, again } => {
            let (taken, again) = (at(taken.location.as_ref()), called_at(again));
            format!("`{lock}` is taken{taken} and not given back before it is taken again{again}")
        }
        BugPattern::WokeAnother { given, asleep, waits, variable, .. } => {
            let ((signaller, signalled), (woken, _)) = (cast.moment(given), cast.moment(asleep));
            let waiter = cast.who(&waits.who);
            format!(
                "{signaller} wakes {woken}{signalled}, which sleeps again; {waiter} sleeps on, although `{variable}` \
                 has changed since it tested it"
            )
        }
        BugPattern::SignalledAnother { given, signal, awaited, waits, variable, .. } => {
            let ((who, there), waiter) = (cast.moment(given), cast.who(&waits.who));
            format!(
                "{waiter} waits for `{awaited}`; {who} changes `{variable}` and signals `{signal}`{there} instead; \
                 nobody ever signals `{awaited}`"
            )
        }
        BugPattern::TookTwo { counter, second, waits, .. } => {
            let ((who, taken), waiter) = (cast.moment(second), cast.who(&waits.who));
            format!("{who} takes a second permit of `{counter}`{taken}; {waiter} still waits for its first")
        }
        BugPattern::ToldEarly { data, told, used, .. } => {
            let ((who, told_at), (other, used)) = (cast.moment(told), cast.moment(used));
            format!(
                "{who} executes `{}`{told_at} before it writes `{data}`; {other} reads the old `{data}`{used}",
                told.action
            )
        }
        BugPattern::MessageLost { channel, sent, lost, .. } => {
            let (thief, taken) = cast.moment(lost);
            match sent.as_ref().map(|sent| cast.moment(sent)) {
                Some((sender, line)) => format!(
                    "{thief} takes away{taken} what {sender} sent to `{channel}`{line}, and it never arrives"
                ),
                None => format!("{thief} takes a message away from `{channel}`{taken}, and it never arrives"),
            }
        }
        BugPattern::MessageDropped { channel, sent, dropped, .. } => {
            let (relay, there) = cast.moment(dropped);
            match sent.as_ref().map(|sent| cast.moment(sent)) {
                Some((sender, line)) => {
                    format!("{relay} drops{there} the message that {sender} sent to `{channel}`{line}")
                }
                None => format!("{relay} drops a message of `{channel}`{there}"),
            }
        }
        BugPattern::StaleAnswer { asked, answered, accepted, .. } => {
            let ((who, sent), (other, given)) = (cast.moment(asked), cast.moment(answered));
            let (_, taken) = cast.moment(accepted);
            format!(
                "{other} answers{given} a message that {who} sent again{sent}; {who} has gone on after the first answer \
                 when it takes this one{taken}"
            )
        }
        BugPattern::UnansweredChoice { choice, waits } => {
            let ((who, line), waiter) = (cast.moment(choice), cast.who(&waits.who));
            let there = at(waits.location.as_ref());
            format!(
                "{who} may execute `{}`{line} at any time; {waiter} then waits{there} forever",
                choice.action
            )
        }
        BugPattern::Starvation { could, also, others, .. } => {
            let passed_over: Vec<&Moment> = could.iter().chain(also).collect();
            starvation(&passed_over, others, cast)
        }
        BugPattern::NeverServed { waits, served } => {
            let (who, there) = cast.moment(served);
            let waiting: Vec<String> = waits.iter().map(|waits| cast.who(&waits.who)).collect();
            let wait = if waiting.len() == 1 { "waits" } else { "wait" };
            format!("{} {wait}{there} in all of the loop; only {who} is served there", in_a_row(&waiting))
        }
        BugPattern::OffByOne { at: moment, change: needed } => {
            let line = at(moment.location.as_ref());
            let needs =
                needed.as_ref().map_or_else(String::new, |needed| format!("; it needs {}", change(needed)));
            format!("`{}`{line} counts equality the wrong way{needs}", bare(&moment.action))
        }
        BugPattern::StaleValue { variable, value, with, renewed, used, .. } => {
            let moment = renewed;
            let (renewed, used) = (at(renewed.location.as_ref()), at(used.location.as_ref()));
            let own = |name: &String| own_name(name, moment).to_owned();
            let others = listed(&with.iter().map(own).collect::<Vec<String>>());
            let variable = own_name(variable, moment);
            let are = if with.len() == 1 { "is" } else { "are" };
            format!(
                "{others} {are} set anew{renewed}, `{variable}` is not; it is still {value} when it is used{used}"
            )
        }
        BugPattern::Untested { variable, function, others, at: moment } => {
            let line = at(moment.location.as_ref());
            format!("{} test `{variable}` before they use it; `{function}` does not{line}", listed(others))
        }
        BugPattern::Slip { change: needed, place, .. } => {
            format!("line {} needs {}", place.outermost().line, change(needed))
        }
        BugPattern::SkippedBookkeeping { variable, counted, undone, elsewhere, .. } => {
            let (who, there) = cast.moment(counted);
            let other = at(elsewhere.as_ref());
            format!("{who} changes `{variable}`{there} and ends without `{undone}`, which{other} undoes that")
        }
    }
}

fn double_release(lock: &str, before: Option<&Moment>, again: &Moment, cast: &Cast) -> String {
    let (who, line) = (cast.who(&again.who), called_at(again));
    match before {
        Some(before) => {
            let place = at(before.location.as_ref());
            format!("`{lock}` is given back{place}, and given back again{line}")
        }
        None => format!("{who} gives `{lock}` back{line} and does not hold it"),
    }
}

/// The line of a step; where it lies in a function that was called, that is where it says most.
fn called_at(moment: &Moment) -> String {
    at(moment.location.as_ref())
}

fn starvation(passed_over: &[&Moment], others: &[Moment], cast: &Cast) -> String {
    let mut movers: Vec<String> = Vec::new();
    for mover in others.iter().map(|step| cast.who(&step.who)) {
        if !movers.contains(&mover) {
            movers.push(mover);
        }
    }
    let go_on = if movers.len() == 1 { "goes on" } else { "go on" };
    let movers = in_a_row(&movers);
    let could = |step: &&Moment| {
        let (who, line) = cast.moment(step);
        format!("{who} could execute `{}`{line}", step.action)
    };
    match passed_over {
        [] => format!("{movers} all move forever, and make no progress"),
        [alone] => format!("{} and never does: {movers} {go_on} forever without it", could(alone)),
        several => {
            let several: Vec<String> = several.iter().map(could).collect();
            format!("{}; they never do: {movers} {go_on} forever without them", in_a_row(&several))
        }
    }
}

/// A branch without the way it went.
fn bare(action: &str) -> &str {
    action.strip_suffix(": true").or_else(|| action.strip_suffix(": false")).unwrap_or(action)
}

/// The condition alone of a branch or loop.
fn condition(action: &str) -> &str {
    let whole = bare(action);
    let inside =
        ["if (", "while ("].into_iter().find_map(|start| whole.strip_prefix(start)?.strip_suffix(')'));
    inside.unwrap_or(whole)
}

/// A variable without the process that owns it, where that is the one that moves.
fn own_name<'n>(name: &'n str, by: &Moment) -> &'n str {
    let Role { name: process, pid } = &by.who;
    let rest =
        name.strip_prefix(&format!("{process}:{pid}.")).or_else(|| name.strip_prefix(&format!("{pid}:")));
    rest.unwrap_or(name)
}

/// Names in a row.
fn listed(names: &[String]) -> String {
    const MOST: usize = 3;
    let quoted: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    in_a_row(&quoted)
}

fn circular_wait(circle: &[Hold], cast: &Cast) -> String {
    let one = |hold: &Hold| {
        let who = cast.who(&hold.waits.who);
        match &hold.held {
            Some((lock, _)) => format!("{who} holds `{lock}` and waits for `{}`", hold.wanted),
            None => format!("only {who} could raise that, and waits for `{}`", hold.wanted),
        }
    };
    match circle {
        [] => String::new(),
        [alone] => {
            let since = alone.held.as_ref().map_or_else(String::new, |(_, taken)| {
                let line = taken.location.as_ref().map(|at| at.outermost().line);
                line.map_or_else(String::new, |line| format!(" since line {line}"))
            });
            let (who, there) = (cast.who(&alone.waits.who), at(alone.waits.location.as_ref()));
            format!("{who} waits{there} for `{}`, which it holds itself{since}", alone.wanted)
        }
        [first, second] => format!("{}; {}", one(first), one(second)),
        [first, second, third] => format!("{}; {}; {}", one(first), one(second), one(third)),
        [first, .., last] => format!(
            "{} processes wait in a circle: {}, and so on to {}",
            circle.len(),
            one(first),
            cast.who(&last.waits.who)
        ),
    }
}

fn full_circle(circle: &[(String, Standstill)], cast: &Cast) -> String {
    let one = |(channel, waits): &(String, Standstill)| format!("{} to `{channel}`", cast.who(&waits.who));
    let all: Vec<String> = circle.iter().map(one).collect();
    format!("each wants to send and none receives: {}", all.join(", "))
}

/// Who looks at a variable, and where: a test, or a copy that is tested later.
fn looks(window: &Window, cast: &Cast) -> String {
    let (who, there) = cast.moment(&window.look);
    match &window.test {
        Some(test) => {
            let (_, tested) = cast.moment(test);
            format!("{who} reads `{}`{there} and tests what it read{tested}", window.variable)
        }
        None => format!("{who} tests `{}`{there}", condition(&window.look.action)),
    }
}

fn check_then_act(window: &Window, cast: &Cast) -> String {
    let Window { variable, before, after, look, foreign, reliance, .. } = window;
    let who = cast.who(&look.who);
    let (_, acts) = cast.moment(reliance);
    let (other, between) = cast.moment(foreign);
    let values = match (before, after) {
        (Some(before), Some(after)) => format!(" from {before} to {after}"),
        _ => String::new(),
    };
    let looks = looks(window, cast);
    format!("{looks}; {other} changes `{variable}`{values}{between}; {who} still relies on the test{acts}")
}

fn since(written: &Written) -> String {
    let place = written.by.as_ref().map_or_else(String::new, |by| {
        let line = by.location.as_ref().map(|at| at.outermost().line);
        line.map_or_else(String::new, |line| format!(" since line {line}"))
    });
    format!("`{}` is {}{place}", written.variable, written.value)
}

fn name(pattern: &BugPattern, cast: &Cast) -> String {
    match pattern {
        BugPattern::LockOrder { circle } if circle.len() == 1 => {
            "Lock order: a circular wait of one".to_owned()
        }
        BugPattern::LockOrder { .. } => "Lock order: a circular wait".to_owned(),
        BugPattern::LeakedLock { lock, .. } | BugPattern::KeptLock { lock, .. } => {
            format!("A leaked lock: `{lock}`")
        }
        BugPattern::CircularFullChannels { .. } => "A circular wait for room in channels".to_owned(),
        BugPattern::WaitsForEnded { ended, .. } => {
            format!("Nobody else sends: {} was the last who could", cast.who(ended))
        }
        BugPattern::LostUpdate(window) => format!("A lost update of `{}`", window.variable),
        BugPattern::ServedUpdate { variable, .. } => format!("A lost update of `{variable}`"),
        BugPattern::CheckThenAct(window) => format!("Check-then-act on `{}`", window.variable),
        BugPattern::MissedSignal(_) | BugPattern::SignalBeforeWait { .. } => {
            "A missed signal (lost wake-up)".to_owned()
        }
        BugPattern::IfForWhile { window, .. } => {
            format!("`if` where `while` is needed{}", at(window.look.location.as_ref()))
        }
        BugPattern::UseBeforeReady { data, .. } => format!("Use before ready: `{data}`"),
        BugPattern::NotAtomicPair { first, second, .. } => {
            format!("An update of `{first}` and `{second}` that is not atomic")
        }
        BugPattern::UpdateThenTest { window, .. } => {
            format!("An update and a test of `{}` that are not one step", window.variable)
        }
        BugPattern::MissingCase { .. } | BugPattern::UnexpectedMessage { .. } => {
            "A missing case (unspecified reception)".to_owned()
        }
        BugPattern::Capacity { channel, .. } => format!("The capacity of `{channel}` is too small"),
        BugPattern::DivisionByZero { .. } => "Division by zero".to_owned(),
        BugPattern::NullOrDangling { is_freed_again: true, .. } => "Double free".to_owned(),
        BugPattern::NullOrDangling { freed: Some(_), .. } => "Use after free".to_owned(),
        BugPattern::NullOrDangling { .. } => "A null or dangling pointer".to_owned(),
        BugPattern::WrapAround { is_used: false, .. } => "Wrap-around (overflow)".to_owned(),
        BugPattern::WrapAround { into: None, .. } => "Wrap-around".to_owned(),
        BugPattern::WrapAround { into: Some(into), .. } => format!("Wrap-around of `{into}`"),
        BugPattern::LossyConversion { into: None, .. } => "A conversion that loses bits".to_owned(),
        BugPattern::LossyConversion { into: Some(into), .. } => {
            format!("A conversion that loses bits: `{into}`")
        }
        BugPattern::Uninitialised { .. } => "Use of an uninitialised value".to_owned(),
        BugPattern::DoubleRelease { lock, .. } => format!("Double release of `{lock}`"),
        BugPattern::ForeignRelease { lock, .. } => format!("A release of `{lock}` by who does not hold it"),
        BugPattern::NotGivenBack { lock, .. } => format!("A leaked lock: `{lock}`"),
        BugPattern::WokeAnother { .. } => "The wrong process is woken".to_owned(),
        BugPattern::SignalledAnother { .. } => "The wrong signal is given".to_owned(),
        BugPattern::TookTwo { .. } => "A permit goes to the wrong process".to_owned(),
        BugPattern::ToldEarly { data, .. } => format!("Use before ready: `{data}`"),
        BugPattern::MessageLost { .. } | BugPattern::MessageDropped { .. } => "A lost message".to_owned(),
        BugPattern::StaleAnswer { channel, .. } => format!("A stale answer in `{channel}`"),
        BugPattern::UnansweredChoice { .. } => "Nothing answers this choice of the environment".to_owned(),
        BugPattern::Starvation { could, also, .. } => {
            let starved: Vec<String> = could.iter().chain(also).map(|step| cast.who(&step.who)).collect();
            if starved.is_empty() {
                "A livelock".to_owned()
            } else {
                format!("Starvation of {}", in_a_row(&starved))
            }
        }
        BugPattern::NeverServed { waits, .. } => {
            let waiting: Vec<String> = waits.iter().map(|waits| cast.who(&waits.who)).collect();
            format!("Starvation of {}", in_a_row(&waiting))
        }
        BugPattern::OffByOne { .. } => "Off by one".to_owned(),
        BugPattern::StaleValue { variable, renewed, .. } => {
            format!("A stale value in `{}`", own_name(variable, renewed))
        }
        BugPattern::Untested { .. } => "A missing case".to_owned(),
        BugPattern::SkippedBookkeeping { .. } => "An exit skips the bookkeeping".to_owned(),
        BugPattern::Slip { name, .. } => slip(*name).to_owned(),
    }
}

/// What a change of one line says about what stands there.
fn slip(name: PatternName) -> &'static str {
    match name {
        PatternName::OffByOne => "Off by one",
        PatternName::WrongOperator => "A wrong operator",
        PatternName::WrongConstant => "A wrong constant",
        PatternName::WrongVariable => "The wrong variable",
        PatternName::SkippedBookkeeping => "An early exit skips the bookkeeping",
        _ => "A missing statement",
    }
}
