//! `for` and `select`, written out as SPIN writes them out.
//!
//! - `for (i : a .. b) { s }` is `i = a; do :: i <= b -> s; i++ :: else -> break od`
//! - `for (i in array)` is the same from 0 to the last index
//! - `for (m in channel)` turns the channel once around: a counter runs from 0 while it is below the
//!   length, and each turn receives `m` and sends it back
//! - `select (x : a .. b)` is `x = a; do :: break :: x < b -> x++ od`, or, where SPIN's lexical analysis
//!   does it, `if` with an assignment for each value (up to 33 of them), or the loop with its choices
//!   exchanged

use super::statements::increased;
use super::{
    Choice, Expr, ExprKind, Initial, Owner, Pattern, Place, Resolver, Stmt, StmtKind, Type, VarId, Variable,
    constants,
};
use crate::syntax::{self, BinaryOp, VarRef};

/// A literal range of `select` with a greater distance becomes a loop.
const SELECT_DISTANCE: i32 = 32;

impl<'m> Resolver<'m> {
    pub(super) fn for_range(
        &mut self,
        statement: &'m syntax::Stmt,
        index: &'m VarRef,
        from: &'m syntax::Expr,
        to: &'m syntax::Expr,
        body: &'m [syntax::Stmt],
        into: &mut Vec<Stmt>,
    ) -> Option<StmtKind> {
        let index = self.loop_variable(index);
        let (from, to) = (self.expr(from), self.expr(to));
        self.check_bounds(&from, &to);
        let Some(index) = index else {
            self.loop_body(body);
            return None;
        };
        self.counted_loop(statement, index, from, to, body, into)
    }

    pub(super) fn for_in(
        &mut self,
        statement: &'m syntax::Stmt,
        index: &'m VarRef,
        container: &'m VarRef,
        body: &'m [syntax::Stmt],
        into: &mut Vec<Stmt>,
    ) -> Option<StmtKind> {
        let is_record = matches!(index.parts.as_slice(), [part]
            if self.find_variable(&part.name.name)
                .is_some_and(|id| matches!(self.program.variable(id).ty, Type::Record(_))));
        if is_record {
            return self.for_message(statement, index, container, body, into);
        }
        let index = self.loop_variable(index);
        let length = self.array_length_of(container);
        let (Some(index), Some(length)) = (index, length) else {
            self.loop_body(body);
            return None;
        };
        let number = |value: i32| Expr { kind: ExprKind::Number(value), span: container.span };
        self.counted_loop(statement, index, number(0), number(length as i32 - 1), body, into)
    }

    /// The variable of a loop: a plain one.
    fn loop_variable(&mut self, name: &'m VarRef) -> Option<Place> {
        let place = self.scalar(name)?;
        if !place.fields.is_empty() || place.index.is_some() || place.ty == Type::Chan {
            self.error_help(name.span, "this cannot be the variable of a loop", "use a plain variable");
            return None;
        }
        Some(place)
    }

    fn check_bounds(&mut self, from: &Expr, to: &Expr) {
        if let (Some(low), Some(high)) = (constants::fold(from), constants::fold(to))
            && low > high
        {
            self.warning(from.span, format!("the range from {low} to {high} is empty"));
        }
    }

    fn loop_body(&mut self, body: &'m [syntax::Stmt]) -> Vec<Stmt> {
        self.here().loops += 1;
        let body = self.block(body);
        self.here().loops -= 1;
        body
    }

    fn counted_loop(
        &mut self,
        statement: &syntax::Stmt,
        index: Place,
        from: Expr,
        to: Expr,
        body: &'m [syntax::Stmt],
        into: &mut Vec<Stmt>,
    ) -> Option<StmtKind> {
        let start = StmtKind::Assign { target: index.clone(), value: from };
        let start = self.made(start, index.span, statement.expansion);
        into.push(start);
        let guard = compare(&index, BinaryOp::LessEqual, to);
        let guard = self.made(guard, index.span, statement.expansion);
        let mut turn = vec![guard];
        turn.extend(self.loop_body(body));
        Some(self.looped(statement, index, turn))
    }

    /// `do :: turn; index++ :: else -> break od`
    fn looped(&mut self, statement: &syntax::Stmt, index: Place, mut turn: Vec<Stmt>) -> StmtKind {
        let span = index.span;
        let next = self.made(increased(index, BinaryOp::Add), span, statement.expansion);
        turn.push(next);
        let otherwise = self.made(StmtKind::Else, span, statement.expansion);
        let leave = self.made(StmtKind::Break, span, statement.expansion);
        StmtKind::Do(vec![
            Choice { body: turn, span: statement.span },
            Choice { body: vec![otherwise, leave], span },
        ])
    }

