//! Random systems from a seed that is printed when a test fails.

use graph::{GraphBuilder, StateGraph};

use crate::seed;

/// Runs a test on many random inputs. A failing one prints the seed with which the test begins at that
/// very input: see [`seed`].
pub fn for_random_inputs(count: u64, mut test: impl FnMut(&mut Random)) {
    let first = seed();
    for number in 0..count {
        let announcement = Announcement { seed: first.wrapping_add(number) };
        test(&mut Random::new(announcement.seed));
    }
}

struct Announcement {
    seed: u64,
}

impl Drop for Announcement {
    #[expect(clippy::print_stderr, reason = "this is what tells how to repeat a failing test")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("repeat with WHEREFORE_SEED={}", self.seed);
        }
    }
}

/// A small generator of random numbers (Steele, Lea and Flood's SplitMix): good enough for test inputs.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A number from `from` to `to`, both included.
    pub fn between(&mut self, from: u32, to: u32) -> u32 {
        from + self.below(to - from + 1)
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }
}

/// What kind of graph to draw.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub states: u32,
    /// Visible labels, called `a`, `b`, ...
    pub labels: u32,
    pub edges: u32,
    /// How many of a hundred edges are labelled `tau`.
    pub silent: u32,
    /// How many of a hundred edges lead back to a state of lower or equal number.
    pub back: u32,
}

impl Shape {
    /// A few states and labels, silent steps from none to many, loops from none to many.
    pub fn small(random: &mut Random) -> Self {
        let states = random.between(1, 12);
        Self {
            states,
            labels: random.between(1, 4),
            edges: random.below(3 * states + 1),
            silent: [0, 20, 50, 80][random.below(4) as usize],
            back: [0, 10, 50][random.below(3) as usize],
        }
    }
}

/// A graph of that kind; state 0 is initial, and now and then another one is, too.
pub fn random_graph(random: &mut Random, shape: Shape) -> StateGraph {
    let mut builder = GraphBuilder::new();
    let tau = builder.labels.intern("tau");
    let visible: Vec<u32> = (0..shape.labels)
        .map(|label| builder.labels.intern(&char::from(b'a' + (label % 26) as u8).to_string()))
        .collect();
    for _ in 0..shape.edges {
        let (one, other) = (random.below(shape.states), random.below(shape.states));
        let forth = !random.percent(shape.back);
        let (source, target) = if forth == (one < other) { (one, other) } else { (other, one) };
        if forth && source == target {
            continue;
        }
        let label = if visible.is_empty() || random.percent(shape.silent) {
            tau
        } else {
            visible[random.below(visible.len() as u32) as usize]
        };
        builder.edge(source, label, target);
    }
    let mut initial = vec![0];
    if random.percent(20) {
        initial.push(random.below(shape.states));
    }
    builder.finish(shape.states as usize, initial).expect("a handful of edges")
}

/// A graph of up to ten states without silent steps, small enough for its product with a property to be
/// written out. Most states can be reached, some end, some loop.
pub fn random_visible_graph(random: &mut Random) -> StateGraph {
    let mut builder = GraphBuilder::new();
    let labels: Vec<u32> = ["a", "b", "c", "d"][..random.between(1, 4) as usize]
        .iter()
        .map(|text| builder.labels.intern(text))
        .collect();
    let states = random.between(1, 10);
    let ending = [0, 20, 40][random.below(3) as usize];
    let ends: Vec<bool> = (0..states).map(|state| state > 0 && random.percent(ending)).collect();
    let mut edge = |random: &mut Random, source: u32, target: u32| {
        if !ends[source as usize] {
            builder.edge(source, labels[random.below(labels.len() as u32) as usize], target);
        }
    };
    for state in 1..states {
        if random.percent(85) {
            let before = random.below(state);
            edge(random, before, state);
        }
    }
    for _ in 0..random.below(2 * states + 1) {
        let (source, target) = (random.below(states), random.below(states));
        edge(random, source, target);
    }
    let mut initial = vec![0];
    if random.percent(20) {
        initial.push(random.below(states));
    }
    builder.finish(states as usize, initial).expect("a handful of edges")
}
