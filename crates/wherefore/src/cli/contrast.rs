//! `contrast`: which logs are meant, and whether they can be compared.

use std::collections::BTreeMap;
use std::fs::File;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use logs::{Fields, Masker, Options, Order, Source};
use report::Verdict;
use wherefore::contrast::tell;

use super::contrast_flags::ContrastArgs;
use super::host::Terminal;
use super::{exit, written};

/// How many anomalies are listed unless all are asked for.
const MOST_LISTED: usize = 1_000;

pub(crate) fn contrast(args: &ContrastArgs) -> Result<u8> {
    args.output.refuse_sarif("contrast")?;
    args.output.refuse_page()?;
    let host = Terminal::new(&args.limits(), args.output.quiet, args.output.colours_messages());
    let good = files("--good", &args.good, &host)?;
    let bad = files("--bad", &args.bad, &host)?;
    if let Some((path, name)) = bad.iter().find(|(path, _)| good.contains_key(*path)) {
        let other = &good[path];
        let both = if other == name { String::new() } else { format!(" (as {})", other.display()) };
        bail!("{} is given as a log of failing runs and of passing ones{both}", name.display());
    }
    if let Some(output) = &args.output.output
        && let Ok(output) = output.canonicalize()
        && (good.contains_key(&output) || bad.contains_key(&output))
    {
        bail!("the report would overwrite {}", output.display());
    }
    let options = options(args)?;
    let names: Vec<String> = args.bad.iter().map(|path| path.display().to_string()).collect();
    let found = logs::contrast(&sources(good)?, &sources(bad)?, &options, &host)?;
    let told = tell(&found, &options, &names.join(" "), &host);
    host.clear();
    args.output.write(
        |detail, colour, out| report::contrast_text::render(&told, detail, colour, out),
        |out| report::contrast::render_json(&told, out),
    )?;
    Ok(match told.verdict {
        Verdict::Holds => exit::FINE,
        Verdict::Violated => exit::VIOLATED,
        Verdict::Unknown => exit::UNDECIDED,
    })
}

fn options(args: &ContrastArgs) -> Result<Options> {
    let ContrastArgs { trace_field, process_field, event_field, .. } = args;
    let names_processes = process_field.is_some()
        || args
            .line
            .as_ref()
            .is_some_and(|line| line.capture_names().flatten().any(|name| name == "process"));
    if args.order.order() == Order::Process && !names_processes {
        bail!(
            "--order process needs to know the process of an event: --process-field, or --line with a group"
        );
    }
    Ok(Options {
        kind: args.lang.map(|lang| lang.kind()),
        fields: Fields {
            trace: trace_field.clone(),
            process: process_field.clone(),
            event: event_field.clone(),
        },
        line: args.line.clone(),
        masker: Masker::new(!args.no_mask, &args.mask).context("--mask cannot be read")?,
        mask_process: args.mask_process,
        length: args.length.map(usize::from),
        order: args.order.order(),
        start: args.start.clone(),
        tolerance: args.tolerance,
        most_anomalies: if args.output.verbose { usize::MAX } else { MOST_LISTED },
        pattern_length: usize::from(args.pattern_length),
        pattern_support: args.support,
        threads: args
            .threads
            .or_else(|| std::thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN),
    })
}

/// Files by what they really are, so that each is read once, with the names the user knows them by.
type Files = BTreeMap<PathBuf, PathBuf>;

/// The files that are meant by what was given with `option`.
fn files(option: &str, given: &[PathBuf], host: &Terminal) -> Result<Files> {
    let mut files = Files::new();
    for path in given {
        for name in meant(option, path)? {
            let file = name.canonicalize().with_context(|| format!("{} cannot be opened", name.display()))?;
            if let Some(other) = files.insert(file, name.clone()) {
                host.warn(&format!("{} is given twice ({}) and read once", name.display(), other.display()));
            }
        }
    }
    Ok(files)
}

/// The files that one argument means.
fn meant(option: &str, path: &Path) -> Result<Vec<PathBuf>> {
    let name = path.display();
    if written::is_standard_stream(path) {
        bail!("{option} {name}: logs are read more than once, so standard input cannot be used");
    }
    if path.is_dir() {
        let entries = std::fs::read_dir(path).with_context(|| format!("{name} cannot be read"))?;
        let mut inside = entries
            .map(|entry| Ok(entry?.path()))
            .collect::<std::io::Result<Vec<_>>>()
            .with_context(|| format!("{name} cannot be read"))?;
        let is_hidden =
            |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        inside.retain(|path| path.is_file() && !is_hidden(path));
        inside.sort();
        if inside.is_empty() {
            bail!("{option} {name}: the folder contains no files");
        }
        return Ok(inside);
    }
    let text = path.to_string_lossy();
    if !path.exists() && text.contains(['*', '?', '[']) {
        let found = glob::glob(&text).with_context(|| format!("{option} {name}: not a pattern"))?;
        let mut found = found.collect::<Result<Vec<_>, _>>().with_context(|| format!("{option} {name}"))?;
        found.retain(|path| path.is_file());
        if found.is_empty() {
            bail!("{option} {name}: no file matches the pattern");
        }
        return Ok(found);
    }
    if path.exists() && !path.is_file() {
        bail!("{option} {name}: logs are read more than once, and this is not a regular file");
    }
    Ok(vec![path.to_owned()])
}

/// The files in the order of the names the user knows them by.
fn sources(files: Files) -> Result<Vec<Source>> {
    let mut names: Vec<PathBuf> = files.into_values().collect();
    names.sort();
    let source = |name: PathBuf| {
        let metadata = name.metadata().with_context(|| format!("{} cannot be opened", name.display()))?;
        let shown = name.display().to_string();
        Ok(Source::new(shown, metadata.len(), move || Ok(Box::new(File::open(&name)?))))
    };
    names.into_iter().map(source).collect()
}
