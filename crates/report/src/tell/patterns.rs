//! The bug by its name: one sentence that tells the story, one that names it, and how far the whole system agrees.

use findings::{
    BugPattern, Coverage, Hold, Location, Moment, PatternMatch, Role, Standstill, Window, Written,
};

use crate::wording::count;

/// The story, and what it is called.
pub(super) fn summary(found: &PatternMatch) -> String {
    let cast = Cast::of(&found.pattern);
    format!("{}. {}", story(&found.pattern, &cast), name(&found.pattern))
}

/// How far the whole system agrees.
pub(super) fn claim(found: &PatternMatch) -> String {
    let Some(Coverage { violating, need, passes }) = found.coverage else {
        return "it is read off this trace; other traces were not looked at".to_owned();
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

/// The processes of a pattern. Those that share a name are told with their numbers.
struct Cast(Vec<Role>);

impl Cast {
    fn of(pattern: &BugPattern) -> Self {
        let mut roles: Vec<Role> = pattern.roles().into_iter().cloned().collect();
        roles.sort_unstable();
        roles.dedup();
        Self(roles)
    }

    fn who(&self, role: &Role) -> String {
        let Role { name, pid } = role;
        let is_shared = self.0.iter().filter(|other| other.name == *name).count() > 1;
        if is_shared || name == "thread" { format!("{name} {pid}") } else { name.clone() }
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
        BugPattern::LeakedLock { lock, taken, waits } => {
            let (who, line) = cast.moment(taken);
            let (waiter, there) = (cast.who(&waits.who), at(waits.location.as_ref()));
            format!(
                "{who} takes `{lock}`{line} and ends without giving it back; {waiter} waits for it{there}"
            )
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
        BugPattern::CheckThenAct(window) => check_then_act(window, cast),
        BugPattern::MissedSignal(window) => {
            let Window { variable, look, foreign, reliance, .. } = window;
            let (who, tested) = cast.moment(look);
            let (_, sleeps) = cast.moment(reliance);
            let (other, between) = cast.moment(foreign);
            format!(
                "{who} tests `{variable}`{tested}; {other} changes it{between}; only then {who} begins to wait{sleeps}, \
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
                "{who} is woken and uses `{variable}`{used} without testing again; {other} changed it meanwhile\
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
        BugPattern::Capacity { channel, waits, .. } => {
            let (who, there) = (cast.who(&waits.who), at(waits.location.as_ref()));
            format!("{who} waits{there} for room in `{channel}`, from which only {who} itself receives")
        }
        BugPattern::DivisionByZero { divisor, at: moment } => {
            let line = at(moment.location.as_ref());
            let zero = divisor.as_ref().map_or_else(String::new, |zero| format!(": {}", since(zero)));
            format!("`{}`{line} divides by 0{zero}", moment.action)
        }
        BugPattern::NullOrDangling { pointer, freed, at: moment } => {
            let line = at(moment.location.as_ref());
            match (pointer, freed) {
                (Some(pointer), Some(freed)) => {
                    let place = at(freed.location.as_ref());
                    format!(
                        "`{}`{place} frees what `{}` points to; it is used{line}",
                        freed.action, pointer.variable
                    )
                }
                (Some(pointer), None) => format!("{}; it is used{line}", since(pointer)),
                (None, _) => format!("`{}`{line} uses a pointer to nothing", moment.action),
            }
        }
        BugPattern::WrapAround { at: moment } => {
            format!("the result of `{}`{} does not fit its type", moment.action, at(moment.location.as_ref()))
        }
    }
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

fn check_then_act(window: &Window, cast: &Cast) -> String {
    let Window { variable, before, after, look, foreign, reliance } = window;
    let (who, tested) = cast.moment(look);
    let (_, acts) = cast.moment(reliance);
    let (other, between) = cast.moment(foreign);
    let values = match (before, after) {
        (Some(before), Some(after)) => format!(" from {before} to {after}"),
        _ => String::new(),
    };
    format!(
        "{who} tests `{}`{tested}; {other} changes `{variable}`{values}{between}; {who} still relies on the test{acts}",
        look.action
    )
}

fn since(written: &Written) -> String {
    let place = written.by.as_ref().map_or_else(String::new, |by| {
        let line = by.location.as_ref().map(|at| at.outermost().line);
        line.map_or_else(String::new, |line| format!(" since line {line}"))
    });
    format!("`{}` is {}{place}", written.variable, written.value)
}

fn name(pattern: &BugPattern) -> String {
    match pattern {
        BugPattern::LockOrder { circle } if circle.len() == 1 => {
            "Lock order: a circular wait of one".to_owned()
        }
        BugPattern::LockOrder { .. } => "Lock order: a circular wait".to_owned(),
        BugPattern::LeakedLock { lock, .. } => format!("A leaked lock: `{lock}`"),
        BugPattern::CircularFullChannels { .. } => "A circular wait for room in channels".to_owned(),
        BugPattern::WaitsForEnded { ended, .. } => {
            format!("Nobody else sends: {} was the last who could", ended.name)
        }
        BugPattern::LostUpdate(window) => format!("A lost update of `{}`", window.variable),
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
        BugPattern::MissingCase { .. } => "A missing case (unspecified reception)".to_owned(),
        BugPattern::Capacity { channel, .. } => format!("The capacity of `{channel}` is too small"),
        BugPattern::DivisionByZero { .. } => "Division by zero".to_owned(),
        BugPattern::NullOrDangling { freed: Some(_), .. } => "Use after free".to_owned(),
        BugPattern::NullOrDangling { .. } => "A null or dangling pointer".to_owned(),
        BugPattern::WrapAround { .. } => "Wrap-around (overflow)".to_owned(),
    }
}
