//! A trace gone again by the evaluator, with other values where statements are said to be wrong: nothing of the solver
//! or of how formulas are made is needed for it, so it is the recheck of a diagnosis.

use encode::ssa::{Effect, Happening};
use model::{Context, Expr, Fault, Host, Place, compile, compile_place};

use super::EffectTrace;

/// Frames in one row of bytes.
struct Rows {
    starts: Vec<usize>,
    bytes: Vec<u8>,
}

impl Host for Rows {
    fn ask(&self, _: u32, _: &[i64], _: &Context<'_>) -> Result<i64, Fault> {
        Ok(0)
    }

    fn frame_of(&self, value: i64, _: &Context<'_>) -> Result<usize, Fault> {
        let start = usize::try_from(value).ok().and_then(|frame| self.starts.get(frame));
        start.copied().ok_or(Fault::NoProcess(value))
    }
}

impl Rows {
    fn context(&self) -> Context<'_> {
        Context { bytes: &self.bytes, local: 0, process: 0 }
    }

    fn value(&self, expr: &Expr) -> Option<i64> {
        compile(expr).ok()?.run(&self.context(), self).ok()
    }

    fn address(&self, place: &Place) -> Option<usize> {
        let at = compile_place(place).ok()?.run(&self.context(), self).ok()?;
        usize::try_from(at).ok()
    }

    fn store(&mut self, at: usize, place: &Place, value: i64) -> Option<()> {
        let bytes = self.bytes.get_mut(at..).filter(|rest| rest.len() >= place.scalar.bytes() as usize)?;
        place.scalar.store(bytes, value);
        Some(())
    }

    /// Executes an effect; nothing if it does not hold. A wrong statement makes what it is said to make.
    fn execute(&mut self, effect: &Effect, instead: Option<Happening>) -> Option<()> {
        match (effect, instead) {
            (Effect::Guard(_), Some(_)) => Some(()),
            (Effect::Guard(expr) | Effect::Assume(expr) | Effect::Check(expr), _) => {
                self.value(expr).filter(|value| *value != 0).map(|_| ())
            }
            // Where a wrong statement writes nowhere, nothing is written.
            (Effect::Assign { place, .. }, Some(Happening::Stored { value, .. })) => {
                match self.address(place) {
                    Some(at) => self.store(at, place, value),
                    None => Some(()),
                }
            }
            (Effect::Assign { .. }, Some(_)) => Some(()),
            (Effect::Assign { place, value }, None) => {
                let (at, value) = (self.address(place)?, self.value(value)?);
                self.store(at, place, value)
            }
            (Effect::Input { .. }, _) => None,
        }
    }
}

/// Whether all is well on the trace if these statements make what happens in the solver's model.
pub(super) fn goes_well(course: &impl EffectTrace, abnormal: &[u32], right: &[(usize, Happening)]) -> bool {
    let mut rows = Rows { starts: Vec::new(), bytes: Vec::new() };
    for frame in course.frames() {
        rows.starts.push(rows.bytes.len());
        rows.bytes.extend_from_slice(frame);
    }
    let mut happenings = right.iter();
    for step in course.steps() {
        let is_wrong = abnormal.binary_search(&step.statement).is_ok();
        for effect in &step.effects {
            let Some((_, happening)) = happenings.next() else { return false };
            if rows.execute(effect, is_wrong.then_some(*happening)).is_none() {
                return false;
            }
        }
    }
    true
}
