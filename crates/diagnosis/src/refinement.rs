//! Which diagnoses are redundant (Pu 2013, Section IV).
//!
//! A model of a diagnosis says which conditions would have to hold where the constraint stands. If a real run of the
//! program meets just these conditions there, the program can do what it should have done, and the statements may be
//! right although they appear wrong. The paper looks at the one model that its solver returns, so what it finds
//! depends on the solver; here a diagnosis is redundant if there is such a run for some model. Conditions are those of
//! the branches on the trace and the comparisons in the constraint, as far as they can be evaluated at its place.

use encode::solver::{Literal, Stop};
use encode::unwind::{At, Probe};
use model::{Base, Binary, Command, Expr, Function, Place, Program, Unary};

use crate::formula::TraceFormula;
use crate::runs::Runs;
use crate::suspects::edge;

/// How many conditions are compared, and how many combinations of their values are tried.
const MOST_CONDITIONS: usize = 24;
const MOST_MODELS: usize = 16;

/// The conditions to look at before a step of a trace.
pub(crate) fn conditions(program: &Program, path: &[At], step: usize) -> Vec<Probe> {
    let here = path[step];
    let function = &program.functions[here.function as usize];
    let mut atoms: Vec<Expr> = Vec::new();
    for at in &path[..=step] {
        for command in &edge(program, *at).commands {
            let condition = match command {
                Command::Assume(condition) | Command::Assert(condition) => condition,
                Command::Set(place, value) if place.scalar.bits == 1 && *at == here => value,
                _ => continue,
            };
            collect(condition, &mut |atom| {
                let known = at.function == here.function && lasts(atom, function) || is_global(atom);
                if known && !atoms.contains(atom) && atoms.len() < MOST_CONDITIONS {
                    atoms.push(atom.clone());
                }
            });
        }
    }
    atoms.into_iter().map(|expr| Probe { step: step as u32, expr }).collect()
}

/// The comparisons in a condition.
fn collect(condition: &Expr, found: &mut impl FnMut(&Expr)) {
    match condition {
        Expr::Constant(_) => {}
        Expr::Unary(Unary::Not, inner) => collect(inner, found),
        Expr::AndAlso(one, other) | Expr::OrElse(one, other) => {
            collect(one, found);
            collect(other, found);
        }
        Expr::Binary(Binary::NotEqual, inner, zero) if **zero == Expr::Constant(0) && is_condition(inner) => {
            collect(inner, found);
        }
        _ => found(condition),
    }
}

fn is_condition(expr: &Expr) -> bool {
    match expr {
        Expr::Unary(Unary::Not, _) | Expr::AndAlso(..) | Expr::OrElse(..) => true,
        Expr::Binary(operator, ..) => operator.is_comparison(),
        _ => false,
    }
}

/// Whether an expression looks at named variables only: temporaries are gone when their statement is.
fn lasts(expr: &Expr, function: &Function) -> bool {
    all_places(expr, |place| place.base == Base::Global || place.offset < function.temporaries)
}

fn is_global(expr: &Expr) -> bool {
    all_places(expr, |place| place.base == Base::Global)
}

fn all_places(expr: &Expr, good: impl Fn(&Place) -> bool) -> bool {
    let mut all = true;
    expr.for_each_part(&mut |part| match part {
        Expr::Load(place) => all &= good(place),
        // Pointers of other calls may lead elsewhere.
        Expr::Deref(..) | Expr::Ask(..) | Expr::Apply(..) => all = false,
        _ => {}
    });
    all
}

/// Whether a real run meets, where the constraint stands, the conditions of some model of a diagnosis. The formula and
/// the runs have the same conditions.
pub(crate) fn is_redundant(
    formula: &mut TraceFormula<'_, '_>,
    runs: &mut Runs<'_, '_>,
    statements: &[u32],
) -> Result<bool, Stop> {
    let circuit = &mut formula.unwinder.circuit;
    let seen = formula.traced.seen.iter().map(|seen| seen.as_ref().map(|value| value.is_true(circuit)));
    let literals: Vec<Option<Literal>> = seen.collect();
    // What rules out the models that were tried belongs to this diagnosis only.
    let only_here = formula.unwinder.circuit.solver.fresh();
    for _ in 0..MOST_MODELS {
        if !formula.can_rightly(statements, &[only_here])? {
            return Ok(false);
        }
        let solver = &formula.unwinder.circuit.solver;
        let values: Vec<Option<bool>> =
            literals.iter().map(|literal| literal.map(|literal| solver.is_true(literal))).collect();
        if runs.meets(&values)? {
            return Ok(true);
        }
        let mut others = vec![!only_here];
        let told = literals.iter().zip(&values);
        others.extend(told.filter_map(|(literal, value)| Some((*literal)?.flipped((*value)?))));
        formula.unwinder.circuit.solver.clause(&others);
    }
    Ok(false)
}