    /// `for (message in channel)`
    fn for_message(
        &mut self,
        statement: &'m syntax::Stmt,
        message: &'m VarRef,
        container: &'m VarRef,
        body: &'m [syntax::Stmt],
        into: &mut Vec<Stmt>,
    ) -> Option<StmtKind> {
        let message = self.place(message);
        let channel = self.channel_place(container);
        let (Some(message), Some(channel)) = (message, channel) else {
            self.loop_body(body);
            return None;
        };
        let Some(capacity) = self.message_capacity(&channel, message.ty) else {
            let help = "its declaration must be `chan c = [n] of { type of the record }` with n above 0";
            self.error_help(container.span, "this channel does not hold such records", help);
            self.loop_body(body);
            return None;
        };
        let expansion = statement.expansion;
        let span = container.span;
        let counter = self.loop_counter(capacity, span);
        let start = StmtKind::Assign { target: counter.clone(), value: Self::zero(span) };
        let start = self.made(start, span, expansion);
        into.push(start);
        let length = Expr { kind: ExprKind::Len(channel.clone()), span };
        let guard = self.made(compare(&counter, BinaryOp::Less, length), span, expansion);
        let parts = self.taken_apart(message);
        let patterns = parts.iter().cloned().map(Pattern::Store).collect();
        let take = StmtKind::Receive { channel: channel.clone(), random: false, keep: false, patterns };
        let take = self.made(take, span, expansion);
        let values = parts.into_iter().map(|part| Expr { span, kind: ExprKind::Load(part) }).collect();
        let put = self.made(StmtKind::Send { channel, sorted: false, values }, span, expansion);
        let mut turn = vec![guard, take, put];
        turn.extend(self.loop_body(body));
        Some(self.looped(statement, counter, turn))
    }

    /// The capacity of a channel that holds just this record.
    fn message_capacity(&self, channel: &Place, record: Type) -> Option<u32> {
        match &self.program.variable(channel.variable).initial {
            Initial::Channel(init) if init.declared == [record] && init.capacity > 0 => Some(init.capacity),
            _ => None,
        }
    }

    /// The hidden counter of loops over channels; one per scope, as in SPIN.
    fn loop_counter(&mut self, capacity: u32, span: source::Span) -> Place {
        let ty = if capacity > 255 { Type::Short } else { Type::Byte };
        let id = match self.here().counter() {
            Some(id) => id,
            None => {
                let process = self.here().process;
                let id = VarId(self.program.variables.len() as u32);
                self.program.variables.push(Variable {
                    name: "_f0r_t3mp".to_owned(),
                    ty,
                    length: None,
                    initial: Initial::Zero,
                    owner: Owner::Local(process),
                    visibility: None,
                    span,
                });
                self.program.processes[process.0 as usize].locals.push(id);
                self.here().set_counter(id);
                id
            }
        };
        self.program.variables[id.0 as usize].ty = ty;
        Place { variable: id, index: None, fields: Vec::new(), ty, span }
    }

    pub(super) fn select(
        &mut self,
        statement: &'m syntax::Stmt,
        target: &'m VarRef,
        from: &'m syntax::Expr,
        to: &'m syntax::Expr,
        literal: bool,
        into: &mut Vec<Stmt>,
    ) -> Option<StmtKind> {
        let place = if literal { self.scalar(target) } else { self.loop_variable(target) };
        let (low, high) = (self.expr(from), self.expr(to));
        let place = place?;
        let (span, expansion) = (statement.span, statement.expansion);
        let assign = |value: Expr| StmtKind::Assign { target: place.clone(), value };
        if let (true, ExprKind::Number(first), ExprKind::Number(last)) = (literal, &low.kind, &high.kind) {
            let (first, last) = (*first, *last);
            if first > last {
                self.error(span, format!("the range from {first} to {last} is empty"));
                return None;
            }
            if last.checked_sub(first).is_some_and(|distance| distance <= SELECT_DISTANCE) {
                let choice = |resolver: &mut Self, value: i32| {
                    let value = Expr { kind: ExprKind::Number(value), span };
                    Choice { body: vec![resolver.made(assign(value), span, expansion)], span }
                };
                return Some(StmtKind::If((first..=last).map(|value| choice(self, value)).collect()));
            }
        }
        self.check_bounds(&low, &high);
        let start = self.made(assign(low), span, expansion);
        into.push(start);
        let guard = self.made(compare(&place, BinaryOp::Less, high), span, expansion);
        let next = self.made(increased(place, BinaryOp::Add), span, expansion);
        let leave = self.made(StmtKind::Break, span, expansion);
        let mut choices = vec![Choice { body: vec![leave], span }, Choice { body: vec![guard, next], span }];
        if literal {
            choices.reverse();
        }
        Some(StmtKind::Do(choices))
    }
}

fn compare(place: &Place, op: BinaryOp, bound: Expr) -> StmtKind {
    let span = place.span;
    let left = Box::new(Expr { kind: ExprKind::Load(place.clone()), span });
    StmtKind::Condition(Expr { kind: ExprKind::Binary { op, left, right: Box::new(bound) }, span })
}
