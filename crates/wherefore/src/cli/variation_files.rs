//! What the method "variations" leaves behind beside the report: negatives as a suite of counterexamples, and
//! samples for Daikon.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use report::{Methods, Outcome, Report};

use super::input;

/// Where to write; nowhere if nobody asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct VariationFiles {
    pub(crate) daikon: Option<PathBuf>,
    pub(crate) negatives: Option<PathBuf>,
}

impl VariationFiles {
    pub(crate) fn write(&self, report: &Report) -> Result<()> {
        let Some(Outcome::Found(found)) = &report.methods.variations else { return Ok(()) };
        if let (Some(folder), Some(files)) = (&self.daikon, &found.daikon) {
            create_folder(folder)?;
            for (kind, [declarations, trace]) in
                [("negative", &files.negative), ("positive", &files.positive)]
            {
                write_text(&folder.join(format!("{kind}.decls")), declarations)?;
                write_text(&folder.join(format!("{kind}.dtrace")), trace)?;
            }
        }
        if let Some(folder) = &self.negatives {
            create_folder(folder)?;
            for (counterexample, number) in found.negative_traces.iter().zip(1..) {
                let kept = Report {
                    counterexample: Some(report::tell::counterexample(counterexample)),
                    causes: Vec::new(),
                    without: Vec::new(),
                    others: Vec::new(),
                    methods: Methods::default(),
                    ..report.clone()
                };
                let path = folder.join(format!("negative-{number:04}.json"));
                input::create(&path, |out| Ok(report::json::render(&kept, out)?))?;
            }
        }
        Ok(())
    }
}

fn create_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))
}

fn write_text(path: &Path, text: &str) -> Result<()> {
    input::create(path, |out| Ok(out.write_all(text.as_bytes())?))
}
