//! The last stage of every answer: names are settled and causes ranked when nothing more will be found.
//!
//! Only what was concluded is an answer: [`Concluded`] is made here and nowhere else, so that nobody can forget this stage.

use std::ops::{Deref, DerefMut};

use findings::Explanation;

use crate::as_findings::cost;
use crate::combine::rank;
use crate::request::Host;

/// An explanation whose causes are in one ranked list.
#[derive(Clone, Debug)]
pub struct Concluded(Explanation);

/// Concludes an explanation: names that rest on changes of the text are given now, or taken back; then all findings are
/// ranked as one list of causes, and what everything took is counted.
pub fn conclude(mut explanation: Explanation, host: &dyn Host) -> Concluded {
    patterns::settle(&mut explanation);
    rank(&mut explanation);
    cost(&mut explanation, host);
    Concluded(explanation)
}

impl Deref for Concluded {
    type Target = Explanation;

    fn deref(&self) -> &Explanation {
        &self.0
    }
}

/// What is known of other properties is added behind.
impl DerefMut for Concluded {
    fn deref_mut(&mut self) -> &mut Explanation {
        &mut self.0
    }
}
