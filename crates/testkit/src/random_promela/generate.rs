//! Drawing a model: declarations first, then the body of each process from the names in scope.

use super::{Choice, Knobs, Process, RandomModel, Statement, StatementKind, plain};
use crate::random::Random;

/// The counter of bounded loops inside atomic sequences; nothing else sets it.
const COUNTER: &str = "k";

impl RandomModel {
    pub fn random(random: &mut Random, knobs: &Knobs) -> Self {
        Generator {
            random,
            knobs,
            variables: Vec::new(),
            channels: Vec::new(),
            labels: 0,
            has_priorities: false,
            in_d_step: false,
            known_labels: 0,
            scope: Scope::default(),
        }
        .model()
    }
}

/// A variable that can be assigned, and what keeps its values small.
#[derive(Clone)]
pub(super) struct Variable {
    /// How it is written in an expression; for an array with the place of its index left open.
    pub(super) name: String,
    /// The length of an array.
    pub(super) length: Option<u32>,
    /// Whether its type alone keeps it small.
    pub(super) narrow: bool,
    /// Whether it is never negative, so that it can be an index.
    pub(super) natural: bool,
    /// Whether it holds every byte.
    pub(super) wide: bool,
}

#[derive(Clone)]
pub(super) struct Channel {
    pub(super) name: String,
    pub(super) rendezvous: bool,
    pub(super) fields: u32,
    /// The first field is a name of the mtype.
    pub(super) tagged: bool,
    /// Which fields hold but a bit.
    pub(super) bits: [bool; 2],
}

/// Where a statement stands, which decides what is allowed there.
#[derive(Clone, Copy, Default)]
struct Scope {
    depth: u32,
    /// Inside an atomic sequence: loops are bounded and gotos lead on only.
    atomic: bool,
    /// Inside a sequence with an escape.
    escapable: bool,
    /// Inside a loop that `break` may leave.
    in_loop: bool,
    /// The labels further on.
    first_label: u32,
    last_label: u32,
}

pub(super) struct Generator<'a> {
    pub(super) random: &'a mut Random,
    pub(super) knobs: &'a Knobs,
    pub(super) variables: Vec<Variable>,
    pub(super) channels: Vec<Channel>,
    /// Labels of the process that is being drawn.
    labels: u32,
    has_priorities: bool,
    /// SPIN wants no remote references there.
    pub(super) in_d_step: bool,
    /// Labels of the first process, if it is there from the beginning and drawn already.
    pub(super) known_labels: u32,
    scope: Scope,
}

