//! The automata of SPIN against ours: the same words, and no more states and edges in total.
//!
//! `spin -f` prints a never claim. Its states are the labels, `accept...` for those that accept, and its
//! guards are formulas without temporal operators, so it can be read into an automaton. Where every
//! continuation is accepted SPIN stops at once (`assert(!...)`); that is the state `accept_all`, which reads
//! everything.

use std::collections::HashMap;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use property::buchi::{Automaton, Edge, Guard, Lasso};
use property::ltl::Formula;
use testkit::random::{Random, for_random_inputs};
use testkit::spin::Spin;

use crate::ltl::support::{
    automaton, formula, formula_without_weak_until, holds, random_formula, random_lasso,
};

/// The specification patterns of Dwyer, Avrunin and Corbett (1998) without chains and without the two
/// longest for bounded existence, and the formulas of Etessami and Holzmann (2000) and of
/// Somenzi and Bloem (2000).
const FORMULAS: &[(&str, &[&str])] = &[
    (
        "Dwyer, Avrunin and Corbett",
        &[
            "[]!p",
            "<>r -> (!p U r)",
            "[](q -> []!p)",
            "[]((q && !r && <>r) -> (!p U r))",
            "[](q && !r -> (!p W r))",
            "<>p",
            "!r W (p && !r)",
            "[]!q || <>(q && <>p)",
            "[](q && !r -> (!r W (p && !r)))",
            "[](q && !r -> (!r U (p && !r)))",
            "!p W (p W (!p W (p W []!p)))",
            "<>r -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p U r)))))))))",
            "<>q -> (!q U (q && (!p W (p W (!p W (p W []!p))))))",
            "[]p",
            "<>r -> (p U r)",
            "[](q -> []p)",
            "[]((q && !r && <>r) -> (p U r))",
            "[](q && !r -> (p W r))",
            "!p W s",
            "<>r -> (!p U (s || r))",
            "[]!q || <>(q && (!p W s))",
            "[]((q && !r && <>r) -> (!p U (s || r)))",
            "[](q && !r -> (!p W (s || r)))",
            "[](p -> <>s)",
            "<>r -> ((p -> (!r U (s && !r))) U r)",
            "[](q -> [](p -> <>s))",
            "[]((q && !r && <>r) -> ((p -> (!r U (s && !r))) U r))",
            "[](q && !r -> ((p -> (!r U (s && !r))) W r))",
        ],
    ),
    (
        "Etessami and Holzmann",
        &[
            "p U (q && []r)",
            "p U (q && X (r U s))",
            "p U (q && X (r && <>(s && X <>(t && X <>(u && X <>v)))))",
            "<>(p && X []q)",
            "<>(p && X (q && X <>r))",
            "<>(p && X (q U r))",
            "<>[]p || []<>q",
            "[](p -> (q U r))",
            "[](p && X <>(q && X <>(r && X <>s)))",
            "[]<>p && []<>q && []<>r && []<>s && []<>t",
            "(p U (q U r)) || (q U (r U p)) || (r U (p U q))",
            "[](p -> (q U ([]r || []s)))",
        ],
    ),
    (
        "Somenzi and Bloem",
        &[
            "p U q",
            "p U (q U r)",
            "!(p U (q U r))",
            "[]<>p -> []<>q",
            "(<>p) U ([]q)",
            "([]p) U q",
            "!((<><>p) <-> (<>q))",
            "!([]<>p -> []<>q)",
            "!([]<>p <-> []<>q)",
            "p V (p || q)",
            "(X p U X q) || !X (p U q)",
            "(X p U q) || !X (p U (p && q))",
            "[](p -> <>q) && ((X p U q) || !X (p U (p && q)))",
            "[](p -> <>q) && ((X p U X q) || !X (p U q))",
            "[](p -> <>q)",
            "!([](p -> X (q V r)))",
            "!(<>[]p || <>[]q)",
            "[](<>p && <>q)",
            "<>p && <>!p",
            "(p && X q) V X (((r U s) V p) U (r V p))",
            "[](q || []<>p) && [](r || []<>!p) || []q || []r",
            "[](q || <>[]p) && [](r || <>[]!p) || []q || []r",
            "!([](q || []<>p) && [](r || []<>!p) || []q || []r)",
            "!([](q || <>[]p) && [](r || <>[]!p) || []q || []r)",
            "[](q || X []p) && [](r || X []!p)",
            "[](q || (X p && X !p))",
            "p || (q U p)",
        ],
    ),
];

/// SPIN needs minutes for a few formulas; it gets this long.
const PATIENCE: Duration = Duration::from_secs(1);

/// The atoms are p, q, r, s, t, u and v.
const MAX_ATOMS: u32 = 7;

/// How large an automaton is. SPIN's guards may be disjunctions, ours are conjunctions; what compares with
/// SPIN's transitions are our arrows, a pair of states with at least one edge between them.
#[derive(Clone, Copy, Default)]
struct Size {
    states: usize,
    arrows: usize,
    edges: usize,
}

impl Size {
    fn of(automaton: &Automaton) -> Self {
        let mut pairs: Vec<(u32, u32)> = automaton.edges().iter().map(|edge| (edge.from, edge.to)).collect();
        pairs.dedup();
        Self { states: automaton.states(), arrows: pairs.len(), edges: automaton.edges().len() }
    }

    fn add(&mut self, other: Self) {
        self.states += other.states;
        self.arrows += other.arrows;
        self.edges += other.edges;
    }

    fn is_within(&self, other: &Self) -> bool {
        self.states <= other.states && self.arrows <= other.arrows
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:>4}{:>5}{:>5}", self.states, self.arrows, self.edges)
    }
}

