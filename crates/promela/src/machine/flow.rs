//! Control flow: from statements to locations.
//!
//! SPIN gives every statement a control state, but skips what only passes control on: a `goto`, the end
//! of an `if`, the way round a `do`. Whether such a hop is skipped or is a step of its own decides how
//! many states a model has, so the rules here are SPIN's:
//!
//! - a hop behind a statement is skipped, a `goto` or `break` that begins a choice is a step;
//! - inside `atomic` a hop is a step if what lies behind it is the last statement of the sequence or
//!   outside of it;
//! - an `atomic` sequence, a block and an `if` are places of their own: control that enters one from
//!   outside stands elsewhere than control that comes back to its first statement;
//! - the last statement of an `atomic` sequence gives control away, and so does a `goto` out of one, but not a `goto`
//!   into another such sequence;
//! - escapes of `unless` come before the steps they guard, the outermost `unless` first, unless control
//!   stands at a structure that itself contains an `unless` (see `steps_of`).

use rustc_hash::FxHashSet;

use crate::resolve::{LabelId, Process, Stmt, StmtKind};

type NodeId = usize;

/// Where control can stand, or something it only passes.
#[derive(Debug)]
struct Node<'p> {
    kind: NodeKind,
    statement: Option<&'p Stmt>,
    /// SPIN's number for it.
    element: u32,
    /// What follows in the same sequence.
    next: Option<NodeId>,
    /// Inside `atomic`, and not its last statement.
    atomic: bool,
    /// The last statement of an `atomic` sequence.
    ends_atomic: bool,
    /// The first nodes of the sequences that may interrupt here, innermost first.
    escapes: Vec<NodeId>,
    /// What is inside a structure has larger numbers than the structure, below this one.
    end: NodeId,
}

#[derive(Clone, Debug)]
enum NodeKind {
    /// One step.
    Step,
    Goto(Target),
    /// Passes control on.
    Hop,
    /// Steps into one of these, and all go on at the second.
    Choices(Vec<NodeId>, NodeId),
    /// `atomic` or a block: first and last inside.
    Enter(NodeId, NodeId),
    /// The guarded sequence, first and last, and the first node of its escape.
    Guarded(NodeId, NodeId, NodeId),
    /// The process is at its end.
    End,
}

#[derive(Clone, Copy, Debug)]
enum Target {
    Label(LabelId),
    Node(NodeId),
}

/// What a step out of a location is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What<'p> {
    /// This statement, never a structure but `d_step`.
    Statement(&'p Stmt),
    /// Control moves on, nothing else: a `goto`, a `break`, the end of an `if`.
    Hop(Option<&'p Stmt>),
    /// The process dies.
    End,
}

/// A step out of a location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowStep<'p> {
    pub(crate) what: What<'p>,
    /// SPIN's number for it.
    pub(crate) element: u32,
    /// Where it leads; none at the end.
    pub(crate) target: Option<u32>,
    /// Whether the process keeps control.
    pub(crate) keeps_control: bool,
    /// The number of the escape it belongs to, 0 if none.
    pub(crate) escape: u32,
}

/// A step with the node it belongs to and the node it leads to.
#[derive(Debug)]
struct FoundStep<'p> {
    step: FlowStep<'p>,
    node: NodeId,
    onward: Option<NodeId>,
}

#[derive(Debug)]
pub(crate) struct FlowLocation<'p> {
    pub(crate) steps: Vec<FlowStep<'p>>,
    pub(crate) statement: Option<&'p Stmt>,
}

/// The control flow of one process.
#[derive(Debug)]
pub(crate) struct Flow<'p> {
    nodes: Vec<Node<'p>>,
    labels: Vec<Option<NodeId>>,
    /// Locations in the order of their discovery; 0 is the initial one.
    pub(crate) locations: Vec<FlowLocation<'p>>,
    location_of: Vec<Option<u32>>,
}

