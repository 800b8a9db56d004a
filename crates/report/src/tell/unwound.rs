//! How far a solver came with loops unwound, and what it left out.

use findings::{LeftOut, Uncovered, Unencoded, Unsolved};

pub(super) fn unsolved(why: Unsolved) -> String {
    match why {
        Unsolved::Interrupted(interrupt) => interrupt.to_string(),
        Unsolved::Conflicts(limit) => format!("the limit of {limit} conflicts was reached"),
        Unsolved::TooLarge => "the formula is too large".to_owned(),
        Unsolved::GaveUp => "the solver gave up".to_owned(),
    }
}

pub(super) fn unsolved_within(unwound: u32, by: Unsolved) -> String {
    let (times, why) = (times(unwound), unsolved(by));
    format!("nothing was found with loops unwound {times}, before the search ended: {why}")
}

pub(super) fn not_confirmed(is_check: bool, line: Option<u64>, inputs: &[i64]) -> String {
    let what = if is_check { "a failure" } else { "a fault" };
    let line = in_line(line);
    format!(
        "internal error: the solver found {what}{line} with the inputs {inputs:?}, but the program that is run with them \
         does not show it; please report this"
    )
}

/// Why a bound does not cover the program.
pub(super) fn left_out(left_out: LeftOut) -> String {
    let LeftOut { unwound, line, what } = left_out;
    let line = in_line(line);
    let but = match what {
        Uncovered::Loop => format!("the loop{line} can run longer (--unwind)"),
        Uncovered::Recursion => format!("the recursion{line} can go deeper (--unwind)"),
        Uncovered::Calls => format!("calls{line} are nested deeper than the engine follows"),
        Uncovered::Rounds => format!("the loop{line} runs longer than the engine follows"),
        Uncovered::Size => format!("an object or a run of bytes{line} may be larger than the engine follows"),
        Uncovered::Inputs => format!("inputs{line} are missing"),
        Uncovered::FarPointer => format!("a pointer{line} may be far from every object"),
        Uncovered::GivenUp(reason) => format!("{reason}{line}"),
        Uncovered::Call => format!("the SAT engine does not support the call{line}"),
        Uncovered::Value(why) => {
            format!("the SAT engine does not support a value{line}: {}", unencoded(why))
        }
    };
    format!("nothing is wrong with loops and recursion unwound {}, but {but}", times(unwound))
}

fn unencoded(why: Unencoded) -> String {
    match why {
        Unencoded::TooDeep => "the expression is nested too deeply".to_owned(),
        Unencoded::TooManyElements(most) => format!("a place is one of more than {most} elements"),
        Unencoded::Outside { frame, offset } => format!("nothing lies at byte {offset} of frame {frame}"),
        Unencoded::Question(number) => format!("question {number} has no answer in a formula"),
        Unencoded::BehindPointers => "memory behind pointers is not encoded".to_owned(),
        Unencoded::ArrayOfUnknownLength => "an array of unknown length is not encoded".to_owned(),
        Unencoded::FloatingPoint => "floating-point arithmetic is not encoded".to_owned(),
    }
}

fn in_line(line: Option<u64>) -> String {
    line.map_or_else(String::new, |line| format!(" in line {line}"))
}

fn times(bound: u32) -> String {
    match bound {
        1 => "once".to_owned(),
        bound => format!("{bound} times"),
    }
}
