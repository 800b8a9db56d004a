//! Finding a process whose steps are enough for the time being, in one state (see [`super::super::independence`]).

use graph::Step;
use model::Channel;

use super::super::compiled::{Act, CompiledStep};
use super::super::independence::{Independence, Promised, Promises, Standing};
use super::super::vector::{self, CONTROL, NOBODY};
use super::super::view::View;
use super::Scheduler;

/// A process, and the channel that it says is its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claimed {
    channel: i64,
    receives: bool,
    bit: Promises,
    owner: usize,
}

impl Scheduler<'_> {
    /// Shows the steps of the first process, counted from the youngest and from `first` on, with which
    /// nobody can interfere if the promises in `trusted` are kept; tells where to go on with others.
    pub(super) fn steps_alone(
        &mut self,
        state: &[u8],
        trusted: Promises,
        first: u32,
        mut visit: impl FnMut(Step<'_>),
    ) -> Option<u32> {
        let independence = self.machine.independence.as_ref()?;
        if state[CONTROL] != NOBODY {
            return None;
        }
        self.looked_at(state, |scheduler, view| {
            let count = view.frames.processes.len();
            (first as usize..count).find_map(|number| {
                let process = count - 1 - number;
                let standing = standing(independence, view, state, process)?;
                let promises = standing.alone?;
                let alone = promises & !trusted == 0
                    && (promises == 0
                        || view
                            .location(state, process)
                            .steps
                            .iter()
                            .all(|step| is_settled(view, state, process, step)));
                let found = alone && scheduler.steps_of(view, state, process, &mut visit);
                found.then_some(number as u32 + 1)
            })
        })
    }

    /// The promises that somebody is about to break.
    pub(super) fn promises_broken(&mut self, state: &[u8]) -> Promises {
        let Some(independence) = self.machine.independence.as_ref().filter(|known| known.has_promises) else {
            return 0;
        };
        self.looked_at(state, |scheduler, view| {
            let claims = &mut scheduler.claims;
            claims.clear();
            let processes = || view.frames.processes.iter().map(|frame| *frame as usize).enumerate();
            for (owner, frame) in processes() {
                let context = view.context(state, owner);
                for promise in &independence.kinds[usize::from(state[frame])].promises {
                    // No channel yet, no promise about one.
                    if let Ok(channel @ 1..) = promise.channel.run(&context, view) {
                        let Promised { receives, bit, .. } = *promise;
                        claims.push(Claimed { channel, receives, bit, owner });
                    }
                }
            }
            let mut broken = 0;
            for (process, _) in processes() {
                let context = view.context(state, process);
                let uses = standing(independence, view, state, process).map_or(&[][..], |at| &at.uses);
                for used in uses {
                    let Ok(channel) = used.channel.run(&context, view) else { continue };
                    for claim in claims.iter().filter(|claim| claim.channel == channel) {
                        let breaks = if claim.receives { used.breaks_receive } else { used.breaks_send };
                        broken |= if breaks && claim.owner != process { claim.bit } else { 0 };
                    }
                }
            }
            view.room.noted.take();
            broken
        })
    }
}

fn standing<'i>(
    independence: &'i Independence,
    view: &View<'_>,
    state: &[u8],
    process: usize,
) -> Option<&'i Standing> {
    let frame = view.frames.processes[process] as usize;
    let kind = independence.kinds.get(usize::from(state[frame]))?;
    kind.locations.get(vector::location(state, frame))
}

/// Whether nobody else can let a step happen that cannot happen now, nor the other way round: there is a
/// message to receive, or room for one to send. A rendezvous needs others in any case.
fn is_settled(view: &View<'_>, state: &[u8], process: usize, step: &CompiledStep) -> bool {
    let context = view.context(state, process);
    let code = match &step.act {
        Act::Receive(reception) if reception.random => {
            return view.executable(step, state, process).unwrap_or(false);
        }
        Act::Receive(reception) => &reception.channel,
        Act::Send { channel, .. } => channel,
        Act::Indivisible(locations) => {
            let first = locations.first().map_or(&[][..], |location| &location.steps);
            return first.iter().all(|step| is_settled(view, state, process, step));
        }
        _ => return true,
    };
    let found = code.run(&context, view).and_then(|number| view.channel(number, state));
    let Ok((at, kind)) = found else { return false };
    let kind = &view.machine.channels[kind];
    let channel = Channel::new(kind, &state[at + 1..]);
    kind.capacity > 0
        && match step.act {
            Act::Send { .. } => !channel.is_full(),
            _ => !channel.is_empty(),
        }
}