impl<'p> Flow<'p> {
    /// The flow of a whole process.
    pub(crate) fn of_process(process: &'p Process) -> Self {
        Self::new(&process.body, process.labels.len(), process.elements.1)
    }

    /// The flow inside a `d_step`, which ends where the sequence ends; `labels` is how many labels its
    /// process has.
    pub(crate) fn of_step(body: &'p [Stmt], labels: usize) -> Self {
        // Nobody takes the step at the end of a `d_step`.
        Self::new(body, labels, 0)
    }

    fn new(body: &'p [Stmt], labels: usize, end: u32) -> Self {
        let mut flow = Self {
            nodes: Vec::new(),
            labels: vec![None; labels],
            locations: Vec::new(),
            location_of: Vec::new(),
        };
        let mut body = flow.sequence(body, None);
        body.push(flow.add(NodeKind::End, None, end));
        flow.link(&body);
        flow.connect_insides();
        flow.pass_control_on_goto();
        flow.discover(body[0]);
        flow
    }

    /// A node of its own for a statement.
    fn add_statement(&mut self, kind: NodeKind, statement: &'p Stmt) -> NodeId {
        self.add(kind, Some(statement), statement.element)
    }

    fn add(&mut self, kind: NodeKind, statement: Option<&'p Stmt>, element: u32) -> NodeId {
        self.nodes.push(Node {
            kind,
            statement,
            element,
            next: None,
            atomic: false,
            ends_atomic: false,
            escapes: Vec::new(),
            end: self.nodes.len() + 1,
        });
        self.nodes.len() - 1
    }

    fn link(&mut self, sequence: &[NodeId]) {
        for pair in sequence.windows(2) {
            self.nodes[pair[0]].next = Some(pair[1]);
        }
    }

    /// Makes nodes of statements in a row, linked. An empty sequence is a hop.
    fn sequence(&mut self, statements: &'p [Stmt], exit: Option<NodeId>) -> Vec<NodeId> {
        let mut sequence = Vec::new();
        for statement in statements {
            let at = sequence.len();
            self.statement(statement, exit, &mut sequence);
            // A label on a loop names the loop, not the hop in front of it.
            let named =
                sequence[at..].iter().copied().find(|node| !matches!(self.nodes[*node].kind, NodeKind::Hop));
            for label in &statement.labels {
                self.labels[label.0 as usize] = named.or(sequence.get(at).copied());
            }
        }
        if sequence.is_empty() {
            sequence.push(self.add(NodeKind::Hop, None, 0));
        }
        self.link(&sequence);
        sequence
    }

    fn statement(&mut self, statement: &'p Stmt, exit: Option<NodeId>, sequence: &mut Vec<NodeId>) {
        let at = sequence.len();
        match &statement.kind {
            StmtKind::Goto(label) => {
                let target = Target::Label(*label);
                sequence.push(self.add_statement(NodeKind::Goto(target), statement));
            }
            StmtKind::Break => {
                let kind = exit.map_or(NodeKind::Hop, |exit| NodeKind::Goto(Target::Node(exit)));
                sequence.push(self.add_statement(kind, statement));
            }
            StmtKind::If(choices) => {
                let choice = self.add_statement(NodeKind::Hop, statement);
                let after = self.add(NodeKind::Hop, None, statement.element + 1);
                let firsts = choices.iter().map(|one| self.choice(&one.body, exit, after)).collect();
                self.nodes[choice].kind = NodeKind::Choices(firsts, after);
                sequence.extend([choice, after]);
            }
            StmtKind::Do(choices) => {
                let again = self.add(NodeKind::Hop, None, statement.element + 1);
                let choice = self.add_statement(NodeKind::Hop, statement);
                let after = self.add(NodeKind::Hop, None, statement.element + 2);
                let firsts = choices.iter().map(|one| self.choice(&one.body, Some(after), again)).collect();
                self.nodes[choice].kind = NodeKind::Choices(firsts, again);
                sequence.extend([again, choice, after]);
            }
            StmtKind::Atomic(body) | StmtKind::Block(body) => {
                let node = self.add_statement(NodeKind::Hop, statement);
                let inside = self.sequence(body, exit);
                self.nodes[node].kind = NodeKind::Enter(inside[0], inside[inside.len() - 1]);
                if matches!(statement.kind, StmtKind::Atomic(_)) {
                    self.make_atomic(inside[0], inside[inside.len() - 1]);
                }
                sequence.push(node);
            }
            StmtKind::Unless { main, escape } => {
                let node = self.add_statement(NodeKind::Hop, statement);
                let after = self.add(NodeKind::Hop, None, statement.element + 1);
                let guarded = self.sequence(main, exit);
                let escape = self.sequence(escape, exit);
                let (first, last) = (guarded[0], guarded[guarded.len() - 1]);
                self.nodes[last].next = Some(after);
                self.nodes[escape[escape.len() - 1]].next = Some(after);
                self.nodes[node].kind = NodeKind::Guarded(first, after, escape[0]);
                for guarded in guarded {
                    self.attach(guarded, escape[0]);
                }
                sequence.extend([node, after]);
            }
            _ => sequence.push(self.add_statement(NodeKind::Step, statement)),
        }
        let end = self.nodes.len();
        for node in &sequence[at..] {
            self.nodes[*node].end = end;
        }
    }

