//! The headlines of what each method found, as the text tells them, for renderers that put tables below them.

use serde::Serialize;

use super::{Detail, Page};
use crate::lanes::Lanes;
use crate::{Method, Outcome, Report};

/// What a method found, in a sentence.
#[derive(Debug, Serialize)]
pub(crate) struct Headline {
    method: Method,
    title: String,
    text: String,
}

pub(crate) fn headlines(report: &Report) -> Vec<Headline> {
    let methods = &report.methods;
    let trace = report.counterexample.as_ref();
    let mut all = Vec::new();
    let mut told = |method: Method, tell: &dyn Fn(&mut Page)| {
        let mut page = Page::new(Detail::Verbose, false);
        page.main_file.clone_from(&report.input.path);
        page.lanes = trace.and_then(Lanes::of);
        tell(&mut page);
        let headings = page.headings.into_iter();
        all.extend(headings.map(|(title, text)| Headline { method, title, text }));
    };
    if let Some(Outcome::Found(found)) = &methods.neighbourhoods {
        told(Method::Neighbourhoods, &|page| page.neighbourhoods(found));
    }
    if let Some(Outcome::Found(found)) = &methods.anomalies {
        told(Method::Anomalies, &|page| page.anomalies(found, trace));
    }
    if let Some(Outcome::Found(found)) = &methods.correct_transitions {
        told(Method::CorrectTransitions, &|page| page.correct_transitions(found));
    }
    if let Some(Outcome::Found(found)) = &methods.variations {
        told(Method::Variations, &|page| page.variations(found));
    }
    if let Some(Outcome::Found(found)) = &methods.diagnosis {
        told(Method::Diagnosis, &|page| page.diagnosis(found));
    }
    all
}
