//! From state formulas to forbidden traces.
//!
//! Two questions go down a formula together: which traces show that it is false, and, below a
//! negation, which show that it is true. A box can be refuted by a trace, `[R] F` by a trace of R
//! followed by one that refutes F; a diamond can be shown, `<R> F` by a trace of R followed by one
//! that shows F. What is asked for the other way round needs more than one trace (all of them, or a
//! tree) and is refused. The one exception is `<true> true`: it is refuted where nothing can happen,
//! which makes it the deadlock property.

use graph::ViolatedWhen;
use source::{Diagnostic, Span};

use crate::grammar::{State, StateKind};
use crate::{Predicate, Regular, Spelling, Traces};

/// The traces that violate the formula, and whether they do so only if they cannot go on.
pub(crate) fn violating_traces(
    formula: State,
    spelling: Spelling,
) -> Result<(ViolatedWhen, Traces, Vec<Diagnostic>), Vec<Diagnostic>> {
    let span = formula.span;
    let mut finder = Finder { spelling, errors: Vec::new() };
    let found = finder.refuting(formula);
    if !finder.errors.is_empty() {
        return Err(finder.errors);
    }
    Ok(match found {
        Some((violated_when, traces)) => (violated_when, traces, Vec::new()),
        None => {
            let warning = Diagnostic::warning(span, "no system violates this formula");
            (ViolatedWhen::Accepted, Regular::nothing(), vec![warning])
        }
    })
}

struct Finder {
    spelling: Spelling,
    errors: Vec<Diagnostic>,
}

/// What shows something: nothing at all, or traces.
type Found = Option<(ViolatedWhen, Traces)>;

impl Finder {
    /// The traces that show that the formula is false.
    fn refuting(&mut self, formula: State) -> Found {
        let span = formula.span;
        match formula.kind {
            StateKind::True => None,
            StateKind::False => Some((ViolatedWhen::Accepted, Regular::nil())),
            StateKind::Not(inner) => self.showing(*inner),
            StateKind::And(parts) => {
                let found: Vec<Found> = parts.into_iter().map(|part| self.refuting(part)).collect();
                self.any(found, span)
            }
            StateKind::Box(regular, body) => after(regular, self.refuting(*body)),
            StateKind::Diamond(Regular::Atom(Predicate::True), body)
                if matches!(body.kind, StateKind::True) =>
            {
                Some((ViolatedWhen::AcceptedAndStuck, Regular::nil()))
            }
            StateKind::Diamond(..) => self
                .refuse(span, "a diamond says that something is possible, which no single trace can refute"),
            StateKind::Or(_) => self.refuse(span, "a choice between state formulas is not supported"),
            StateKind::Implies(..) => {
                self.refuse(span, "an implication between state formulas is not supported")
            }
            StateKind::Equivalent => self.refuse(span, "an equivalence of state formulas is not supported"),
        }
    }

    /// The traces that show that the formula is true.
    fn showing(&mut self, formula: State) -> Found {
        let span = formula.span;
        match formula.kind {
            StateKind::True => Some((ViolatedWhen::Accepted, Regular::nil())),
            StateKind::False => None,
            StateKind::Not(inner) => self.refuting(*inner),
            StateKind::Or(parts) => {
                let found: Vec<Found> = parts.into_iter().map(|part| self.showing(part)).collect();
                self.any(found, span)
            }
            StateKind::Implies(left, right) => {
                let found = vec![self.refuting(*left), self.showing(*right)];
                self.any(found, span)
            }
            StateKind::Diamond(regular, body) => after(regular, self.showing(*body)),
            StateKind::Box(Regular::Atom(Predicate::True), body) if matches!(body.kind, StateKind::False) => {
                Some((ViolatedWhen::AcceptedAndStuck, Regular::nil()))
            }
            StateKind::Box(..) => self.refuse(
                span,
                "the negation of a box says that something is possible, which no single trace can refute",
            ),
            StateKind::And(_) => self.refuse(span, "the negation of a conjunction is not supported"),
            StateKind::Equivalent => self.refuse(span, "an equivalence of state formulas is not supported"),
        }
    }

    fn any(&mut self, found: Vec<Found>, span: Span) -> Found {
        let found: Vec<(ViolatedWhen, Traces)> = found.into_iter().flatten().collect();
        let violated_when = found.first()?.0;
        if found.iter().any(|(when, _)| *when != violated_when) {
            let error = Diagnostic::error(span, "forbidden traces and deadlocks are mixed in one formula")
                .help("check them one after the other, as formulas of their own");
            self.errors.push(error);
        }
        Some((violated_when, Regular::choice(found.into_iter().map(|(_, traces)| traces).collect())))
    }

    fn refuse(&mut self, span: Span, message: &str) -> Found {
        let (not, and) = match self.spelling {
            Spelling::Mcl => ("not ", "and"),
            Spelling::Mcf => ("!", "&&"),
        };
        let error = Diagnostic::error(span, message).help(format!(
            "supported are `[R] false`, `[R] <true> true`, `{not}<R> true`, boxes behind boxes, and several \
             of these joined by `{and}`"
        ));
        self.errors.push(error);
        None
    }
}

/// First `regular`, then what shows the rest.
fn after(regular: Traces, found: Found) -> Found {
    let (violated_when, rest) = found?;
    let traces = match rest {
        Regular::Sequence(parts) if parts.is_empty() => regular,
        rest => Regular::Sequence(vec![regular, rest]),
    };
    Some((violated_when, traces))
}
