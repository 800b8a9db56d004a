//! Checks a class given by a folder and its name, and says how fast: `philosophers FOLDER CLASS [ARGUMENTS]`.

#![allow(clippy::print_stderr, clippy::print_stdout, reason = "it is a program of its own")]

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;

use graph::Unwatched;
use jvm::{Jdk, Library, Model, Options, Part};
use search::{Limits, Order, Plan};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, main, rest @ ..] = &arguments[..] else { return };
    let begin = Instant::now();
    let jdk = Jdk::find().expect("a JDK");
    let part = Part::at(Path::new(folder)).expect("a folder");
    let library = Library::new(vec![part], jdk).expect("a JDK");
    let options = Options { main: main.clone(), arguments: rest.to_vec(), ..Options::default() };
    let model = match Model::new(library, &options) {
        Ok(model) => model,
        Err(error) => {
            eprintln!("{error}");
            return;
        }
    };
    eprintln!("start: {:?}", begin.elapsed());
    if std::env::var_os("RUN").is_some() {
        let (output, violations, last) = model.run_once(100_000);
        print!("{}", String::from_utf8_lossy(&output));
        for violation in violations {
            eprintln!("{:?}", model.exception(violation));
        }
        eprintln!("obstacle {:?} at {:?}", model.obstacle(&last), begin.elapsed());
        return;
    }
    let search = Instant::now();
    let plan = Plan { threads: NonZeroUsize::MIN, ..Plan::default() };
    if std::env::var_os("EXPLORE").is_some() {
        let limits = Limits { order: Order::BreadthFirst, ..Limits::default() };
        let found = search::explore(&model, limits, &Unwatched).expect("a graph");
        eprintln!("{} states, {} violations", found.store.len(), found.violations.len());
        for state in 0..found.store.len() as u32 {
            if let Some(obstacle) = model.obstacle(found.store.get(state)) {
                eprintln!("needs {obstacle:?}");
            }
        }
        return;
    }
    let checked = search::check(&model, plan, &Unwatched);
    let seconds = search.elapsed().as_secs_f64();
    eprintln!(
        "{} states, {} steps, {seconds:.2} s, {:.0} states/s",
        checked.all_states,
        checked.steps,
        checked.all_states as f64 / seconds
    );
    for class in &checked.violations {
        eprintln!("{class:?}");
    }
}
