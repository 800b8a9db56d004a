//! Absence of function (Pu's Definition 4): the trace itself can be right, and what should hold does not follow from
//! it. So no statement of it need be wrong; something is missing.

use encode::solver::{Literal, Stop};
use encode::unwind::{At, Probe};
use graph::Watch;
use model::{Binary, Command, Expr, Program};

use crate::formula::{Question, Refused, TraceFormula};
use crate::suspects::edge;

#[derive(Clone, Debug)]
pub(crate) struct Absence {
    pub(crate) unimplied: Vec<String>,
    pub(crate) passing: Vec<i64>,
    pub(crate) failing: Vec<i64>,
}

/// What is missing on a trace whose constraint stands at the step `goal`.
pub(crate) fn absence(
    program: &Program,
    path: &[At],
    goal: usize,
    inputs: &[i64],
    watch: &dyn Watch,
) -> Result<Option<Absence>, Stop> {
    let statement = edge(program, path[goal]).statement;
    let parts = edge(program, path[goal]).commands.iter().find_map(|command| match command {
        Command::Assert(condition) | Command::Assume(condition) => Some(conjuncts(condition)),
        Command::Set(place, value) if place.scalar.bits == 1 => Some(conjuncts(value)),
        _ => None,
    });
    let parts = parts.unwrap_or_default();
    let probes: Vec<Probe> =
        parts.iter().map(|part| Probe { step: goal as u32, expr: (*part).clone() }).collect();
    let question = Question { program, path, suspects: &[], probes: &probes, inputs: None };
    let mut formula = match TraceFormula::new(&question, watch) {
        Ok(formula) => formula,
        Err(Refused::Stopped(stop)) => return Err(stop),
        Err(_) => return Ok(None),
    };
    if !formula.can_rightly(&[], &[])? {
        return Ok(None);
    }
    let passing = formula.model_inputs();
    let told = &program.statements[statement as usize].text;
    let texts = texts(told);
    let mut unimplied = Vec::new();
    for (number, seen) in formula.traced.seen.clone().into_iter().enumerate() {
        let Some(seen) = seen else { continue };
        let holds = seen.is_true(&mut formula.unwinder.circuit);
        if holds != Literal::TRUE && formula.can(&[], &[!holds])? && texts.len() == parts.len() {
            unimplied.push(texts[number].clone());
        }
    }
    if unimplied.is_empty() {
        unimplied.push(texts.join(" && "));
    }
    Ok(Some(Absence { unimplied, passing, failing: inputs.to_vec() }))
}

/// What all has to hold for a condition to hold.
fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    match condition {
        Expr::AndAlso(one, other) => {
            let mut parts = conjuncts(one);
            parts.extend(conjuncts(other));
            parts
        }
        Expr::Binary(Binary::NotEqual, inner, zero)
            if **zero == Expr::Constant(0) && matches!(**inner, Expr::AndAlso(..)) =>
        {
            conjuncts(inner)
        }
        _ => vec![condition],
    }
}

/// The parts of a condition as they are written, between `&&` outside of all brackets.
pub(crate) fn texts(statement: &str) -> Vec<String> {
    let inside = match (statement.find('('), statement.rfind(')')) {
        (Some(open), Some(close)) if open < close => &statement[open + 1..close],
        _ => statement,
    };
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, 0);
    let bytes = inside.as_bytes();
    for at in 0..bytes.len() {
        match bytes[at] {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'&' if depth == 0 && at > start && bytes[at - 1] == b'&' => {
                parts.push(inside[start..at - 1].trim().to_owned());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(inside[start..].trim().to_owned());
    parts
}
