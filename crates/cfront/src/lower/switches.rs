//! Switches: an edge for every case, and one for none of them.

use model::{Binary, Command, Expr, Outcome, StatementKind};
use source::Span;

use super::Lowered;
use super::body::Body;
use crate::tree::{Case, ExprId, StmtId};

impl Body<'_, '_> {
    pub(super) fn switch(
        &mut self,
        head: Span,
        value: ExprId,
        body: StmtId,
        cases: &[Case],
        default: Option<StmtId>,
    ) -> Lowered<()> {
        self.begin(head, StatementKind::Branch);
        let value = self.value(value)?;
        // The value is asked for many times.
        let value = match value {
            Expr::Load(place) if place.indices.is_empty() => Expr::Load(place),
            value => self.keep(value),
        };
        if !self.commands.is_empty() {
            self.cut();
        }
        let from = self.at;
        let end = self.location();
        let mut none: Option<Expr> = None;
        for case in cases {
            let target = self.target(case.target);
            let holds = chosen(&value, case);
            let fails = Expr::negation(holds.clone());
            none = Some(match none {
                None => fails,
                Some(before) => Expr::AndAlso(Box::new(before), Box::new(fails)),
            });
            self.at = from;
            self.emit(Command::Assume(holds));
            let text = match (case.low, case.high) {
                (low, high) if low == high => format!("case {low}"),
                (low, high) => format!("case {low} ... {high}"),
            };
            self.flush(target, Some(Outcome::Case(text)));
        }
        self.at = from;
        self.emit(Command::Assume(none.unwrap_or(Expr::Constant(1))));
        let otherwise = default.map_or(end, |default| self.target(default));
        self.flush(otherwise, Some(Outcome::Case("default".to_owned())));
        self.at = self.location();
        self.breaks.push(end);
        self.run(body);
        self.breaks.pop();
        self.join(end);
        Ok(())
    }

    fn target(&mut self, target: StmtId) -> u32 {
        if let Some(known) = self.targets.get(&target) {
            return *known;
        }
        let new = self.location();
        self.targets.insert(target, new);
        new
    }
}

fn chosen(value: &Expr, case: &Case) -> Expr {
    let (low, high) = (Expr::Constant(case.low as i64), Expr::Constant(case.high as i64));
    if case.low == case.high {
        return Expr::binary(Binary::Equal, value.clone(), low);
    }
    let above = Expr::binary(Binary::GreaterEqual, value.clone(), low);
    let below = Expr::binary(Binary::LessEqual, value.clone(), high);
    Expr::AndAlso(Box::new(above), Box::new(below))
}
