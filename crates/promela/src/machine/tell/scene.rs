//! A state with what the scheduler says about it, and expressions evaluated in it.
//!
//! What an expression is made of was not kept when it was compiled, so its parts are compiled here, one
//! by one, when somebody asks what they are.

use graph::{System, Worker};
use model::{Code, Context, Fault, Host, TooDeep, compile};

use super::super::compiled::{Act, CompiledPoll, CompiledStep};
use super::super::event::Breach;
use super::super::event::Event;
use super::super::lower::{Lowering, POLLS, Poll, Question};
use super::super::program::compiled_patterns;
use super::super::view::{Matching, Room, View};
use super::Teller;
use super::state_parts::StateParts;
use crate::resolve::{Expr, ExprKind, Place, Stmt};

pub(super) struct Scene<'a, 'm> {
    pub(super) teller: &'a Teller<'m>,
    pub(super) state: &'a [u8],
    pub(super) look: StateParts,
    /// Whether `timeout` holds.
    pub(super) timeout: bool,
    /// Whether a formula asks.
    pub(super) in_formula: bool,
    /// Process and statement of every step that can be taken.
    taken: Vec<(usize, u32)>,
    /// Process and statement of what ends in a fault.
    faults: Vec<(usize, u32)>,
}

impl<'a, 'm> Scene<'a, 'm> {
    pub(super) fn new(teller: &'a Teller<'m>, state: &'a [u8]) -> Self {
        let mut steps = Vec::new();
        teller.machine.worker().steps(state, |step| {
            // A fault leads nowhere; a failed assertion goes on.
            let fails = step.violation.is_some_and(|violation| !Breach::unpack(violation).is_assertion())
                && step.state == state;
            steps.push((Event::unpack(step.event), fails));
        });
        let (mut taken, mut faults) = (Vec::new(), Vec::new());
        for (event, fails) in steps {
            let process = usize::from(event.process);
            let list = if fails { &mut faults } else { &mut taken };
            list.push((process, event.statement));
            list.extend(event.partner.map(|(process, statement)| (usize::from(process), statement)));
        }
        let look = StateParts::new(teller, state);
        let mut scene = Self { teller, state, look, timeout: false, in_formula: false, taken, faults };
        scene.timeout = teller.machine.has_timeout && !scene.moves_without_timeout();
        scene
    }

    fn moves_without_timeout(&self) -> bool {
        self.taken.iter().any(|(process, statement)| {
            let mut steps = self.steps(*process).iter();
            steps.any(|step| {
                let moves = |view: &View<'_>| view.executable(step, self.state, *process);
                step.statement == *statement && self.with_view(moves).unwrap_or(true)
            })
        })
    }

    /// Looks at the state as the scheduler does.
    pub(super) fn with_view<T>(&self, look: impl FnOnce(&View<'_>) -> T) -> T {
        let room = Room::default();
        let view = View {
            machine: self.teller.machine,
            frames: &self.look.frames,
            timeout: self.timeout,
            room: &room,
        };
        look(&view)
    }

    pub(super) fn steps(&self, process: usize) -> &'m [CompiledStep] {
        let frame = self.look.frames.processes[process] as usize;
        let kind = &self.teller.machine.kinds[usize::from(self.state[frame])];
        &kind.locations[super::vector::location(self.state, frame)].steps
    }

    pub(super) fn is_taken(&self, process: usize, statement: u32) -> bool {
        self.taken.contains(&(process, statement))
    }

    /// What goes wrong when a process executes a step, if something does.
    pub(super) fn fault(&self, process: usize, step: &CompiledStep) -> Option<String> {
        if !self.faults.contains(&(process, step.statement)) {
            return None;
        }
        let fault = self.with_view(|view| {
            let context = view.context(self.state, process);
            let found = match &step.act {
                Act::Assign(spot, value) => {
                    value.run(&context, view).and_then(|_| spot.address.run(&context, view)).err()
                }
                Act::Print(values) => values.iter().find_map(|value| value.run(&context, view).err()),
                Act::Assert(condition) => condition.run(&context, view).err(),
                _ => view.executable(step, self.state, process).err(),
            };
            found.or(view.room.noted.take())
        });
        Some(fault.map_or_else(|| "it fails".to_owned(), |fault| format!("it fails: {fault}")))
    }

    /// What a step was made of.
    pub(super) fn origin(&self, step: &CompiledStep) -> Option<&'m Stmt> {
        self.teller.origins.statements.get(step.statement as usize).copied().flatten()
    }

    /// `phil:2`
    pub(super) fn name(&self, process: usize) -> String {
        self.teller.process_name(&self.look, self.state, process)
    }

    /// The value of compiled code.
    pub(super) fn run(&self, process: usize, code: &Code) -> Result<i64, Fault> {
        self.with_view(|view| code.run(&view.context(self.state, process), view))
    }

    /// The value of an expression; nothing if it has none, or only with a fault.
    pub(super) fn value(&self, process: usize, expr: &Expr) -> Option<i64> {
        if let ExprKind::Number(value) | ExprKind::MtypeConstant(_, value) = expr.kind {
            return Some(i64::from(value));
        }
        let teller = self.teller;
        let mut lowering = Lowering {
            program: teller.program,
            frames: &teller.frames,
            label_locations: &teller.origins.label_locations,
            polls: Vec::new(),
            asked: [false; Question::ALL.len()],
            in_formula: self.in_formula,
        };
        let code = compile(&lowering.expr(expr)).ok()?;
        let polls: Vec<CompiledPoll> =
            lowering.polls.iter().map(compiled_poll).collect::<Result<_, _>>().ok()?;
        self.with_view(|view| {
            let host = Asked { view, polls: &polls };
            let value = code.run(&view.context(self.state, process), &host).ok()?;
            view.room.noted.take().is_none().then_some(value)
        })
    }

    pub(super) fn load(&self, process: usize, place: &Place) -> Option<i64> {
        let load = Expr { kind: ExprKind::Load(place.clone()), span: place.span };
        self.value(process, &load)
    }

    /// The channel that a place refers to.
    pub(super) fn channel(&self, process: usize, place: &Place) -> Option<usize> {
        self.look.channel(self.load(process, place)?)
    }
}

fn compiled_poll(poll: &Poll) -> Result<CompiledPoll, TooDeep> {
    Ok(CompiledPoll {
        channel: compile(&poll.channel)?,
        patterns: compiled_patterns(&poll.patterns)?,
        random: poll.random,
    })
}

/// Answers what the view answers, but knows the polls of the expression at hand.
struct Asked<'a> {
    view: &'a View<'a>,
    polls: &'a [CompiledPoll],
}

impl Host for Asked<'_> {
    fn ask(&self, question: u32, arguments: &[i64], context: &Context<'_>) -> Result<i64, Fault> {
        let poll = question.checked_sub(POLLS).and_then(|number| self.polls.get(number as usize));
        let Some(poll) = poll else { return self.view.ask(question, arguments, context) };
        let looked_for = Matching { channel: &poll.channel, patterns: &poll.patterns, random: poll.random };
        Ok(i64::from(self.view.matching_slot(looked_for, context)?.is_some()))
    }

    fn frame_of(&self, value: i64, context: &Context<'_>) -> Result<usize, Fault> {
        self.view.frame_of(value, context)
    }

    fn outside(&self, index: i64, length: u32) -> Result<i64, Fault> {
        Host::outside(self.view, index, length)
    }
}
