//! Sending and receiving: what is sent must fit what the channel holds, as far as that is known. It is
//! known for a channel that is initialised where it is declared, not for one that is a parameter.

use source::Span;

use super::{Expr, ExprKind, Initial, Pattern, Place, Resolver, StmtKind, Type};
use crate::syntax::{self, Part, VarRef};

impl<'m> Resolver<'m> {
    pub(super) fn send(
        &mut self,
        channel: &'m VarRef,
        sorted: bool,
        values: &'m [syntax::Expr],
        span: Span,
    ) -> Option<StmtKind> {
        let channel = self.channel_place(channel);
        if self.in_trace() {
            let patterns = self.event_patterns(values);
            return Some(StmtKind::Event { channel: channel?, sent: true, patterns });
        }
        let values = self.values(values);
        let channel = channel?;
        if let Some(fields) = self.fields_of(&channel) {
            let message = || format!("this sends {}, but the channel holds {fields}", values.len());
            if values.len() > fields {
                self.error_help(
                    span,
                    message(),
                    "a message has as many parts as its channel was declared with",
                );
            } else if values.len() < fields {
                self.warning_help(
                    span,
                    message(),
                    "to execute it is a fault; the parts that are left out are 0",
                );
            }
        }
        Some(StmtKind::Send { channel, sorted, values })
    }

    pub(super) fn receive(
        &mut self,
        channel: &'m VarRef,
        random: bool,
        keep: bool,
        patterns: &'m [syntax::Pattern],
        span: Span,
    ) -> Option<StmtKind> {
        let channel = self.channel_place(channel);
        let patterns = self.patterns(patterns);
        if self.in_trace() {
            return Some(StmtKind::Event { channel: channel?, sent: false, patterns });
        }
        self.check_distinct(&patterns);
        let channel = channel?;
        self.check_receive(&channel, patterns.len(), span);
        Some(StmtKind::Receive { channel, random, keep, patterns })
    }

    /// What is sent, in a trace assertion.
    fn event_patterns(&mut self, values: &'m [syntax::Expr]) -> Vec<Pattern> {
        let mut patterns = Vec::with_capacity(values.len());
        for value in values {
            match &value.kind {
                syntax::ExprKind::Name(name) if name.parts[0].name.name == "_" => {
                    patterns.push(Pattern::Ignore(value.span));
                }
                _ => {
                    patterns.extend(self.values(std::slice::from_ref(value)).into_iter().map(Pattern::Match))
                }
            }
        }
        patterns
    }

    /// How many parts the messages of a channel have, if its declaration tells.
    fn fields_of(&self, channel: &Place) -> Option<usize> {
        let variable = self.program.variable(channel.variable);
        let mut initial = &variable.initial;
        let mut ty = variable.ty;
        for step in &channel.fields {
            let Type::Record(record) = ty else { return None };
            let field = self.program.record(record).fields.get(step.field as usize)?;
            (initial, ty) = (&field.initial, field.ty);
        }
        match initial {
            Initial::Channel(channel) => Some(channel.fields.len()),
            _ => None,
        }
    }

    pub(super) fn check_receive(&mut self, channel: &Place, patterns: usize, span: Span) {
        if let Some(fields) = self.fields_of(channel)
            && fields != patterns
        {
            let message = format!("this receives {patterns}, but the channel holds {fields}");
            let help = if patterns > fields {
                "to execute it is a fault; the parts that are too many get 0"
            } else {
                "to execute it is a fault, unless it is in `<` `>`; the other parts are dropped"
            };
            self.warning_help(span, message, help);
        }
    }

    pub(super) fn patterns(&mut self, patterns: &'m [syntax::Pattern]) -> Vec<Pattern> {
        let mut resolved = Vec::with_capacity(patterns.len());
        for pattern in patterns {
            match pattern {
                syntax::Pattern::Eval(value) => {
                    for value in self.values(std::slice::from_ref(value)) {
                        resolved.push(Pattern::Match(value));
                    }
                }
                syntax::Pattern::Number(number) => {
                    let kind = ExprKind::Number(number.value);
                    resolved.push(Pattern::Match(Expr { kind, span: number.span }));
                }
                syntax::Pattern::Name(name) => self.named_pattern(name, &mut resolved),
            }
        }
        resolved
    }

    fn named_pattern(&mut self, name: &'m VarRef, resolved: &mut Vec<Pattern>) {
        if let [Part { name: ident, index: None }] = name.parts.as_slice() {
            if ident.name == "_" {
                resolved.push(Pattern::Ignore(ident.span));
                return;
            }
            if matches!(ident.name.as_str(), "_pid" | "_last" | "_nr_pr" | "_priority") {
                let help = format!("to compare, write `eval({})`", ident.name);
                self.error_help(ident.span, format!("`{}` cannot be received into", ident.name), help);
                return;
            }
            if let Some((kind, value)) = self.find_constant(&ident.name) {
                let kind = ExprKind::MtypeConstant(kind, value);
                resolved.push(Pattern::Match(Expr { kind, span: ident.span }));
                return;
            }
        }
        if let Some(place) = self.place(name) {
            resolved.extend(self.taken_apart(place).into_iter().map(Pattern::Store));
        }
    }

    /// SPIN refuses a plain variable that would take two parts of a message.
    fn check_distinct(&mut self, patterns: &[Pattern]) {
        let plain = |pattern: &Pattern| match pattern {
            Pattern::Store(place) if place.index.is_none() && place.fields.is_empty() => {
                Some((place.variable, place.span))
            }
            _ => None,
        };
        let mut seen = rustc_hash::FxHashSet::default();
        for (variable, span) in patterns.iter().filter_map(plain) {
            if !seen.insert(variable) {
                let message = format!(
                    "`{}` would receive two parts of one message",
                    self.program.variable(variable).name
                );
                self.error_help(span, message, "use `_` for a part that is not needed");
            }
        }
    }
}