    /// One choice, which goes on at `after`; returns its first node.
    fn choice(&mut self, body: &'p [Stmt], exit: Option<NodeId>, after: NodeId) -> NodeId {
        let sequence = self.sequence(body, exit);
        self.nodes[sequence[sequence.len() - 1]].next = Some(after);
        sequence[0]
    }

    /// Lets `escape` interrupt at `node` and at everything inside it.
    fn attach(&mut self, node: NodeId, escape: NodeId) {
        if self.nodes[node].escapes.contains(&escape) {
            return;
        }
        self.nodes[node].escapes.push(escape);
        match self.nodes[node].kind.clone() {
            NodeKind::Choices(firsts, _) => {
                firsts.into_iter().for_each(|first| self.attach_all(first, escape))
            }
            NodeKind::Enter(first, _) => self.attach_all(first, escape),
            NodeKind::Guarded(first, _, inner) => {
                self.attach_all(first, escape);
                self.attach_all(inner, escape);
            }
            _ => {}
        }
    }

    fn attach_all(&mut self, first: NodeId, escape: NodeId) {
        let mut at = Some(first);
        let mut seen = FxHashSet::default();
        while let Some(node) = at.filter(|node| seen.insert(*node)) {
            self.attach(node, escape);
            at = self.nodes[node].next;
        }
    }

    fn make_atomic(&mut self, first: NodeId, last: NodeId) {
        self.mark_atomic(first, last);
        match self.nodes[last].kind.clone() {
            NodeKind::Enter(first, last) | NodeKind::Guarded(first, last, _) => self.make_atomic(first, last),
            _ => {
                self.nodes[last].atomic = false;
                self.nodes[last].ends_atomic = true;
            }
        }
    }

    fn mark_atomic(&mut self, first: NodeId, last: NodeId) {
        let mut at = first;
        loop {
            // What ends an inner sequence does not end the outer one.
            let seen = self.nodes[at].atomic;
            self.nodes[at].atomic = true;
            self.nodes[at].ends_atomic = false;
            if !seen {
                match self.nodes[at].kind.clone() {
                    NodeKind::Choices(firsts, after) => {
                        for first in firsts.into_iter().filter(|first| *first != after) {
                            let last = self.last_before(first, after);
                            self.mark_atomic(first, last);
                        }
                    }
                    NodeKind::Enter(first, last) | NodeKind::Guarded(first, last, _) => {
                        self.mark_atomic(first, last)
                    }
                    _ => {}
                }
            }
            match self.nodes[at].next {
                Some(next) if at != last => at = next,
                _ => return,
            }
        }
    }