/// Each formula and, as that is what a checker searches for, its negation.
#[test]
fn published_formulas_are_no_larger_than_those_of_spin() {
    if Spin::find().is_none() {
        return;
    }
    let mut random = Random::new(testkit::seed());
    println!("our states, arrows and edges; SPIN's states and transitions; formula");
    for (authors, texts) in FORMULAS {
        println!("{authors}");
        let (mut sum_ours, mut sum_theirs) = (Size::default(), Size::default());
        for text in *texts {
            for formula in [formula(text), formula(text).negated()] {
                let our = automaton(&formula);
                let claim = claim(&formula);
                for _ in 0..300 {
                    let word = random_lasso(&mut random, 7, MAX_ATOMS);
                    let expected = holds(&formula, &word);
                    assert_eq!(our.accepts(&word), expected, "{formula} on {word:?}");
                    if let Some((their, _)) = &claim {
                        assert_eq!(their.accepts(&word), expected, "SPIN's {formula} on {word:?}");
                    }
                }
                let ours = Size::of(&our);
                if let Some((_, theirs)) = claim {
                    println!("{ours}  {:>4}{:>5}  {formula}", theirs.states, theirs.arrows);
                    sum_ours.add(ours);
                    sum_theirs.add(theirs);
                } else {
                    println!("{ours}     -    -  {formula}");
                }
            }
        }
        println!("{sum_ours}  {:>4}{:>5}  together", sum_theirs.states, sum_theirs.arrows);
        assert!(sum_ours.is_within(&sum_theirs), "{authors}");
    }
}

#[test]
fn random_formulas_accept_what_spin_accepts() {
    if Spin::find().is_none() {
        return;
    }
    let (mut all_ours, mut all_theirs) = (Size::default(), Size::default());
    for_random_inputs(150, |random| {
        let operators = random.between(1, 8);
        let formula = random_formula(random, operators, 3, false);
        let (our, Some((their, theirs))) = (automaton(&formula), claim(&formula)) else { return };
        for _ in 0..200 {
            let word = random_lasso(random, 7, 3);
            assert_eq!(our.accepts(&word), their.accepts(&word), "{formula} on {word:?}");
        }
        all_ours.add(Size::of(&our));
        all_theirs.add(theirs);
    });
    println!("{all_ours}  {:>4}{:>5}  random formulas", all_theirs.states, all_theirs.arrows);
    assert!(all_ours.is_within(&all_theirs));
}

/// The never claim that SPIN prints for a formula, unless SPIN takes too long for it. The `X` of SPIN has to
/// be asked for when SPIN is built, so formulas with it have none.
fn claim(formula: &Formula<String>) -> Option<(Automaton, Size)> {
    if formula.has_next() {
        return None;
    }
    let text = formula_without_weak_until(&formula.to_string()).to_string();
    let mut spin =
        Command::new("spin").arg("-f").arg(&text).stdout(Stdio::piped()).spawn().expect("spin starts");
    let mut pipe = spin.stdout.take().expect("a pipe");
    let reader = thread::spawn(move || {
        let mut output = String::new();
        pipe.read_to_string(&mut output).map(|_| output)
    });
    let start = Instant::now();
    while spin.try_wait().expect("spin runs").is_none() {
        if start.elapsed() > PATIENCE {
            spin.kill().and_then(|()| spin.wait()).expect("spin ends");
            return None;
        }
        thread::sleep(Duration::from_millis(1));
    }
    let output = reader.join().expect("a reader").expect("text");
    Some(read_claim(&output).unwrap_or_else(|| panic!("SPIN on {text}:\n{output}")))
}

/// Reads a never claim: an automaton whose guards are single letters over all atoms, and its size as it is
/// written.
fn read_claim(text: &str) -> Option<(Automaton, Size)> {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut accepting: Vec<bool> = Vec::new();
    let mut after_label = false;
    let lines = || text.lines().skip(1).map(str::trim);
    for line in lines() {
        let label = line.strip_suffix(':');
        if let Some(label) = label {
            // Two labels in a row name the same state.
            if !after_label {
                accepting.push(false);
            }
            numbers.insert(label, accepting.len() as u32 - 1);
            *accepting.last_mut()? |= label.starts_with("accept");
        }
        after_label = label.is_some();
    }
    let mut transitions = 0;
    let mut edges = Vec::new();
    let mut from = 0;
    for line in lines() {
        if let Some(label) = line.strip_suffix(':') {
            from = numbers[label];
            continue;
        }
        let (guard, to) = if line == "skip" {
            ("1", from)
        } else if let Some(line) = line.strip_prefix(":: atomic {") {
            (line.split_once("->")?.0, *numbers.get("accept_all")?)
        } else if line == ":: false" {
            ("false", from)
        } else if let Some(line) = line.strip_prefix("::") {
            let (guard, target) = line.split_once("-> goto ")?;
            (guard, *numbers.get(target)?)
        } else {
            continue;
        };
        transitions += 1;
        let guard = formula(guard);
        for letter in 0..1 << MAX_ATOMS {
            if holds(&guard, &Lasso { letters: vec![letter], loop_start: 0 }) {
                edges.push(Edge {
                    from,
                    to,
                    guard: Guard { positive: letter, negative: !letter & ((1 << MAX_ATOMS) - 1) },
                });
            }
        }
    }
    let size = Size { states: accepting.len(), arrows: transitions, edges: transitions };
    Some((Automaton::new(*numbers.get("T0_init")?, accepting, edges)?, size))
}
