//! Known patterns of bugs, each with its cast: who takes part, which variables, locks and channels are in it, and the
//! steps and lines without which the story cannot be told.

use std::fmt;

use serde::Serialize;
use source::Location;

use crate::TextChange;

/// What the pattern is called. The terms are those of Lu et al. (ASPLOS 2008) and of the POSIX manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PatternName {
    LockOrder,
    LeakedLock,
    CircularFullChannels,
    WaitsForEnded,
    LostUpdate,
    CheckThenAct,
    UseBeforeReady,
    MissedSignal,
    IfForWhile,
    NotAtomicPair,
    UpdateThenTest,
    MissingCase,
    Capacity,
    DivisionByZero,
    NullOrDangling,
    WrapAround,
    DoubleRelease,
    WrongNotify,
    MessageLostOrOvertaken,
    StaleAnswer,
    UnansweredEnvironmentChoice,
    Starvation,
    OffByOne,
    StaleValue,
    WrongVariable,
    LossyConversion,
    Uninitialised,
    SkippedBookkeeping,
    WrongConstant,
    WrongOperator,
    MissingStatement,
}

impl fmt::Display for PatternName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A pattern that a counterexample is an instance of, and how far the whole system agrees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PatternMatch {
    pub pattern: BugPattern,
    /// None where the system could not be searched again.
    pub coverage: Option<Coverage>,
}

impl PatternMatch {
    /// Whether nothing is said but what the trace itself shows.
    pub fn is_read_off(&self) -> bool {
        let says_more = matches!(
            self.pattern,
            BugPattern::Slip { .. }
                | BugPattern::StaleValue { fresh: Some(_), .. }
                | BugPattern::NeverServed { .. }
                | BugPattern::Starvation { .. }
        );
        self.coverage.is_none() && !says_more
    }
}

/// How many of the violating states no trace reaches without the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Coverage {
    pub violating: u64,
    pub need: u64,
    /// Whether a trace passes without the pattern.
    pub passes: bool,
}

/// A process, or a thread.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Role {
    pub name: String,
    pub pid: u64,
}

/// A step of the counterexample, and who takes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Moment {
    pub who: Role,
    pub step: u64,
    pub action: String,
    pub location: Option<Location>,
}

/// A statement that a process stands before and cannot execute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standstill {
    pub who: Role,
    pub action: String,
    pub location: Option<Location>,
}

/// Who holds something, and waits for something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hold {
    /// What it holds, and since when; nothing of who only has to give.
    pub held: Option<(String, Moment)>,
    pub wanted: String,
    pub waits: Standstill,
}

