//! Runs along a trace, all of them, one by one: every input, and at every abnormal assignment every value. This is
//! the definition, followed with the evaluator.

use encode::ssa::{Effect, TraceStep};
use model::{Code, Context, Expr, Fault, Host, Place, Scalar, compile, compile_place};

struct Alone;

impl Host for Alone {
    fn ask(&self, _: u32, _: &[i64], _: &Context<'_>) -> Result<i64, Fault> {
        Ok(0)
    }

    fn frame_of(&self, value: i64, _: &Context<'_>) -> Result<usize, Fault> {
        Err(Fault::NoProcess(value))
    }
}

fn run(code: &Code, bytes: &[u8]) -> Option<i64> {
    code.run(&Context { bytes, local: 0, process: 0 }, &Alone).ok()
}

/// The value of an expression, if it has one.
pub(crate) fn value(expr: &Expr, bytes: &[u8]) -> Option<i64> {
    run(&compile(expr).expect("not deep"), bytes)
}

/// Where a place lies, if it does.
pub(crate) fn address(place: &Place, bytes: &[u8]) -> Option<usize> {
    run(&compile_place(place).expect("not deep"), bytes).map(|address| address as usize)
}

/// Whether some run along the trace fulfils everything when just these statements are abnormal.
pub(crate) fn is_satisfiable(bytes: &[u8], steps: &[TraceStep], abnormal: &[u32]) -> bool {
    let effects: Vec<(bool, &Effect)> = steps
        .iter()
        .flat_map(|step| step.effects.iter().map(|effect| (abnormal.contains(&step.statement), effect)))
        .collect();
    goes_on(bytes, &effects)
}

fn goes_on(bytes: &[u8], effects: &[(bool, &Effect)]) -> bool {
    let Some(((abnormal, effect), rest)) = effects.split_first() else { return true };
    match effect {
        Effect::Guard(_) if *abnormal => goes_on(bytes, rest),
        Effect::Guard(expr) | Effect::Assume(expr) | Effect::Check(expr) => {
            value(expr, bytes).is_some_and(|value| value != 0) && goes_on(bytes, rest)
        }
        Effect::Assign { place, .. } if *abnormal => match address(place, bytes) {
            Some(address) => with_any(bytes, address, place.scalar, place.scalar, rest),
            None => goes_on(bytes, rest),
        },
        Effect::Assign { place, value: expr } => match (address(place, bytes), value(expr, bytes)) {
            (Some(address), Some(value)) => {
                let mut bytes = bytes.to_vec();
                place.scalar.store(&mut bytes[address..], value);
                goes_on(&bytes, rest)
            }
            _ => false,
        },
        Effect::Input { place, width } => match address(place, bytes) {
            Some(address) => {
                with_any(bytes, address, place.scalar, Scalar { bits: *width, ..place.scalar }, rest)
            }
            None => false,
        },
    }
}

/// Whether some value of the type `values`, stored as `scalar`, lets the run go on.
fn with_any(bytes: &[u8], address: usize, scalar: Scalar, values: Scalar, rest: &[(bool, &Effect)]) -> bool {
    (0..1i64 << values.bits).any(|pattern| {
        let mut bytes = bytes.to_vec();
        scalar.store(&mut bytes[address..], values.wrap(pattern));
        goes_on(&bytes, rest)
    })
}
