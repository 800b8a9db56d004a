//! Statements as people write them, with the arguments of inlines in place of their parameters.

use graph::{ConditionPart, ConditionParts};

use super::scene::Scene;
use super::{Teller, spelling};
use crate::resolve::{Expr, ExprKind, StmtKind};

impl Teller<'_> {
    /// The text of a statement, if it is a plain one.
    pub(crate) fn spelled(&self, statement: usize) -> Option<String> {
        let statement = self.origins.statements.get(statement).copied().flatten()?;
        let program = self.program;
        let expression = |expr: &Expr| spelling::expression(program, expr);
        let place = |place| spelling::place(program, place, |_| None);
        Some(match &statement.kind {
            StmtKind::Condition(Expr { kind: ExprKind::Number(1), .. }) => "skip".to_owned(),
            StmtKind::Condition(expr) if !is_run(expr) => expression(expr),
            StmtKind::Assign { target, value } if !is_run(value) => {
                format!("{} = {}", place(target), expression(value))
            }
            StmtKind::Assert(expr) => format!("assert({})", expression(expr)),
            StmtKind::Send { channel, sorted, values } => {
                let values: Vec<String> = values.iter().map(expression).collect();
                format!("{}{}{}", place(channel), if *sorted { "!!" } else { "!" }, values.join(", "))
            }
            StmtKind::Receive { channel, random, keep, patterns } => {
                let patterns = spelling::patterns(program, patterns);
                let operator = if *random { "??" } else { "?" };
                let patterns = if *keep { format!("<{patterns}>") } else { patterns };
                format!("{}{operator}{patterns}", place(channel))
            }
            _ => return None,
        })
    }
}

impl Teller<'_> {
    /// Why the condition of an assertion is false in a state: "`x == 1` is false: x is 0".
    pub(crate) fn why_false(&self, state: &[u8], process: usize, statement: usize) -> Option<String> {
        let statement = self.origins.statements.get(statement).copied().flatten()?;
        let StmtKind::Assert(expr) = &statement.kind else { return None };
        Some(Scene::new(self, state).why_false(process, expr))
    }

    /// Whether a condition that stands as a statement holds in a state.
    pub(crate) fn holds(&self, state: &[u8], process: usize, statement: usize) -> Option<bool> {
        let statement = self.origins.statements.get(statement).copied().flatten()?;
        let StmtKind::Condition(expr) = &statement.kind else { return None };
        let value = (!is_run(expr)).then(|| Scene::new(self, state).value(process, expr));
        value.flatten().map(|value| value != 0)
    }

    /// A condition on all variables, as formulas have it, in a state: part by part, and whether it holds.
    pub(crate) fn condition_on_state(&self, state: &[u8], expr: &Expr) -> (Vec<ConditionPart>, Option<bool>) {
        // It names no variables of the process that asks.
        const ASKING: usize = 0;
        let (mut scene, mut found) = (Scene::new(self, state), ConditionParts::default());
        scene.in_formula = true;
        scene.parts(ASKING, expr, None, &mut found);
        (found.finish(), scene.value(ASKING, expr).map(|value| value != 0))
    }

    /// The condition of an assertion in a state, part by part.
    pub(crate) fn condition(&self, state: &[u8], process: usize, statement: usize) -> Vec<ConditionPart> {
        let mut found = ConditionParts::default();
        let statement = self.origins.statements.get(statement).copied().flatten();
        if let Some(StmtKind::Assert(expr)) = statement.map(|statement| &statement.kind) {
            Scene::new(self, state).parts(process, expr, None, &mut found);
        }
        found.finish()
    }
}

fn is_run(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Run { .. })
}