/// A variable that one process looks at, another one changes, and the first one relies on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Window {
    pub variable: String,
    /// What the variable held before the other process changed it, and when it was relied on.
    pub before: Option<String>,
    pub after: Option<String>,
    pub look: Moment,
    /// The step that tests a copy of what was looked at.
    pub test: Option<Moment>,
    pub foreign: Moment,
    pub reliance: Moment,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BugPattern {
    /// Everybody in a circle waits for what the next one holds; a circle of one waits for itself.
    LockOrder { circle: Vec<Hold> },
    /// A lock whose holder has ended. `left` is the last step of the holder in the function that took the lock.
    LeakedLock { lock: String, taken: Moment, left: Option<Moment>, waits: Standstill },
    /// A lock whose holder waits for it itself. `left` is the step by which it left the function that took the lock.
    KeptLock { lock: String, taken: Moment, left: Option<Moment>, waits: Standstill },
    /// Everybody in a circle wants to send to the next one, and nobody receives.
    CircularFullChannels { circle: Vec<(String, Standstill)> },
    /// A process waits for a message of another one, which has ended.
    WaitsForEnded { channel: String, ended: Role, waits: Standstill },
    /// A value is read, changed by somebody else, and written back.
    LostUpdate(Window),
    /// A server hands out a value, stores another one, and then stores what a client made of the old one.
    ServedUpdate {
        variable: String,
        read: Moment,
        got: Moment,
        sent: Moment,
        foreign: Moment,
        stored: Moment,
    },
    /// A condition was true when it was tested, and no longer when it was relied on.
    CheckThenAct(Window),
    /// A condition is tested, then somebody makes it true and signals, then who tested goes to sleep.
    MissedSignal(Window),
    /// A signal is given while nobody waits for it; then somebody begins to wait.
    SignalBeforeWait { signal: String, given: Moment, sleep: Moment },
    /// Who was woken does not test its condition again, although somebody came in between.
    IfForWhile { signal: String, window: Window },
    /// A flag says that data is ready before it is written.
    UseBeforeReady { flag: String, data: String, set: Moment, seen: Moment, used: Moment },
    /// Two variables belong together, are written one after the other, and read in between.
    NotAtomicPair { first: String, second: String, written: Moment, read: Moment },
    /// A variable is counted, counted by somebody else, and then tested for what the own count made of it. With all steps
    /// that count it, and all that test it.
    UpdateThenTest { window: Window, updates: Vec<Moment>, tests: Vec<Moment> },
    /// A message is waiting that no branch takes.
    MissingCase { channel: String, messages: String, waits: Standstill, options: Vec<String> },
    /// Somebody sends what only another process receives, and that one waits where no branch does.
    UnexpectedMessage { channel: String, sends: Standstill, waits: Standstill, taken: Option<Location> },
    /// A channel is full, and only who waits for room could make some.
    Capacity { channel: String, waits: Standstill, receives: Option<Location> },
    /// A divisor is 0.
    DivisionByZero { divisor: Option<Written>, at: Moment },
    /// A pointer is null, or what it points to is gone.
    NullOrDangling {
        pointer: Option<Written>,
        freed: Option<Moment>,
        at: Moment,
        /// Whether the step frees it once more.
        is_freed_again: bool,
    },
    /// A sum, difference or product does not fit; whether the language goes on with what is left, and the variable
    /// that gets it, if one does.
    WrapAround { at: Moment, is_used: bool, into: Option<String> },
    /// A value is converted to a type that cannot hold it; the variable that gets what is left, if one does.
    LossyConversion { at: Moment, into: Option<String> },
    /// What was never given a value is used.
    Uninitialised { at: Moment },
    /// A lock is given back that is free; who gave it back before, if anybody did.
    DoubleRelease { lock: String, before: Option<Moment>, again: Moment },
    /// A lock is given back by somebody while another one holds it.
    ForeignRelease { lock: String, taken: Moment, given: Moment },
    /// A lock is taken again by who has not given it back.
    NotGivenBack { lock: String, taken: Moment, again: Moment },
    /// A signal wakes somebody whose condition has not changed, and who sleeps again; somebody else sleeps whose
    /// condition has.
    WokeAnother { given: Moment, asleep: Moment, waits: Standstill, tested: Moment, variable: String },
    /// What somebody waits for becomes true, and another signal is given than the one that it waits for, which nobody ever
    /// gives.
    SignalledAnother {
        given: Moment,
        signal: String,
        awaited: String,
        waits: Standstill,
        changed: Moment,
        variable: String,
    },
    /// Somebody takes two of the permits that were given to all, and somebody gets none.
    TookTwo { counter: String, first: Moment, second: Moment, waits: Standstill },
    /// A message says that something is done before it is.
    ToldEarly { channel: String, data: String, told: Moment, used: Moment },
    /// A message is taken away by who has no use for it.
    MessageLost { channel: String, sent: Option<Moment>, lost: Moment, waits: Option<Standstill> },
    /// A message is taken by who passes messages on, and this one is not passed on.
    MessageDropped {
        channel: String,
        sent: Option<Moment>,
        taken: Moment,
        dropped: Moment,
        waits: Option<Standstill>,
    },
    /// The same is asked twice and answered twice; the second answer is taken for one to what is asked then.
    StaleAnswer { channel: String, asked: Moment, answered: Moment, first: Moment, accepted: Moment },
    /// The environment chooses, and nothing answers.
    UnansweredChoice { choice: Moment, waits: Standstill },
    /// Others go on forever, and somebody who could move at times never does; nobody, if all move and nothing comes of
    /// it.
    Starvation {
        who: Option<Role>,
        could: Option<Moment>,
        /// What others could do that are passed over as well.
        also: Vec<Moment>,
        others: Vec<Moment>,
    },
    /// Processes wait in all of a loop for what only others of their kind get there.
    NeverServed { waits: Vec<Standstill>, served: Moment },
    /// Equality decides a comparison by size, the wrong way; with a verified change of it.
    OffByOne { at: Moment, change: Option<TextChange> },
    /// A variable keeps what it held although those that were set with it are set anew.
    StaleValue {
        variable: String,
        value: String,
        with: Vec<String>,
        set: Moment,
        renewed: Moment,
        used: Moment,
        /// What it would be set back to, where that was forgotten.
        fresh: Option<String>,
    },
    /// A process counts something and ends on a path that does not take the count back, as another statement does.
    SkippedBookkeeping {
        variable: String,
        counted: Moment,
        /// The last branch on the way out.
        branch: Option<Moment>,
        last: Option<Moment>,
        undone: String,
        elsewhere: Option<Location>,
    },
    /// A table or object is used without the test that all other functions make.
    Untested { variable: String, function: String, others: Vec<String>, at: Moment },
    /// A small change of one line, and nothing else that was tried, makes the property hold.
    Slip { name: PatternName, change: TextChange, place: Location },
}

