//! The [`Story`] of a Java program: its steps in the user's lines, its objects by the variables that lead to them.
//!
//! What happens inside the JDK is told as the line of the user that called it.

mod naming;
mod synchronisation;
mod waiting;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{MutexGuard, PoisonError};

use graph::{
    Actor, Actors, Change, Chosen, Deed, FaultKind, Footprint, Held, Obstacle, Outline, Slot, Sort, Story,
    Synchronisation, Told, ViolationKind, Waiting, Wrong,
};

use self::naming::Named;
use crate::event::{Given, given_in, place_of, thread_of};
use crate::machine::{Note, place_in};
use crate::model::Model;
use crate::scene::Scene;
use crate::state;
use crate::worker::JavaWorker;
use crate::world::{World, Wrongness};

/// Tells about a program.
#[derive(Debug)]
pub struct Narrator<'m> {
    model: &'m Model,
}

impl<'m> Narrator<'m> {
    pub fn new(model: &'m Model) -> Self {
        Self { model }
    }

    fn world(&self) -> MutexGuard<'m, World> {
        self.model.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A state, and the names of what is in it.
    fn named(&self, world: &World, state: &[u8]) -> (Scene, Named) {
        let mut scene = Scene::default();
        state::decode(world, state, &mut scene);
        let named = Named::new(world, &scene);
        (scene, named)
    }

    fn deed(&self, world: &World, event: u64) -> Deed {
        let place = world.places.get(place_of(event)).copied();
        let action = place.map_or_else(String::new, |place| self.model.words(world, place));
        let given = match given_in(event) {
            Given::One(value) => format!(" gave {value}"),
            Given::Nothing | Given::Others => String::new(),
        };
        let location = place.and_then(|(method, op)| self.model.location(world, method, op));
        Deed { actor: actor(world, thread_of(event)), action: format!("{action}{given}"), location }
    }
}

/// A thread by its name, where all threads with this number have the same.
fn actor(world: &World, thread: u8) -> Actor {
    let name = if thread == 0 { Some("main") } else { world.thread_name(thread) };
    Actor { name: name.unwrap_or("thread").to_owned(), number: thread }
}

