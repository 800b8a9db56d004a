//! What the method "variations" leaves behind beside the report: negatives as a suite of counterexamples, and
//! samples for Daikon.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use report::Report;
use wherefore::leftovers::{daikon_files, failing_variations};

use super::variation_flags::VariationArgs;
use super::written;

/// Where to write; nowhere if nobody asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct VariationFiles {
    pub(crate) daikon: Option<PathBuf>,
    pub(crate) negatives: Option<PathBuf>,
}

impl VariationFiles {
    pub(crate) fn new(args: &VariationArgs) -> Self {
        Self { daikon: args.daikon.clone(), negatives: args.save_negatives.clone() }
    }

    pub(crate) fn write(&self, report: &Report) -> Result<()> {
        if let Some(folder) = &self.daikon {
            for (at, (name, text)) in daikon_files(report).into_iter().enumerate() {
                if at == 0 {
                    create_folder(folder)?;
                }
                write_text(&folder.join(name), text)?;
            }
        }
        if let Some(folder) = self.negatives.as_ref().filter(|_| report.methods.variations.is_some()) {
            create_folder(folder)?;
            for (number, kept) in (1..).zip(failing_variations(report)) {
                let path = folder.join(format!("negative-{number:04}.json"));
                written::create(&path, |out| Ok(report::json::render(&kept, out)?))?;
            }
        }
        Ok(())
    }
}

fn create_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))
}

fn write_text(path: &Path, text: &str) -> Result<()> {
    written::create(path, |out| Ok(out.write_all(text.as_bytes())?))
}