/// A variable, what it holds, and the step that wrote it last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Written {
    pub variable: String,
    pub value: String,
    pub by: Option<Moment>,
}

impl BugPattern {
    pub fn name(&self) -> PatternName {
        match self {
            Self::LockOrder { .. } => PatternName::LockOrder,
            Self::LeakedLock { .. } | Self::KeptLock { .. } => PatternName::LeakedLock,
            Self::CircularFullChannels { .. } => PatternName::CircularFullChannels,
            Self::WaitsForEnded { .. } => PatternName::WaitsForEnded,
            Self::LostUpdate(_) | Self::ServedUpdate { .. } => PatternName::LostUpdate,
            Self::CheckThenAct(_) => PatternName::CheckThenAct,
            Self::MissedSignal(_) | Self::SignalBeforeWait { .. } => PatternName::MissedSignal,
            Self::IfForWhile { .. } => PatternName::IfForWhile,
            Self::UseBeforeReady { .. } => PatternName::UseBeforeReady,
            Self::NotAtomicPair { .. } => PatternName::NotAtomicPair,
            Self::UpdateThenTest { .. } => PatternName::UpdateThenTest,
            Self::MissingCase { .. } | Self::UnexpectedMessage { .. } => PatternName::MissingCase,
            Self::Capacity { .. } => PatternName::Capacity,
            Self::DivisionByZero { .. } => PatternName::DivisionByZero,
            Self::NullOrDangling { .. } => PatternName::NullOrDangling,
            Self::WrapAround { .. } => PatternName::WrapAround,
            Self::LossyConversion { .. } => PatternName::LossyConversion,
            Self::Uninitialised { .. } => PatternName::Uninitialised,
            Self::DoubleRelease { .. } | Self::ForeignRelease { .. } => PatternName::DoubleRelease,
            Self::NotGivenBack { .. } => PatternName::LeakedLock,
            Self::WokeAnother { .. } | Self::SignalledAnother { .. } | Self::TookTwo { .. } => {
                PatternName::WrongNotify
            }
            Self::ToldEarly { .. } => PatternName::UseBeforeReady,
            Self::MessageLost { .. } | Self::MessageDropped { .. } => PatternName::MessageLostOrOvertaken,
            Self::StaleAnswer { .. } => PatternName::StaleAnswer,
            Self::UnansweredChoice { .. } => PatternName::UnansweredEnvironmentChoice,
            Self::Starvation { .. } | Self::NeverServed { .. } => PatternName::Starvation,
            Self::OffByOne { .. } => PatternName::OffByOne,
            Self::StaleValue { .. } => PatternName::StaleValue,
            Self::Untested { .. } => PatternName::MissingCase,
            Self::SkippedBookkeeping { .. } => PatternName::SkippedBookkeeping,
            Self::Slip { name, .. } => *name,
        }
    }

