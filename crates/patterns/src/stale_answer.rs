//! A stale answer: a process asks the same twice, because it has not waited long enough, and is answered twice. It takes the
//! first answer and goes on; then it takes the second one as if it were an answer to what it asks now (Tanenbaum: the
//! reason why acknowledgements carry numbers).
//!
//! It applies where one process alone sends to a channel from which another one alone receives, which alone sends to a
//! channel from which the first one alone receives; all messages are taken in their order. The first one waits for an
//! answer before it asks for something else, it has changed a variable of its own between the two answers, and it does not
//! test what it received. It is refuted if a violation is left when no answer is taken to a message that was sent before
//! the last answer was taken, or if nothing passes then.

use findings::BugPattern;
use graph::{Footprint, Passage, is_computed};
use rustc_hash::FxHashMap;

use crate::lens::{Act, Facts};
use crate::names::base;
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, SceneStep};

/// What a statement does for the two channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Asks,
    Hears,
    Answers,
    Accepts,
}

/// A match, and what all statements do.
pub(crate) struct Answered {
    pub(crate) pattern: BugPattern,
    pub(crate) monitor: AnswerMonitor,
}

/// A message under way: what it says, and the step that sent the question, with how many answers were taken before.
#[derive(Clone)]
struct Message {
    text: String,
    asked: usize,
    round: usize,
}

pub(crate) fn candidate(scene: &Scene, facts: &Facts) -> Option<Answered> {
    let accepts = scene.steps.iter().rev().filter_map(|step| {
        let answers = step.footprint.receives.first().filter(|passage| !passage.stays)?;
        Some((step.actor(), answers.channel.as_str()))
    });
    let mut tried: Vec<(u8, &str)> = Vec::new();
    for (asker, answers) in accepts {
        if tried.contains(&(asker, answers)) {
            continue;
        }
        tried.push((asker, answers));
        let mut questions: Vec<&str> = Vec::new();
        for step in scene.steps.iter().filter(|step| step.actor() == asker) {
            questions.extend(step.footprint.sends.iter().map(|passage| passage.channel.as_str()));
        }
        questions.sort_unstable();
        questions.dedup();
        for asked in questions {
            let Some(roles) = roles(facts, asker, asked, answers) else { continue };
            if let Some(pattern) = matched(scene, facts, &roles, answers) {
                return Some(Answered { pattern, monitor: AnswerMonitor { roles } });
            }
        }
    }
    None
}

/// What all statements do for the two channels; nothing if others use them as well, or not in their order.
fn roles(facts: &Facts, asker: u8, questions: &str, answers: &str) -> Option<FxHashMap<u32, Role>> {
    let mut found = FxHashMap::default();
    let mut server = None;
    for (label, sample) in facts.samples.iter().enumerate() {
        let is_ours = |passage: &&Passage| [base(questions), base(answers)].contains(&base(&passage.channel));
        let sends = sample.sends.iter().filter(is_ours).map(|passage| (passage, true));
        let receives = sample.receives.iter().filter(is_ours).map(|passage| (passage, false));
        let mut all = sends.chain(receives);
        let Some((passage, is_sent)) = all.next() else { continue };
        let actor = facts.actors[label];
        let is_asker = actor == asker;
        let role = match (passage.channel == questions, passage.channel == answers, is_sent) {
            (true, _, true) if is_asker => Role::Asks,
            (true, _, false) if !is_asker => Role::Hears,
            (_, true, true) if !is_asker => Role::Answers,
            (_, true, false) if is_asker => Role::Accepts,
            _ => return None,
        };
        // In a rendezvous nothing is under way, and what is taken from the middle has no order.
        let is_in_order = passage.slot.is_some_and(|slot| is_sent || slot == 0) && !passage.stays;
        let is_other = !is_asker && *server.get_or_insert(actor) != actor;
        if all.next().is_some() || !is_in_order || is_other {
            return None;
        }
        found.insert(facts.statements[label], role);
    }
    let has = |role: Role| found.values().any(|known| *known == role);
    [Role::Asks, Role::Hears, Role::Answers, Role::Accepts].into_iter().all(has).then_some(found)
}

fn matched(scene: &Scene, facts: &Facts, roles: &FxHashMap<u32, Role>, channel: &str) -> Option<BugPattern> {
    let (mut questions, mut answers): (Vec<Message>, Vec<(Message, usize)>) = (Vec::new(), Vec::new());
    let mut heard: Option<Message> = None;
    // The answer that was taken last, and the question that is open.
    let mut accepted: Option<(usize, Message)> = None;
    let mut open: Option<String> = None;
    let mut round = 0;
    for (at, step) in scene.steps.iter().enumerate() {
        let deed = &step.told.deed;
        let role =
            facts.statement(deed.location.as_ref(), &deed.action).and_then(|number| roles.get(&number));
        match role {
            None => {}
            Some(Role::Asks) => {
                let text = sent(step)?;
                // It asks for something else before it has an answer.
                if open.as_ref().is_some_and(|open| *open != text) {
                    return None;
                }
                open = Some(text.clone());
                questions.push(Message { text, asked: at, round });
            }
            Some(Role::Hears) => heard = (!questions.is_empty()).then(|| questions.remove(0)),
            Some(Role::Answers) => answers.push((heard.clone()?, at)),
            Some(Role::Accepts) => {
                let (message, answered) = (!answers.is_empty()).then(|| answers.remove(0))?;
                if let Some((before, first)) = &accepted
                    && message.round < round
                    && message.text == first.text
                    && goes_on(scene, *before, at)
                    && !is_tested(scene, at)
                {
                    return Some(BugPattern::StaleAnswer {
                        channel: channel.to_owned(),
                        asked: scene.steps[message.asked].moment(),
                        answered: scene.steps[answered].moment(),
                        first: scene.steps[*before].moment(),
                        accepted: step.moment(),
                    });
                }
                accepted = Some((at, message));
                round += 1;
                open = None;
            }
        }
    }
    None
}