    /// The last node of a choice that goes on at `after`.
    fn last_before(&self, first: NodeId, after: NodeId) -> NodeId {
        let mut last = first;
        while let Some(next) = self.nodes[last].next.filter(|next| *next != after) {
            last = next;
        }
        last
    }

    /// What ends an inner sequence goes on where the sequence itself goes on. Outer sequences have
    /// smaller numbers than what is inside them.
    fn connect_insides(&mut self) {
        for node in 0..self.nodes.len() {
            if let NodeKind::Enter(_, last) = self.nodes[node].kind {
                self.nodes[last].next = self.nodes[node].next;
            }
        }
    }

    /// A `goto` out of an `atomic` sequence gives control away; one that ends such a sequence and leads into another one
    /// keeps it.
    fn pass_control_on_goto(&mut self) {
        for node in 0..self.nodes.len() {
            let NodeKind::Goto(target) = self.nodes[node].kind else { continue };
            let Some(target) = self.resolve(target) else { continue };
            let is_into_atomic = self.nodes[target].atomic || self.nodes[target].ends_atomic;
            let from = &mut self.nodes[node];
            if from.atomic || from.ends_atomic {
                from.atomic = is_into_atomic;
                from.ends_atomic = !is_into_atomic;
            }
        }
    }

    fn resolve(&self, target: Target) -> Option<NodeId> {
        match target {
            Target::Label(label) => self.labels[label.0 as usize],
            Target::Node(node) => Some(node),
        }
    }

    /// Where control comes to stand that is passed to `node` by a statement that is `atomic`.
    fn land(&self, mut node: NodeId, atomic: bool) -> NodeId {
        for _ in 0..self.nodes.len() {
            let onward = match self.nodes[node].kind {
                NodeKind::Goto(target) => self.resolve(target),
                NodeKind::Hop => self.nodes[node].next,
                NodeKind::Guarded(first, ..) => Some(self.land(first, atomic)),
                _ => None,
            };
            match onward {
                Some(onward) if onward != node && (!atomic || self.nodes[onward].atomic) => node = onward,
                _ => return node,
            }
        }
        node
    }

    /// The first node inside that is more than a way in.
    fn start(&self, mut node: NodeId) -> NodeId {
        for _ in 0..self.nodes.len() {
            node = match (&self.nodes[node].kind, self.nodes[node].next) {
                (NodeKind::Hop, Some(next)) if self.nodes[node].statement.is_none() => next,
                (NodeKind::Guarded(first, ..), _) => *first,
                _ => return node,
            };
        }
        node
    }

    /// The location of a node, made if it is new.
    fn location(&mut self, node: NodeId, waiting: &mut Vec<NodeId>) -> u32 {
        if let Some(location) = self.location_of[node] {
            return location;
        }
        let location = self.locations.len() as u32;
        self.location_of[node] = Some(location);
        self.locations.push(FlowLocation { steps: Vec::new(), statement: self.nodes[node].statement });
        waiting.push(node);
        location
    }

    fn discover(&mut self, first: NodeId) {
        self.location_of = vec![None; self.nodes.len()];
        let mut waiting = Vec::new();
        let start = self.land(first, false);
        self.location(start, &mut waiting);
        self.explore(&mut waiting);
        self.explore_dead_code(&mut waiting);
    }

    /// Gives statements that control never comes to locations of their own, behind all others, so that they
    /// can be told.
    fn explore_dead_code(&mut self, waiting: &mut Vec<NodeId>) {
        let mut ends = false;
        let mut offered: FxHashSet<*const Stmt> = FxHashSet::default();
        let mut looked_at = 0;
        for node in 0..self.nodes.len() {
            for step in self.locations[looked_at..].iter().flat_map(|location| &location.steps) {
                match step.what {
                    What::Statement(statement) => drop(offered.insert(statement)),
                    What::End => ends = true,
                    What::Hop(_) => {}
                }
            }
            looked_at = self.locations.len();
            let is_dead = match (&self.nodes[node].kind, self.nodes[node].statement) {
                (NodeKind::Step, Some(statement)) => !offered.contains(&std::ptr::from_ref(statement)),
                (NodeKind::End, _) => !ends,
                _ => false,
            };
            if is_dead {
                self.location(node, waiting);
                self.explore(waiting);
            }
        }
    }