    /// The steps without which the story cannot be told, ascending.
    pub fn steps(&self) -> Vec<u64> {
        let mut steps: Vec<u64> = self.moments().iter().map(|moment| moment.step).collect();
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    /// Where its statements stand, the one that is meant first.
    pub fn locations(&self) -> Vec<Location> {
        let moments = self.moments().into_iter().map(|moment| &moment.location);
        let mut places: Vec<Location> = Vec::new();
        let own = match self {
            Self::Slip { place, .. } => Some(place),
            _ => None,
        };
        let standstills = self.standstills().into_iter().map(|at| &at.location);
        for place in own.into_iter().chain(moments.chain(standstills).flatten()) {
            if !places.contains(place) {
                places.push(place.clone());
            }
        }
        places
    }

    /// The steps, the one that is meant first.
    fn moments(&self) -> Vec<&Moment> {
        match self {
            Self::LockOrder { circle } => {
                circle.iter().filter_map(|hold| hold.held.as_ref()).map(|(_, since)| since).collect()
            }
            Self::LeakedLock { taken, left, .. } | Self::KeptLock { taken, left, .. } => {
                left.iter().chain([taken]).collect()
            }
            Self::LostUpdate(window) | Self::IfForWhile { window, .. } => {
                vec![&window.look, &window.reliance, &window.foreign]
            }
            Self::UpdateThenTest { window, tests, .. } => {
                [&window.reliance, &window.look, &window.foreign].into_iter().chain(tests).collect()
            }
            Self::CheckThenAct(window) | Self::MissedSignal(window) => {
                let steps = [&window.look, &window.reliance, &window.foreign];
                steps.into_iter().chain(&window.test).collect()
            }
            Self::ServedUpdate { read, got, sent, foreign, stored, .. } => {
                vec![sent, stored, foreign, got, read]
            }
            Self::SignalBeforeWait { given, sleep, .. } => vec![sleep, given],
            Self::UseBeforeReady { set, seen, used, .. } => vec![set, used, seen],
            Self::NotAtomicPair { written, read, .. } => vec![written, read],
            Self::DivisionByZero { divisor, at } => source_first(divisor.as_ref(), at),
            Self::NullOrDangling { pointer, freed, at, .. } => {
                let mut all: Vec<&Moment> = freed.iter().collect();
                all.extend(source_first(pointer.as_ref().filter(|_| freed.is_none()), at));
                all
            }
            Self::WrapAround { at, .. }
            | Self::LossyConversion { at, .. }
            | Self::Uninitialised { at }
            | Self::OffByOne { at, .. }
            | Self::Untested { at, .. } => vec![at],
            Self::DoubleRelease { before, again, .. } => std::iter::once(again).chain(before).collect(),
            Self::ForeignRelease { taken, given, .. } => vec![given, taken],
            Self::NotGivenBack { taken, again, .. } => vec![again, taken],
            Self::WokeAnother { given, asleep, tested, .. } => vec![given, asleep, tested],
            Self::SignalledAnother { given, changed, .. } => vec![given, changed],
            Self::TookTwo { first, second, .. } => vec![second, first],
            Self::ToldEarly { told, used, .. } => vec![told, used],
            Self::MessageLost { sent, lost, .. } => std::iter::once(lost).chain(sent).collect(),
            Self::MessageDropped { sent, taken, dropped, .. } => {
                [dropped, taken].into_iter().chain(sent).collect()
            }
            Self::StaleAnswer { asked, answered, first, accepted, .. } => {
                vec![accepted, asked, answered, first]
            }
            Self::UnansweredChoice { choice, .. } => vec![choice],
            Self::NeverServed { served, .. } => vec![served],
            Self::Starvation { could, also, others, .. } => could.iter().chain(also).chain(others).collect(),
            Self::StaleValue { set, renewed, used, .. } => vec![renewed, used, set],
            Self::SkippedBookkeeping { counted, branch, .. } => branch.iter().chain([counted]).collect(),
            Self::Slip { .. } => Vec::new(),
            Self::CircularFullChannels { .. }
            | Self::WaitsForEnded { .. }
            | Self::MissingCase { .. }
            | Self::UnexpectedMessage { .. }
            | Self::Capacity { .. } => Vec::new(),
        }
    }

    /// Who takes part.
    pub fn roles(&self) -> Vec<&Role> {
        let moments = self.moments().into_iter().map(|moment| &moment.who);
        let waiting = self.standstills().into_iter().map(|at| &at.who);
        let ended = match self {
            Self::WaitsForEnded { ended, .. } => Some(ended),
            Self::Starvation { who, .. } => who.as_ref(),
            _ => None,
        };
        moments.chain(waiting).chain(ended).collect()
    }

    fn standstills(&self) -> Vec<&Standstill> {
        match self {
            Self::LockOrder { circle } => circle.iter().map(|hold| &hold.waits).collect(),
            Self::CircularFullChannels { circle } => circle.iter().map(|(_, waits)| waits).collect(),
            Self::LeakedLock { waits, .. }
            | Self::KeptLock { waits, .. }
            | Self::SignalledAnother { waits, .. }
            | Self::WaitsForEnded { waits, .. }
            | Self::MissingCase { waits, .. }
            | Self::Capacity { waits, .. }
            | Self::WokeAnother { waits, .. }
            | Self::TookTwo { waits, .. }
            | Self::UnansweredChoice { waits, .. } => vec![waits],
            Self::UnexpectedMessage { sends, waits, .. } => vec![waits, sends],
            Self::NeverServed { waits, .. } => waits.iter().collect(),
            Self::MessageLost { waits, .. } | Self::MessageDropped { waits, .. } => waits.iter().collect(),
            _ => Vec::new(),
        }
    }
}

fn source_first<'a>(written: Option<&'a Written>, at: &'a Moment) -> Vec<&'a Moment> {
    written.and_then(|written| written.by.as_ref()).into_iter().chain([at]).collect()
}
