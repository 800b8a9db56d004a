//! What a statement should have made: where the trace leaves no choice, the variable or simple expression that it
//! always equals (Pu's Remark 2, but for all models and not for one).

use encode::expr::Value;
use encode::solver::{Literal, Stop};
use encode::unwind::{At, Probe};
use graph::Watch;
use model::{Binary, Expr, Program, Scalar, StatementKind};

use crate::Text;
use crate::formula::{Question, Refused, TraceFormula};
use crate::suspects::edge;

/// How many expressions are tried.
const MOST_TRIED: usize = 120;

/// An expression that the value a statement makes has to equal, whatever the inputs of the trace are.
pub(crate) fn equal(
    text: &dyn Text,
    program: &Program,
    path: &[At],
    statement: u32,
    inputs: Option<&[i64]>,
    watch: &dyn Watch,
) -> Result<Option<String>, Stop> {
    if program.statements[statement as usize].kind == StatementKind::Branch {
        return Ok(None);
    }
    let steps: Vec<u32> = (0..)
        .zip(path)
        .filter(|(_, at)| edge(program, **at).statement == statement)
        .map(|(step, _)| step)
        .collect();
    let candidates = candidates(text, statement);
    let mut probes = Vec::new();
    for step in &steps {
        probes.extend(candidates.iter().map(|(_, expr)| Probe { step: *step, expr: expr.clone() }));
    }
    let suspects = [statement];
    let question = Question { program, path, suspects: &suspects, probes: &probes, inputs };
    let mut formula = match TraceFormula::new(&question, watch) {
        Ok(formula) => formula,
        Err(Refused::Stopped(stop)) => return Err(stop),
        Err(_) => return Ok(None),
    };
    // Of what an edge makes, the last is what the statement is for.
    let mut made: Vec<Option<(Value, Scalar)>> = vec![None; steps.len()];
    for write in &formula.traced.writes {
        if let Ok(number) = steps.binary_search(&write.step) {
            made[number] = Some((write.value.clone(), write.scalar));
        }
    }
    if !formula.can_rightly(&suspects, &[])? {
        return Ok(None);
    }
    for (number, (name, _)) in candidates.iter().enumerate() {
        let circuit = &mut formula.unwinder.circuit;
        let mut differs = Vec::new();
        let mut known = false;
        for (instance, made) in made.iter().enumerate() {
            let seen = &formula.traced.seen[instance * candidates.len() + number];
            if let (Some((made, scalar)), Some(seen)) = (made, seen) {
                let seen = seen.wrap(*scalar);
                differs.push(!circuit.same_value(made, &seen));
                known = true;
            }
        }
        let differs = circuit.any(differs);
        if known && differs != Literal::FALSE && !formula.can_rightly(&suspects, &[differs])? {
            return Ok(Some(name.clone()));
        }
    }
    Ok(None)
}

/// What might be named: variables in scope, these plus and minus 1, and constants.
fn candidates(text: &dyn Text, statement: u32) -> Vec<(String, Expr)> {
    let variables = text.in_scope(statement);
    let mut found: Vec<(String, Expr)> =
        variables.iter().map(|(name, place)| (name.clone(), Expr::Load(place.clone()))).collect();
    for (sign, operator) in [("+", Binary::Add), ("-", Binary::Subtract)] {
        found.extend(variables.iter().map(|(name, place)| {
            let moved = Expr::binary(operator, Expr::Load(place.clone()), Expr::Constant(1));
            (format!("{name} {sign} 1"), moved)
        }));
    }
    let constants = constants(text.program(), statement);
    found.extend(constants.into_iter().map(|number| (number.to_string(), Expr::Constant(number))));
    found.truncate(MOST_TRIED);
    found
}

/// The numbers that the function of a statement names, and the smallest ones.
fn constants(program: &Program, statement: u32) -> Vec<i64> {
    let mut found = std::collections::BTreeSet::from([-1, 0, 1]);
    let function = program.statements[statement as usize].function;
    for edge in &program.functions[function.0 as usize].edges {
        let statement = &program.statements[edge.statement as usize];
        for word in statement.text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            found.extend(word.parse::<i64>());
        }
    }
    found.into_iter().collect()
}
