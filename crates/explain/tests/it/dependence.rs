//! Slices, and what is wrong because something else is, against a twin that follows every value on its own.

use explain::dependence::{Access, Dependence, Stretch};
use testkit::naive_dependence::{self, HANDED_BACK, POINTED, Span, Step, random_statements, random_trace};
use testkit::random::for_random_inputs;

fn stretch(span: &Span) -> Stretch {
    match span.room {
        POINTED => Stretch::POINTED,
        HANDED_BACK => Stretch::handed_back(span.start),
        frame => Stretch::in_frame(frame, (span.start, span.end)),
    }
}

fn access(step: &Step) -> Access {
    Access {
        statement: step.statement,
        reads: step.reads.iter().map(stretch).collect(),
        writes: step.writes.iter().map(stretch).collect(),
        overwrites: step.overwrites,
        demands: step.demands,
        decides: step.decides,
    }
}

#[test]
fn dependence_is_what_following_every_value_finds() {
    for_random_inputs(3000, |random| {
        let trace = random_trace(random);
        let dependence = Dependence::new(trace.iter().map(access).collect());
        assert_eq!(dependence.slice(), naive_dependence::slice(&trace), "{trace:#?}");
        let wrong = random_statements(random);
        let expected = naive_dependence::transitive(&trace, &wrong);
        assert_eq!(dependence.transitive(&wrong), expected, "{wrong:?} {trace:#?}");
    });
}
