//! The library asked in the words of the command line, so that most tests need no process: what they look at is the JSON
//! report, and both give the same.

use std::path::Path;
use std::slice::Iter;
use std::time::Duration;

use serde_json::Value;
use wherefore::{
    DataModel, Engine, Error, Explainer, Explanation, Fairness, Language, LtsFormat, Method, Order, Repairs,
    SearchOrder, Spelling, VariationOrder, VariationParts,
};

use super::checked_json;

/// What is asked, and of which file.
struct Asked<'a> {
    explainer: Explainer,
    file: Option<&'a str>,
}

/// The report on a file in `folder`, for arguments such as `explain FILE -m diagnosis`.
pub fn report(folder: &Path, arguments: &[&str]) -> Value {
    let explanation = explained(folder, arguments).unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
    checked_json(&explanation.to_json())
}

/// The explanation, or why there is none.
pub fn explained(folder: &Path, arguments: &[&str]) -> Result<Explanation, Error> {
    let Asked { explainer, file } = asked(folder, arguments);
    let file = file.expect("a file");
    let path = folder.join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    // The name is the one that the program would be given in that folder, so what is included is elsewhere.
    let explainer = match language(file) {
        Language::Lts(_) => explainer.name(file),
        _ => explainer.name(file).include(path.parent().unwrap()),
    };
    explainer.explain_source(language(file), &text)
}

fn language(file: &str) -> Language {
    match Path::new(file).extension().unwrap().to_str().unwrap() {
        "pml" => Language::Promela,
        "c" | "i" => Language::C,
        "aut" => Language::Lts(LtsFormat::Aut),
        "dot" => Language::Lts(LtsFormat::Dot),
        "json" => Language::Lts(LtsFormat::Json),
        other => panic!("a language that is not known here: {other}"),
    }
}

fn asked<'a>(folder: &Path, arguments: &[&'a str]) -> Asked<'a> {
    let mut rest = arguments.iter();
    let mut asked = Asked { explainer: Explainer::new(), file: None };
    if arguments.first() == Some(&"check") {
        asked.explainer = asked.explainer.methods([]);
        rest.next();
    } else if arguments.first() == Some(&"explain") {
        rest.next();
    }
    while let Some(word) = rest.next() {
        asked = match word.split_once('=').filter(|_| word.starts_with("--")) {
            Some((word, value)) => one(asked, folder, word, &mut [value].iter()),
            None => one(asked, folder, word, &mut rest),
        };
    }
    asked
}

fn numbers(text: &str) -> Vec<i64> {
    text.split(',').filter(|word| !word.is_empty()).map(|word| word.parse().unwrap()).collect()
}

fn one<'a>(asked: Asked<'a>, folder: &Path, word: &'a str, rest: &mut Iter<'_, &'a str>) -> Asked<'a> {
    let Asked { explainer, file } = asked;
    if !word.starts_with('-') {
        assert!(file.is_none(), "a second file: {word}");
        return Asked { explainer, file: Some(word) };
    }
    if let Some(definition) = word.strip_prefix("-D").filter(|rest| !rest.is_empty()) {
        return Asked { explainer: explainer.define(definition), file };
    }
    let mut value = || *rest.next().unwrap();
    let explainer = match word {
        "-f" => {
            assert_eq!(value(), "json");
            explainer
        }
        "-q" => explainer,
        "-m" | "--method" => explainer.methods(value().split(',').map(method)),
        "-p" | "--property" => explainer.property(value()),
        "--allow-unknown" => explainer.allow_unknown(),
        "--property-file" => explainer.property_file(folder.join(value())),
        "--formula" => explainer.spelling(if value() == "mcf" { Spelling::Mcf } else { Spelling::Mcl }),
        "--end-label" => explainer.end_label(value()),
        "--final-label" => explainer.final_label(value()),
        "--fairness" => explainer.fairness(if value() == "none" { Fairness::None } else { Fairness::Weak }),
        "-D" => explainer.define(value()),
        "-I" => explainer.include(value()),
        "--entry" => explainer.entry(value()),
        "--data-model" => {
            explainer.data_model(if value() == "ilp32" { DataModel::Ilp32 } else { DataModel::Lp64 })
        }
        "--inputs" => explainer.inputs(numbers(value())),
        "--input-bits" => explainer.input_bits(value().parse().unwrap()),
        "--with" => explainer.with_file(folder.join(value())),
        "--cc" => explainer.preprocess_with_cc(),
        "--failing" => explainer.failing_run(numbers(value())),
        "--passing" => explainer.passing_run(numbers(value())),
        "--engine" => explainer.engine(match value() {
            "explicit" => Engine::Explicit,
            "summary" => Engine::Summary,
            "sat" => Engine::Sat,
            _ => Engine::Auto,
        }),
        "--unwind" => explainer.unwind(value().parse().unwrap()),
        "--max-conflicts" => explainer.max_conflicts(value().parse().unwrap()),
        "--max-states" => explainer.max_states(value().parse().unwrap()),
        "--timeout" => explainer.timeout(Duration::from_secs(value().parse().unwrap())),
        "--search" => explainer.search_order(match value() {
            "dfs" => SearchOrder::DepthFirst,
            _ => SearchOrder::BreadthFirst,
        }),
        "--reduction" => explainer.reduction(value() == "por"),
        "--violation" => explainer.violation_number(value().parse().unwrap()),
        "--unreached" => explainer.unreached(),
        "--edges" => explainer.edges(),
        "--trail" => explainer.trail(folder.join(value())),
        "--near" => explainer.near(folder.join(value())),
        "--depth" => explainer.variation_depth(value().parse().unwrap()),
        "--length" => explainer.anomaly_length(value().parse().unwrap()),
        "--order" => explainer.anomaly_order(match value() {
            "process" => Order::Process,
            "dependent" => Order::Dependent,
            _ => Order::Trace,
        }),
        "--start" => explainer.anomaly_start(value()),
        "--mode" => match value() {
            "sampled" => explainer.sample_anomalies(),
            _ => explainer,
        },
        "--walk" => explainer.variation_order(match value() {
            "dfs" => VariationOrder::DepthFirst,
            "heuristic" => VariationOrder::Heuristic,
            _ => VariationOrder::BreadthFirst,
        }),
        "--project" => {
            let parts: Vec<&str> = value().split(',').collect();
            let has = |part: &str| parts.contains(&part);
            explainer.variation_parts(VariationParts {
                location: has("location"),
                choice: has("choice"),
                thread: has("thread"),
                action: has("action"),
            })
        }
        "--points" => explainer.variation_points(value().split(',')),
        "--vars" => explainer.variation_variables(value().split(',')),
        "--trust" => explainer.trust(value().split(',')),
        "--repair" => explainer.repairs(Repairs::Thorough),
        "--counterexample-lts" => explainer.counterexample_lts(folder.join(value())),
        other => panic!("an option that is not known here: {other}"),
    };
    Asked { explainer, file }
}

fn method(name: &str) -> Method {
    Method::ALL.into_iter().find(|method| method.to_string() == name).unwrap()
}
