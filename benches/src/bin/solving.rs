//! What formulas cost: to write them down, and to solve them with each of the solvers.
//!
//!     cargo run --release --manifest-path benches/Cargo.toml --bin solving --features cadical
//!
//! Without the feature, which needs a C++ compiler, only the default solver is measured.
//!
//! Multipliers first, the hardest circuits for their size: a product of two primes is to be taken apart (there is an
//! answer), and a prime is to be shown to have no factors (there is none). Then traces over twelve inputs of 32
//! bits, as a program of that many statements would leave them: the seconds to write the formula, to find inputs
//! that take the path, and, with the inputs of a failing run, to find the fewest statements that explain it.
//! A question ends after 200,000 conflicts; its time is then marked by a `>`.

use encode::Circuit;
use encode::bits::Bits;
use encode::solver::{Backend, Fewest, Literal, Solver, Stop, Totalizer, fewest};
use encode::ssa::{Duty, Effect, Relaxation, Start, Store, TraceFormula, TraceStep};
use graph::Unwatched;
use model::{Binary, Expr, Place, Scalar};
use wherefore_benches::{Random, cost};

const CONFLICTS: u64 = 200_000;
const INPUTS: u32 = 12;

fn main() {
    println!("{:<34} {:>9} {:>9} |{}", "multiplier", "variables", "clauses", heading(&["s"]));
    // Numbers from the middle: those just below a power of two have factors that begin with ones.
    for (width, number, what) in [
        (8, 139 * 191, "139 * 191, 8 bits"),
        (12, 2903 * 3301, "2903 * 3301, 12 bits"),
        (16, 38_011 * 41_011, "38011 * 41011, 16 bits"),
        (8, 40_009, "40009 is prime, 8 bits"),
        (12, 10_000_019, "10000019 is prime, 12 bits"),
        (16, 2_147_483_647, "2147483647 is prime, 16 bits"),
    ] {
        factor(width, number, what);
    }
    println!();
    println!(
        "{:<34} {:>9} {:>9} |{}",
        "trace over twelve 32-bit inputs",
        "variables",
        "clauses",
        heading(&["write", "path", "explain"])
    );
    for statements in [100, 200, 400] {
        trace(statements);
    }
}

fn heading(columns: &[&str]) -> String {
    let mut heading = String::new();
    for backend in Backend::ALL {
        heading += &format!(" {:>9}", format!("{backend:?}"));
        for column in columns {
            heading += &format!(" {column:>8}");
        }
    }
    heading
}

/// Seconds of the processor, marked if there was no answer.
fn seconds<T>(ask: impl FnOnce() -> Result<T, Stop>) -> (String, Option<T>) {
    let (answer, cost) = cost::of(ask);
    (format!(" {}{:>7.2}", if answer.is_ok() { ' ' } else { '>' }, cost.processor), answer.ok())
}

fn factor(width: usize, number: i64, what: &str) {
    let mut line = String::new();
    let mut size = (0, 0);
    let mut verdicts = Vec::new();
    for backend in Backend::ALL {
        let mut circuit = Circuit::new(Solver::with_backend(*backend, &Unwatched));
        circuit.solver.limit_conflicts(Some(CONFLICTS));
        let (one, other) = (circuit.fresh_bits(width), circuit.fresh_bits(width));
        let product = circuit.multiply_to(&one, false, &other, false, 2 * width);
        let right = circuit.equal(&product, &Bits::constant(2 * width, number));
        circuit.assert(right);
        for factor in [&one, &other] {
            let trivial = circuit.is_number(factor, 1);
            circuit.assert(!trivial);
        }
        size = (circuit.solver.variables(), circuit.solver.clauses());
        let (time, verdict) = seconds(|| circuit.solver.solve(&[]));
        line += &format!(" {:>9}{time}", "");
        verdicts.extend(verdict);
    }
    verdicts.dedup();
    assert!(verdicts.len() <= 1, "the solvers disagree");
    println!("{what:<34} {:>9} {:>9} |{line}", size.0, size.1);
}

fn place(number: u32) -> Place {
    Place::global(4 * number, Scalar::I32)
}

