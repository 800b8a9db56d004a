//! What the effects of a trace read and write. All frames are known by their numbers.

use explain::dependence::{Access, Stretch};
use model::{Base, Effect, Expr, Place, TraceStep};

const GLOBALS: u32 = 0;

pub(crate) fn of_effects(steps: &[TraceStep]) -> Vec<Access> {
    steps.iter().flat_map(|step| step.effects.iter().map(|effect| access(step, effect))).collect()
}

fn access(step: &TraceStep, effect: &Effect) -> Access {
    let mut access = Access { statement: step.statement, demands: true, ..Access::default() };
    match effect {
        Effect::Guard(expr) | Effect::Assume(expr) | Effect::Check(expr) => read(expr, &mut access),
        Effect::Assign { place, value } => {
            read(value, &mut access);
            write(place, &mut access);
            access.demands = !access.overwrites;
        }
        Effect::Input { place, .. } => write(place, &mut access),
    }
    access
}

fn read(expr: &Expr, access: &mut Access) {
    expr.for_each_part(&mut |part| {
        if let Expr::Load(place) = part {
            access.reads.push(stretch(place));
        }
    });
}

fn write(place: &Place, access: &mut Access) {
    place.operands().for_each(|operand| read(operand, access));
    access.writes.push(stretch(place));
    access.overwrites = place.indices.is_empty();
}

/// Where a place may lie.
fn stretch(place: &Place) -> Stretch {
    let frame = match &place.base {
        Base::Global => Some(GLOBALS),
        Base::Of(frame) => match **frame {
            Expr::Constant(number) => u32::try_from(number).ok(),
            _ => None,
        },
        Base::Local => None,
    };
    frame.map_or(Stretch::POINTED, |frame| Stretch::in_frame(frame, place.extent(place.scalar.bytes())))
}

#[cfg(test)]
mod tests {
    use explain::dependence::Whose;
    use model::{Index, Scalar};

    use super::*;

    fn accesses(effect: Effect) -> Access {
        of_effects(&[TraceStep { statement: 5, frame: 1, effects: vec![effect] }]).remove(0)
    }

    #[test]
    fn an_assignment_to_an_element_reads_the_index_and_may_write_all_of_the_array() {
        let index = Index { value: Expr::Load(Place::global(4, Scalar::U8)), stride: 1, length: 3 };
        let base = Base::Of(Box::new(Expr::Constant(2)));
        let place = Place { base, indices: vec![index], ..Place::global(0, Scalar::U8) };
        let access = accesses(Effect::Assign { place, value: Expr::Constant(1) });
        assert_eq!(access.reads, [Stretch { whose: Whose::Frame(0), start: 4, end: 5 }]);
        assert_eq!(access.writes, [Stretch { whose: Whose::Frame(2), start: 0, end: 3 }]);
        assert!(access.demands && !access.overwrites, "which one it is matters to the trace");
    }

    #[test]
    fn a_guard_is_asked_for_and_an_assignment_only_if_it_is_read() {
        let place = Place::global(0, Scalar::U8);
        assert!(accesses(Effect::Guard(Expr::Load(place.clone()))).demands);
        let assignment = accesses(Effect::Assign { place, value: Expr::Constant(1) });
        assert!(!assignment.demands && assignment.overwrites);
    }
}