impl Generator<'_> {
    fn model(mut self) -> RandomModel {
        let mut declarations = vec![("mtype".to_owned(), "mtype = { red, blue }".to_owned())];
        for number in 0..self.random.between(2, 4) {
            let name = format!("g{number}");
            let declaration = self.variable(name.clone());
            declarations.push((name, declaration));
        }
        if self.random.percent(self.knobs.record) {
            declarations.push(("typedef".to_owned(), "typedef pair { byte one; byte two[2] }".to_owned()));
            declarations.push(("pair".to_owned(), "pair r".to_owned()));
            for (name, length) in [("r.one", None), ("r.two", Some(2))] {
                self.variables.push(Variable {
                    name: name.to_owned(),
                    length,
                    narrow: false,
                    natural: true,
                    wide: true,
                });
            }
        }
        self.has_priorities = self.random.percent(self.knobs.priorities);
        for number in 0..self.random.between(1, 2) {
            let name = format!("c{number}");
            let declaration = self.channel(name.clone());
            declarations.push((name, declaration));
        }
        let globals = self.variables.len();
        let channels = self.channels.len();
        let mut processes = Vec::new();
        let mut init = Vec::new();
        for number in 0..self.random.between(self.knobs.processes.0, self.knobs.processes.1) {
            let process = self.process(number);
            self.variables.truncate(globals);
            self.channels.truncate(channels);
            if process.active == 0 {
                let mut run = self.start(&process);
                if self.has_priorities && self.random.percent(50) {
                    run += &format!(" priority {}", self.random.between(1, 3));
                }
                init.push(plain(run));
            }
            if number == 0 && process.active > 0 {
                self.known_labels = self.labels;
            }
            processes.push(process);
        }
        if !init.is_empty() {
            if self.random.percent(50) {
                init = vec![StatementKind::Atomic(init).into()];
            }
            if self.random.percent(30) {
                init.push(plain("_nr_pr == 1"));
                init.push(self.assertion());
            }
        }
        RandomModel { declarations, processes, init }
    }

    /// The text that starts a process.
    fn start(&mut self, process: &Process) -> String {
        let mut arguments = Vec::new();
        for parameter in &process.parameters {
            arguments.push(match parameter.strip_prefix("chan ") {
                // A channel parameter is named after a channel of its kind.
                Some(parameter) => parameter.trim_start_matches('p').to_owned(),
                None => self.random.below(3).to_string(),
            });
        }
        format!("run {}({})", process.name, arguments.join(", "))
    }

    /// Declares a variable.
    fn variable(&mut self, name: String) -> String {
        let kind = self.random.below(9);
        let (narrow, natural) = match kind {
            0 | 1 => (true, true),
            2..=6 => (false, true),
            _ => (false, false),
        };
        let length = (kind == 5 || kind == 6).then(|| self.random.between(2, 3));
        let initial =
            if self.random.percent(30) { format!(" = {}", self.random.below(2)) } else { String::new() };
        let declaration = match kind {
            0 => format!("bit {name}{initial}"),
            1 => format!("unsigned {name} : 2{initial}"),
            2 => format!("bool {name}{initial}"),
            5 | 6 => format!("byte {name}[{}]{initial}", length.unwrap_or(2)),
            7 => format!("short {name}{initial}"),
            8 => format!("int {name}{initial}"),
            _ => format!("byte {name}{initial}"),
        };
        self.variables.push(Variable { name, length, narrow, natural, wide: kind > 2 });
        declaration
    }

    fn channel(&mut self, name: String) -> String {
        let rendezvous = !self.has_priorities && self.random.percent(self.knobs.rendezvous);
        let capacity = if rendezvous { 0 } else { self.random.between(1, 2) };
        let (fields, tagged) = (self.random.between(1, 2), self.random.percent(40));
        let mut bits = [false; 2];
        let mut types = Vec::new();
        for field in 0..fields {
            let is_bit = !(field == 0 && tagged) && self.random.percent(50);
            // SPIN gives a single bit a byte.
            bits[field as usize] = is_bit && fields > 1;
            types.push(match is_bit {
                true => "bit",
                false if field == 0 && tagged => "mtype",
                false => "byte",
            });
        }
        let declaration = format!("chan {name} = [{capacity}] of {{ {} }}", types.join(", "));
        self.channels.push(Channel { name, rendezvous, fields, tagged, bits });
        declaration
    }

    fn process(&mut self, number: u32) -> Process {
        let started = self.random.percent(self.knobs.run);
        let active = match started {
            true => 0,
            false => 1 + u32::from(self.random.percent(15)),
        };
        let mut parameters = Vec::new();
        if self.random.percent(40) {
            let name = format!("a{number}");
            parameters.push(format!("byte {name}"));
            self.variables.push(Variable { name, length: None, narrow: false, natural: true, wide: true });
        }
        if started && self.random.percent(self.knobs.channel_parameter) {
            let channel = self.any_channel();
            let name = format!("p{}", channel.name);
            parameters.push(format!("chan {name}"));
            self.channels.push(Channel { name, ..channel });
        }
        let mut clauses = Vec::new();
        if self.has_priorities && self.random.percent(70) {
            clauses.push(format!("priority {}", self.random.between(1, 3)));
        }
        if self.random.percent(self.knobs.provided) {
            let globals: Vec<Variable> =
                self.variables.iter().filter(|variable| variable.name.starts_with('g')).cloned().collect();
            let global = &globals[self.random.below(globals.len() as u32) as usize];
            let index = if global.length.is_some() { "[1]" } else { "" };
            clauses.push(format!("provided ({}{index} != {})", global.name, self.random.below(3)));
        }
        let mut locals = vec![(COUNTER.to_owned(), format!("byte {COUNTER}"))];
        for local in 0..self.random.below(3) {
            let name = format!("l{local}");
            let declaration = self.variable(name.clone());
            locals.push((name, declaration));
        }
        // Without promises nothing else is drawn, so that a seed stands for the same model as ever.
        let promises = if self.knobs.promises > 0 { self.channels.len() } else { 0 };
        for channel in 0..promises {
            let name = self.channels[channel].name.clone();
            for word in ["xr", "xs"] {
                if self.random.percent(self.knobs.promises) {
                    locals.push((word.to_owned(), format!("{word} {name}")));
                }
            }
        }
        let body = self.body();
        Process { name: format!("p{number}"), active, parameters, clauses, locals, body }
    }

    fn body(&mut self) -> Vec<Statement> {
        let count = self.random.between(2, self.knobs.statements.max(2));
        self.labels = count;
        let mut body = Vec::new();
        for position in 0..count {
            self.scope = Scope { first_label: position + 1, last_label: count - 1, ..Scope::default() };
            let mut statement = self.statement(false);
            let name = if self.random.percent(self.knobs.end) { "end" } else { "l" };
            // Labels that nothing leads to are harmless.
            let label = match name {
                "end" => format!("end{position}: label{position}"),
                _ => format!("label{position}"),
            };
            // A goto may lead to the end of an atomic sequence as well.
            let takes = takes_label(&statement);
            let inside = match &mut statement.kind {
                StatementKind::Atomic(body) if self.random.percent(50) => {
                    body.last_mut().filter(|last| takes_label(last))
                }
                _ => None,
            };
            match inside {
                Some(last) => last.label = Some(label),
                None if takes => statement.label = Some(label),
                None => body.push(Statement { label: Some(label), ..plain("skip") }),
            }
            body.push(statement);
        }
        body
    }

    /// Any statement; as the first one of an option it is better one that can block.
    fn statement(&mut self, first: bool) -> Statement {
        let knobs = *self.knobs;
        let deep = self.scope.depth >= 3;
        let mut dice = self.random.below(100);
        let mut chosen = |share: u32| {
            let hit = dice < share;
            dice = if hit { u32::MAX } else { dice - share };
            hit
        };
        if chosen(if deep || self.scope.atomic { 0 } else { knobs.atomic }) {
            let scope = self.scope;
            self.scope =
                Scope { depth: scope.depth + 1, atomic: true, first_label: scope.first_label + 1, ..scope };
            let body = self.sequence(2, 3, true);
            self.scope = scope;
            return StatementKind::Atomic(body).into();
        }
        if chosen(knobs.d_step) {
            return self.d_step();
        }
        if chosen(if deep { 0 } else { knobs.choice }) {
            return self.choice();
        }
        if chosen(if deep || first || self.scope.atomic { 0 } else { knobs.unless }) {
            let scope = self.scope;
            self.scope = Scope { depth: scope.depth + 1, in_loop: false, escapable: true, ..scope };
            let body = self.sequence(1, 3, false);
            let mut escape = vec![self.guard(true)];
            append(&mut escape, self.statement(false));
            self.scope = scope;
            return StatementKind::Unless(body, escape).into();
        }
        if chosen(knobs.goto) && self.scope.first_label <= self.scope.last_label {
            // SPIN refuses a circle of nothing but gotos. Inside an atomic sequence and where perhaps nothing was
            // done before, a goto therefore only leads on.
            let onwards = first || self.scope.atomic || self.scope.escapable || self.scope.depth == 0;
            let first = if onwards { self.scope.first_label } else { 0 };
            return plain(format!("goto label{}", self.random.between(first, self.labels - 1)));
        }
        if chosen(knobs.message) {
            return plain(self.message());
        }
        if chosen(knobs.assertion) {
            return self.assertion();
        }
        if chosen(if first || !self.has_priorities { 0 } else { 4 }) {
            // Where a process does not exist, SPIN does nothing, but on its way back it takes away the
            // priority of process 0. The oldest process and the own one always exist.
            let whose = ["0", "_pid"][self.random.below(2) as usize];
            return plain(format!("set_priority({whose}, {})", self.random.between(1, 3)));
        }
        if chosen(if first { 0 } else { 3 }) {
            return plain(["skip", "printf(\"here\\n\")", "true"][self.random.below(3) as usize]);
        }
        if chosen(if first { 40 } else { 4 }) {
            return self.guard(true);
        }
        self.assignment()
    }

    fn sequence(&mut self, least: u32, most: u32, first_is_guard: bool) -> Vec<Statement> {
        let mut sequence = Vec::new();
        for index in 0..self.random.between(least, most) {
            append(&mut sequence, self.statement(first_is_guard && index == 0));
        }
        sequence
    }

    /// A choice or a loop. Inside an atomic sequence a loop counts its rounds, because a search that stores
    /// no state inside such a sequence would not end.
    fn choice(&mut self) -> Statement {
        let scope = self.scope;
        let repeated = self.random.percent(50);
        if repeated && scope.atomic {
            self.scope = Scope { depth: 3, in_loop: false, ..scope };
            let round = [plain(format!("{COUNTER} < 2")), plain(format!("{COUNTER}++")), self.assignment()];
            self.scope = scope;
            let leave = [plain(format!("{COUNTER} = 0")), plain("break")];
            let choice = Choice { repeated, options: vec![round.to_vec()], otherwise: Some(leave.to_vec()) };
            return StatementKind::Choice(choice).into();
        }
        self.scope = Scope { depth: scope.depth + 1, in_loop: scope.in_loop || repeated, ..scope };
        let has_otherwise = self.random.percent(self.knobs.otherwise);
        let messages = !has_otherwise || self.random.percent(self.knobs.otherwise_with_messages);
        let mut options = Vec::new();
        for _ in 0..self.random.between(1, 3) {
            let mut option = match self.random.below(10) {
                0..=6 => vec![self.guard(messages)],
                // Never an atomic sequence with a message in front of it beside an else.
                _ if has_otherwise => vec![self.guard(false)],
                // Two options that begin with an else would leave open what it means.
                _ => {
                    let first = self.statement(true);
                    vec![if opens_with_else(&first) { self.guard(messages) } else { first }]
                }
            };
            for _ in 0..self.random.below(3) {
                append(&mut option, self.statement(false));
            }
            // The verifier refuses a loop that only goes round.
            if repeated && option.len() == 1 {
                option.push(self.assignment());
            }
            if self.scope.in_loop && self.random.percent(35) {
                option.push(plain("break"));
            }
            options.push(option);
        }
        let otherwise = has_otherwise.then(|| {
            let mut sequence = self.sequence(0, 1, false);
            if repeated && self.random.percent(70) {
                sequence.push(plain("break"));
            }
            sequence
        });
        self.scope = scope;
        StatementKind::Choice(Choice { repeated, options, otherwise }).into()
    }

    /// A d_step that cannot block behind its guard and has no message but perhaps a received one as guard.
    fn d_step(&mut self) -> Statement {
        self.in_d_step = true;
        let body = self.d_step_body();
        self.in_d_step = false;
        StatementKind::DStep(body).into()
    }

    fn d_step_body(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        if self.random.percent(40) {
            body.push(match self.random.percent(40) {
                true => plain(self.receive(false)),
                false => plain(self.condition()),
            });
        }
        for _ in 0..self.random.between(1, 3) {
            if self.random.percent(25) {
                let options = (0..self.random.between(1, 2))
                    .map(|_| vec![plain(self.condition()), self.assignment()])
                    .collect();
                let otherwise = Some(vec![self.assignment()]);
                body.push(StatementKind::Choice(Choice { repeated: false, options, otherwise }).into());
            } else if !body.is_empty() && self.random.percent(12) {
                // Not as the first statement: SPIN would also try it while a rendezvous is offered to others.
                body.push(self.assertion());
            } else {
                body.push(self.assignment());
            }
        }
        body
    }

    /// Something that may block.
    fn guard(&mut self, messages: bool) -> Statement {
        if self.random.percent(self.knobs.timeout) {
            return plain("timeout");
        }
        if messages && self.random.percent(45) {
            return plain(self.message());
        }
        plain(self.condition())
    }
}

