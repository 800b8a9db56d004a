//! What was measured, for people.

use crate::cases::Case;
use crate::measure::{Measured, Score};

fn percent(part: usize, whole: usize) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.0} %", 100.0 * part as f64 / whole as f64) }
}

/// The figures of all cases, way by way, in the form of the manual.
pub(crate) fn summary(cases: &[Case], measured: &[Measured]) {
    let languages =
        [("all", None), ("Promela", Some(edits::Language::Promela)), ("C", Some(edits::Language::C))];
    for (title, language) in languages {
        let chosen: Vec<&Measured> = cases
            .iter()
            .zip(measured)
            .filter(|(case, _)| language.is_none_or(|language| case.language == language))
            .map(|(_, measured)| measured)
            .collect();
        if !chosen.is_empty() {
            part(title, &chosen);
        }
    }
}

fn part(title: &str, measured: &[&Measured]) {
    let all = measured.len();
    println!("### {title}: {all} cases\n");
    println!("| | explained | top 1 | top 3 | top 5 | EXAM | seconds |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let ways: Vec<&'static str> =
        measured.first().map_or_else(Vec::new, |first| first.scores.iter().map(|score| score.way).collect());
    for (number, way) in ways.into_iter().enumerate() {
        let scores: Vec<&Score> = measured.iter().map(|measured| &measured.scores[number]).collect();
        let explained = scores.iter().filter(|score| score.explained).count();
        if explained == 0 {
            continue;
        }
        let top = |most: f64| {
            let found = scores.iter().filter(|score| score.position.is_some_and(|at| at <= most)).count();
            percent(found, all)
        };
        let exam = scores.iter().map(|score| score.exam).sum::<f64>() / all as f64;
        let seconds: f64 = match way {
            "combined" => measured.iter().map(|measured| measured.seconds).sum(),
            _ => scores.iter().filter_map(|score| score.seconds).sum(),
        };
        let is_timed = way == "combined" || scores.iter().any(|score| score.seconds.is_some());
        let seconds = if is_timed { format!("{:.2}", seconds / all as f64) } else { "–".to_owned() };
        println!(
            "| {way} | {} | {} | {} | {} | {:.1} % | {seconds} |",
            percent(explained, all),
            top(1.0),
            top(3.0),
            top(5.0),
            100.0 * exam,
        );
    }
    let told: Vec<_> = measured.iter().filter_map(|measured| measured.abstracted).collect();
    let (length, kept) =
        told.iter().fold((0, 0), |(length, kept), one| (length + one.length, kept + one.kept));
    let have_cause = told.iter().filter(|one| one.has_cause).count();
    let keep_cause = told.iter().filter(|one| one.keeps_cause).count();
    println!(
        "\nOf the {length} events of {} counterexamples {} are left out; {have_cause} of them have events in a true line, \
         and in {} of these such an event is kept.",
        told.len(),
        percent(length - kept, length),
        percent(keep_cause, have_cause),
    );
    let repaired = measured.iter().filter(|measured| measured.repaired.is_some()).count();
    let mended = measured.iter().filter(|measured| measured.repaired == Some(true)).count();
    if repaired > 0 {
        println!(
            "A repair was verified in {} of the cases, in a true line in {}.",
            percent(repaired, all),
            percent(mended, all)
        );
    }
    println!();
}

/// One line a case: where each way has the true line.
pub(crate) fn cases(cases: &[Case], measured: &[Measured]) {
    for (case, measured) in cases.iter().zip(measured) {
        let places: Vec<String> = measured
            .scores
            .iter()
            .filter(|score| score.explained)
            .map(|score| {
                let place = score.position.map_or("–".to_owned(), |at| format!("{at}"));
                format!("{} {place}", score.way)
            })
            .collect();
        println!("{:44} {:6.2} s  {}", case.name, measured.seconds, places.join(", "));
    }
    println!();
}

/// All that is known of a case.
pub(crate) fn details(case: &Case, measured: &Measured) {
    println!("{} ({}), line {}: {}", case.name, case.operator, case.line, case.what);
    println!("{}", case.path.display());
    println!("options: {}", case.options.join(" "));
    println!("true lines: {:?}\n{}", case.lines, case.patch);
    println!("{}", measured.verdict.as_deref().unwrap_or("there is no report"));
    for (number, cause) in measured.causes.iter().enumerate() {
        println!("  {}. {cause}", number + 1);
    }
    if let Some(abstracted) = &measured.abstracted {
        println!(
            "{} of {} events kept; {} in a true line",
            abstracted.kept,
            abstracted.length,
            if abstracted.keeps_cause { "one of them is" } else { "none of them is" }
        );
    }
    println!("{} failing and {} passing traces were sampled", measured.sampled.0, measured.sampled.1);
    for score in measured.scores.iter().filter(|score| score.explained) {
        let place = score.position.map_or("not there".to_owned(), |at| format!("place {at}"));
        let lines: Vec<String> = score.ranking.iter().take(15).map(u64::to_string).collect();
        println!("{:20} {place:10} EXAM {:5.1} %  lines {}", score.way, 100.0 * score.exam, lines.join(" "));
    }
    println!();
}