    /// Finds the steps of the locations that wait for it, and of those they lead to.
    fn explore(&mut self, waiting: &mut Vec<NodeId>) {
        while let Some(node) = waiting.pop() {
            let steps = self.steps_of(node);
            let place = |found: FoundStep<'p>, flow: &mut Self, waiting: &mut Vec<NodeId>| FlowStep {
                target: found.onward.map(|onward| flow.location(onward, waiting)),
                ..found.step
            };
            let steps = steps.into_iter().map(|found| place(found, self, waiting)).collect();
            let location = self.location(node, waiting);
            self.locations[location as usize].steps = steps;
        }
    }

    /// The steps out of a node, escapes first.
    ///
    /// SPIN goes through the control states in the order in which they end in the text and puts, one by one,
    /// the steps of the escapes of each step in front of all others, from the innermost `unless` to the
    /// outermost. An escape that ended before the state did already has its own escapes in front of its
    /// steps, and brings them along as if they were its own.
    fn steps_of(&self, node: NodeId) -> Vec<FoundStep<'p>> {
        let mut steps = Vec::new();
        self.collect(node, &mut steps, &mut Vec::new());
        if matches!(self.nodes[node].kind, NodeKind::Hop) {
            return steps;
        }
        let mut taken: Vec<NodeId> = Vec::new();
        let owners: Vec<NodeId> = steps.iter().map(|found| found.node).collect();
        for escape in owners.iter().flat_map(|owner| &self.nodes[*owner].escapes) {
            if taken.contains(escape) {
                continue;
            }
            taken.push(*escape);
            let first = self.land(*escape, self.nodes[node].atomic);
            let mut escaping = Vec::new();
            if (node..self.nodes[node].end).contains(escape) {
                escaping = self.steps_of(first);
            } else {
                self.collect(first, &mut escaping, &mut Vec::new());
            }
            for mut found in escaping {
                if steps.iter().all(|other| other.node != found.node) {
                    found.step.escape = *escape as u32 + 1;
                    steps.insert(0, found);
                }
            }
        }
        steps
    }

    fn collect(&self, node: NodeId, steps: &mut Vec<FoundStep<'p>>, path: &mut Vec<NodeId>) {
        // A loop of empty choices begins with itself.
        if path.contains(&node) {
            return;
        }
        let it = &self.nodes[node];
        let mut push = |what, onward: Option<NodeId>| {
            let onward = onward.map(|onward| self.land(onward, it.atomic));
            let step =
                FlowStep { what, element: it.element, target: None, keeps_control: it.atomic, escape: 0 };
            steps.push(FoundStep { step, node, onward });
        };
        match &it.kind {
            NodeKind::Step => {
                if let Some(statement) = it.statement {
                    push(What::Statement(statement), it.next);
                }
            }
            NodeKind::Goto(target) => push(What::Hop(it.statement), self.resolve(*target)),
            NodeKind::Hop => push(What::Hop(it.statement), it.next),
            NodeKind::End => push(What::End, None),
            NodeKind::Choices(firsts, _) => {
                path.push(node);
                for first in firsts {
                    self.collect(self.start(*first), steps, path);
                }
                path.pop();
            }
            NodeKind::Enter(first, _) | NodeKind::Guarded(first, ..) => {
                path.push(node);
                self.collect(self.start(*first), steps, path);
                path.pop();
            }
        }
    }

    /// The location a label names, if control can stand there.
    pub(crate) fn label_location(&self, label: LabelId) -> Option<u32> {
        self.labels[label.0 as usize].and_then(|node| self.location_of[node])
    }
}