/// What a step sends, as text.
fn sent(step: &SceneStep) -> Option<String> {
    let passage = step.footprint.sends.first()?;
    let change = step.changes.get(&passage.channel)?;
    let (old, new) = (change.old.as_deref()?, change.new.as_deref()?);
    let inner = |text: &str| text.trim_start_matches('[').trim_end_matches(']').to_owned();
    let (old, new) = (inner(old), inner(new));
    new.strip_prefix(&old).map(|rest| rest.trim_start_matches([',', ' ']).to_owned())
}

/// Whether who took an answer changes a variable of its own before it takes the next one.
fn goes_on(scene: &Scene, from: usize, to: usize) -> bool {
    let actor = scene.steps[from].actor();
    let mut own = scene.steps[from + 1..to].iter().filter(|step| step.is_by(actor));
    own.any(|step| step.channels().next().is_none() && step.changes.keys().any(|name| step.alters(name)))
}

/// Whether who receives a message tests what it was given before it receives or sends the next one.
fn is_tested(scene: &Scene, at: usize) -> bool {
    let step = &scene.steps[at];
    let Footprint { writes, .. } = &step.footprint;
    let later = scene.steps[at + 1..].iter().filter(|later| later.is_by(step.actor()));
    let mut before_next = later.take_while(|later| later.channels().next().is_none());
    let is_given = |name: &String| !is_computed(name) && writes.contains(name);
    before_next.any(|later| later.is_guard && later.footprint.reads.iter().any(is_given))
}

/// Follows all messages: whether each is to a question that was asked before the last answer was taken.
pub(crate) struct AnswerMonitor {
    roles: FxHashMap<u32, Role>,
}

/// A queue in the memory: how many there are, and a bit for each, set for old ones.
const QUEUE: u32 = 16;
const MOST: u64 = 12;
const LENGTH: u64 = 0xf;
const HEARD: u64 = 1 << (2 * QUEUE);

fn push(memory: u64, queue: u32, is_old: bool) -> Option<u64> {
    let shift = queue * QUEUE;
    let length = (memory >> shift) & LENGTH;
    let bit = u64::from(is_old) << (u64::from(shift) + 4 + length);
    (length < MOST).then(|| (memory | bit) + (1 << shift))
}

fn pop(memory: u64, queue: u32) -> Option<(u64, bool)> {
    let shift = queue * QUEUE;
    let own = (memory >> shift) & 0xffff;
    let (length, bits) = (own & LENGTH, own >> 4);
    let rest = length.checked_sub(1)? | (bits >> 1) << 4;
    Some((memory & !(0xffff << shift) | rest << shift, bits & 1 == 1))
}

/// Makes all that is under way old.
fn aged(memory: u64) -> u64 {
    let of = |queue: u32| {
        let length = (memory >> (queue * QUEUE)) & LENGTH;
        (((1 << length) - 1) << 4) << (queue * QUEUE)
    };
    memory | of(0) | of(1) | HEARD
}

impl Monitor for AnswerMonitor {
    fn step(&self, memory: u64, act: &Act) -> Next {
        let next = match self.roles.get(&act.statement) {
            None => Some(memory),
            Some(Role::Asks) => push(memory, 0, false),
            Some(Role::Hears) => {
                pop(memory, 0).map(|(memory, is_old)| if is_old { memory | HEARD } else { memory & !HEARD })
            }
            Some(Role::Answers) => push(memory, 1, memory & HEARD != 0),
            Some(Role::Accepts) => match pop(memory, 1) {
                Some((_, true)) => return Next::Complete,
                Some((memory, false)) => Some(aged(memory)),
                None => None,
            },
        };
        next.map_or(Next::Lost, Next::To)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_stale_after_another_one_was_taken() {
        let roles = [(1, Role::Asks), (2, Role::Hears), (3, Role::Answers), (4, Role::Accepts)];
        let monitor = AnswerMonitor { roles: roles.into_iter().collect() };
        let run = |statements: &[u32]| {
            statements.iter().fold(Next::To(0), |next, statement| match next {
                Next::To(memory) => monitor.step(memory, &Act { statement: *statement, ..Act::default() }),
                other => other,
            })
        };
        assert_eq!(run(&[1, 1, 2, 3, 2, 3, 4, 4]), Next::Complete);
        assert!(matches!(run(&[1, 2, 3, 4, 1, 2, 3, 4]), Next::To(_)));
        assert_eq!(run(&[1, 1, 2, 3, 4, 1, 2, 3, 4]), Next::Complete);
        assert_eq!(run(&[4]), Next::Lost);
    }
}