fn load(number: u32) -> Expr {
    Expr::Load(place(number))
}

/// A run of so many random statements on the values, and what was true along it.
fn random_run(statements: u32, values: &mut [i64], random: &mut Random) -> Vec<TraceStep> {
    let operators = [Binary::Add, Binary::Subtract, Binary::Xor, Binary::And, Binary::Or];
    let run = |statement| {
        let [one, other, target] = [(); 3].map(|()| random.below(INPUTS));
        let (a, b) = (values[one as usize], values[other as usize]);
        let effect = if random.below(8) == 0 {
            let operator = if a < b { Binary::Less } else { Binary::GreaterEqual };
            Effect::Guard(Expr::binary(operator, load(one), load(other)))
        } else {
            let operator = operators[random.below(5) as usize];
            let result = match operator {
                Binary::Add => a + b,
                Binary::Subtract => a - b,
                Binary::Xor => a ^ b,
                Binary::And => a & b,
                _ => a | b,
            };
            values[target as usize] = Scalar::I32.wrap(result);
            let value = Expr::Wrap(Scalar::I32, Box::new(Expr::binary(operator, load(one), load(other))));
            Effect::Assign { place: place(target), value }
        };
        TraceStep { statement, frame: 0, effects: vec![effect] }
    };
    (0..statements).map(run).collect()
}

fn trace(statements: u32) {
    let mut random = Random(7);
    let inputs: Vec<i64> = (0..INPUTS).map(|_| i64::from(random.below(1 << 31)) - (1 << 30)).collect();
    let mut values = inputs.clone();
    let run = random_run(statements, &mut values, &mut random);
    let is =
        |number: usize, value: i64| Expr::binary(Binary::Equal, load(number as u32), Expr::Constant(value));
    let step = |effects| TraceStep { statement: statements, frame: 0, effects };
    let mut steps: Vec<TraceStep> =
        (0..INPUTS).map(|number| step(vec![Effect::Input { place: place(number), width: 32 }])).collect();
    steps.extend(run);
    // What should have come out is not what did.
    steps.push(step(vec![Effect::Check(is(0, values[0] ^ 1))]));

    let mut line = String::new();
    let mut size = (0, 0);
    let mut answers = Vec::new();
    for backend in Backend::ALL {
        let mut circuit = Circuit::new(Solver::with_backend(*backend, &Unwatched));
        circuit.solver.limit_conflicts(Some(CONFLICTS));
        let relaxation = Relaxation::of(&mut circuit, 0..statements);
        let start =
            Start { store: Store::new([&[0; 4 * INPUTS as usize][..]]), global: 0, processes: Vec::new() };
        let (write, formula) = seconds(|| Ok(TraceFormula::new(&mut circuit, start, &steps, &relaxation)));
        let formula = formula.expect("nothing to stop it").expect("all places are inside");
        formula.assert(&mut circuit, |obligation| obligation.duty != Duty::Check);
        size = (circuit.solver.variables(), circuit.solver.clauses());
        let normal = relaxation.exactly(&[]);
        let (path, _) = seconds(|| circuit.solver.solve(&normal));
        let mut assumptions: Vec<Literal> =
            formula.obligations.iter().map(|obligation| obligation.holds).collect();
        for (number, (_, value)) in formula.inputs.iter().enumerate() {
            let bits = value.bits().literals().iter().enumerate();
            assumptions.extend(bits.map(|(at, bit)| bit.flipped(inputs[number] >> at & 1 == 0)));
        }
        let abnormal: Vec<Literal> = relaxation.literals().map(|(_, literal)| literal).collect();
        let mut counter = Totalizer::new(&abnormal);
        let (explain, answer) = seconds(|| fewest(&mut circuit.solver, &assumptions, &mut counter, 0));
        line += &format!(" {:>9}{write}{path}{explain}", "");
        answers.extend(answer);
    }
    answers.dedup();
    assert!(answers.len() <= 1 && !answers.contains(&Fewest::Never), "{answers:?}");
    println!("{:<34} {:>9} {:>9} |{line}", format!("{statements} statements"), size.0, size.1);
}