impl Story for Narrator<'_> {
    fn actors(&self, event: u64) -> Actors {
        Actors::new(thread_of(event), None)
    }

    fn event(&self, event: u64) -> Told {
        Told { deed: self.deed(&self.world(), event), partner: None }
    }

    fn chosen(&self, event: u64) -> Chosen {
        let given = match given_in(event) {
            Given::One(value) => Some(value.to_string()),
            _ => None,
        };
        let world = self.world();
        let place = world.places.get(place_of(event)).copied();
        let statement = place.map_or_else(String::new, |place| self.model.words(&world, place));
        Chosen { place: place_of(event) as u64, statement, given }
    }

    fn label(&self, event: u64) -> String {
        let world = self.world();
        let deed = self.deed(&world, event);
        let place = place_of(event);
        let line = deed.location.as_ref().map_or(0, |location| location.line);
        // Several places of a line are told apart by their order.
        let same = world.places.iter().take(place).filter(|other| {
            world.places.get(place).is_some_and(|own| {
                self.model.location(&world, own.0, own.1) == self.model.location(&world, other.0, other.1)
            })
        });
        match same.count() {
            0 => format!("{deed} @{line}"),
            before => format!("{deed} @{line}.{}", before + 1),
        }
    }

    fn wrong(&self, event: u64, what: u32) -> Wrong {
        let world = self.world();
        let wrong = world.wrongs.get(what as usize);
        let located = |place: Option<(crate::value::MethodId, u32)>| {
            place.and_then(|(method, op)| self.model.location(&world, method, op))
        };
        match wrong {
            Some(Wrongness::Uncaught { class, place }) => {
                let name = world.class(*class).name.replace('/', ".");
                let text =
                    place.map_or_else(String::new, |(method, op)| self.model.line_text(&world, method, op));
                let failed = name == "java.lang.AssertionError";
                let kind = if failed { ViolationKind::Assertion } else { ViolationKind::Fault };
                let text = match (failed, text.is_empty()) {
                    (true, false) => text,
                    (false, false) => format!("{name} in `{text}`"),
                    _ => name,
                };
                Wrong { kind, text, location: located(*place), can_hold: true, sort: Sort::Other }
            }
            Some(Wrongness::Race { place }) => {
                let text = format!("data race in `{}`", self.model.line_text(&world, place.0, place.1));
                let location = located(Some(*place));
                Wrong { kind: ViolationKind::Fault, text, location, can_hold: true, sort: Sort::DataRace }
            }
            Some(Wrongness::Forbidden { place }) => {
                let text = format!("`{}` is reached", self.model.line_text(&world, place.0, place.1));
                let location = located(Some(*place));
                Wrong {
                    kind: ViolationKind::Assertion,
                    text,
                    location,
                    can_hold: false,
                    sort: Sort::ErrorCall,
                }
            }
            None => {
                let deed = self.deed(&world, event);
                Wrong {
                    kind: ViolationKind::Fault,
                    text: deed.action,
                    location: deed.location,
                    can_hold: true,
                    sort: Sort::Other,
                }
            }
        }
    }

    fn detail(&self, state: &[u8], event: u64) -> Option<String> {
        JavaWorker::new(self.model).said(state, event)
    }

    fn fault(&self, state: &[u8], event: u64) -> Option<FaultKind> {
        let violation = JavaWorker::new(self.model).violation(state, event)?;
        let (class, _) = self.model.exception(violation)?;
        match class.as_str() {
            "java.lang.ArithmeticException" => Some(FaultKind::DivisionByZero),
            "java.lang.NullPointerException" => Some(FaultKind::NullPointer),
            _ => None,
        }
    }

    fn values(&self, state: &[u8]) -> Vec<(String, String)> {
        let world = self.world();
        let (_, named) = self.named(&world, state);
        named.variables
    }

    fn outline(&self, state: &[u8]) -> Outline {
        let slots =
            self.values(state).into_iter().map(|(name, value)| Slot { name, held: Held::Always(value) });
        // Where objects lie says nothing of where variables do, so an outline is for one state only.
        let places = std::iter::once(0..state.len()).collect();
        Outline::new(state, places, slots.collect())
    }

    fn changes(&self, from: &[u8], to: &[u8]) -> Vec<Change> {
        let (old, new) = (self.values(from), self.values(to));
        let before: BTreeMap<&str, &str> =
            old.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let after: BTreeMap<&str, &str> =
            new.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let names: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
        let changed = names.into_iter().filter(|name| before.get(name) != after.get(name));
        let text = |of: &BTreeMap<&str, &str>, name: &str| of.get(name).map(|value| (*value).to_owned());
        changed
            .map(|name| Change { name: name.to_owned(), old: text(&before, name), new: text(&after, name) })
            .collect()
    }

    fn inputs(&self, _from: &[u8], _to: Option<&[u8]>, event: u64) -> Vec<i64> {
        match given_in(event) {
            Given::One(value) => vec![i64::from(value)],
            Given::Nothing | Given::Others => Vec::new(),
        }
    }

    fn footprint(&self, state: &[u8], event: u64) -> Footprint {
        let Some(noted) = JavaWorker::new(self.model).noted(state, event) else {
            return Footprint::default();
        };
        let world = self.world();
        let (_, named) = self.named(&world, state);
        let names = |writes: bool| {
            let touched = noted.notes.iter().filter_map(|note| match note {
                Note::Read(touched) if !writes => Some(*touched),
                Note::Write(touched) if writes => Some(*touched),
                _ => None,
            });
            let names = touched.filter_map(|touched| named.touched(&world, touched));
            names.collect::<BTreeSet<String>>().into_iter().collect()
        };
        let mut footprint = Footprint { reads: names(false), writes: names(true), ..Footprint::default() };
        // Between a read and a write of one statement, the value is an operand of the thread.
        let operand = format!("operand of {}", actor(&world, thread_of(event)));
        match world.places.get(place_of(event)).map(|place| words::use_at(&world, *place)) {
            Some(words::Use::Taken) => footprint.writes.push(operand),
            Some(words::Use::Given) => footprint.reads.push(operand),
            _ => {}
        }
        footprint
    }

    fn synchronisation(&self, state: &[u8], event: u64) -> Vec<Synchronisation> {
        let Some(noted) = JavaWorker::new(self.model).noted(state, event) else { return Vec::new() };
        let world = self.world();
        let (_, named) = self.named(&world, state);
        synchronisation::told(&world, &named, &noted)
    }

    fn obstacles(&self, state: &[u8]) -> Vec<Obstacle> {
        waiting::obstacles(self, state)
    }

    fn waiting(&self, state: &[u8]) -> Vec<Waiting> {
        waiting::waiting(self, state)
    }

    fn wants(&self, state: &[u8]) -> Footprint {
        let reads: BTreeSet<String> =
            self.obstacles(state).into_iter().flat_map(|obstacle| obstacle.reads).collect();
        Footprint { reads: reads.into_iter().collect(), ..Footprint::default() }
    }

    fn standing(&self, state: &[u8]) -> Vec<(Actor, u64)> {
        let world = self.world();
        let mut scene = Scene::default();
        state::decode(&world, state, &mut scene);
        let told =
            (0..).zip(&scene.threads).filter(|(_, thread)| !thread.ended).filter_map(|(number, thread)| {
                let (method, op) = place_in(&world, &thread.calls)?;
                Some((actor(&world, number), u64::from(world.line(method, op))))
            });
        told.collect()
    }

    fn unreached(&self, _events: &[u64]) -> Vec<Deed> {
        Vec::new()
    }
}