/// Whether a label may stand before a statement: a goto must not lead straight into a d_step, and SPIN wants
/// no label before a statement with an escape.
fn takes_label(statement: &Statement) -> bool {
    let first_takes_label = |body: &Vec<Statement>| body.first().is_none_or(takes_label);
    match &statement.kind {
        StatementKind::Plain(_) => true,
        StatementKind::DStep(_) | StatementKind::Unless(..) => false,
        StatementKind::Atomic(body) => first_takes_label(body),
        StatementKind::Choice(choice) => choice.options.iter().all(first_takes_label),
    }
}

/// Adds a statement to a sequence. A break out of a loop is a goto to what is behind it.
fn append(sequence: &mut Vec<Statement>, statement: Statement) {
    let perhaps_loop = sequence.last().is_some_and(|last| !matches!(last.kind, StatementKind::Plain(_)));
    if perhaps_loop && !takes_label(&statement) {
        sequence.push(plain("skip"));
    }
    sequence.push(statement);
}

/// Whether the first thing a statement does may be an else.
fn opens_with_else(statement: &Statement) -> bool {
    let first_opens = |body: &Vec<Statement>| body.first().is_some_and(opens_with_else);
    match &statement.kind {
        StatementKind::Plain(_) => false,
        StatementKind::Atomic(body) | StatementKind::DStep(body) | StatementKind::Unless(body, _) => {
            first_opens(body)
        }
        StatementKind::Choice(choice) => choice.otherwise.is_some() || choice.options.iter().any(first_opens),
    }
}
