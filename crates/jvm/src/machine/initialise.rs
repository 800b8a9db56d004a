//! Initialisation of classes, when they are first needed.
//!
//! A class of the user is initialised by the thread that needs it first; others wait. A JDK class is initialised
//! outside of all states, into the base image.

use super::{Conduct, Ended, Halt, Machine, Run, Wait};
use crate::scene::{Scene, Started, Thread};
use crate::value::{ClassId, Ref};
use crate::world::{INTERFACE, STATIC, Status};

impl Machine<'_> {
    /// Makes sure that a class is initialised.
    #[inline]
    pub(crate) fn initialise(&mut self, class: ClassId) -> Run<()> {
        match self.world.class(class).number {
            None => self.initialise_jdk(class),
            Some(number) => match self.scene.started(number) {
                Started::Done => Ok(()),
                Started::By(thread) if usize::from(thread) == self.thread => Ok(()),
                Started::By(thread) => Err(Halt::Blocked(Wait::Class(thread))),
                Started::Failed => {
                    let name = self.world.class(class).name.replace('/', ".");
                    let text = format!("Could not initialize class {name}");
                    Err(self.throw("java/lang/NoClassDefFoundError", Some(&text)))
                }
                Started::No => self.initialise_user(class, number),
            },
        }
    }

    fn initialise_user(&mut self, class: ClassId, number: u32) -> Run<()> {
        for above in self.above(class) {
            self.initialise(above)?;
        }
        let Some(initialiser) = self.world.class(class).initialiser else { return Ok(()) };
        self.visible()?;
        self.set_started(number, Started::By(self.thread as u8));
        self.begin(initialiser, &[], Some(class))?;
        Err(Halt::Again)
    }

    /// What has to be initialised before a class: its parent, and interfaces with code of their own.
    fn above(&self, class: ClassId) -> Vec<ClassId> {
        let of = self.world.class(class);
        if of.flags & INTERFACE != 0 {
            return Vec::new();
        }
        let has_code = |interface: &&ClassId| {
            let methods = &self.world.class(**interface).methods;
            methods.iter().any(|method| {
                let method = self.world.method(*method);
                method.code.is_some() && method.flags & STATIC == 0
            })
        };
        of.parent.iter().chain(of.interfaces.iter().filter(has_code)).copied().collect()
    }

    fn set_started(&mut self, number: u32, to: Started) {
        self.conduct.dirty = true;
        let at = number as usize;
        if self.scene.started.len() <= at {
            self.scene.started.resize(at + 1, Started::No);
        }
        self.scene.started[at] = to;
    }

    /// An initialiser returned.
    pub(super) fn initialised(&mut self, class: ClassId) {
        match self.world.class(class).number {
            Some(number) => self.set_started(number, Started::Done),
            None => self.world.classes[class.0 as usize].status = Status::Done,
        }
    }

    /// An initialiser ended with an exception.
    pub(super) fn not_initialised(&mut self, class: ClassId, exception: Ref) -> Run<()> {
        match self.world.class(class).number {
            Some(number) => self.set_started(number, Started::Failed),
            None => {
                let with = self.class_of(exception)?;
                let message = self.message(exception);
                let text = format!(
                    "the initialisation of {}, which ends with {}{message}",
                    self.world.class(class).name.replace('/', "."),
                    self.world.class(with).name.replace('/', ".")
                );
                let need = self.world.need(&text);
                self.world.classes[class.0 as usize].status = Status::Failed(need);
                return Err(Halt::Needs(need));
            }
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn initialise_jdk(&mut self, class: ClassId) -> Run<()> {
        match self.world.class(class).status {
            Status::Done => Ok(()),
            Status::Failed(need) => Err(Halt::Needs(need)),
            Status::Running if self.in_base => Ok(()),
            Status::Running | Status::New if !self.in_base => self.initialise_in_base(class),
            _ => {
                for above in self.above(class) {
                    self.initialise_jdk(above)?;
                }
                let Some(initialiser) = self.world.class(class).initialiser else {
                    self.world.classes[class.0 as usize].status = Status::Done;
                    return Ok(());
                };
                self.world.classes[class.0 as usize].status = Status::Running;
                if crate::natives::skips_initialiser(&self.world.class(class).name) {
                    self.world.classes[class.0 as usize].status = Status::Done;
                    return Ok(());
                }
                self.begin(initialiser, &[], Some(class))?;
                Err(Halt::Again)
            }
        }
    }

    /// Runs the initialiser of a JDK class to its end, in a scene of its own.
    fn initialise_in_base(&mut self, class: ClassId) -> Run<()> {
        let ran = self.in_base(|machine| machine.initialise_jdk(class));
        match ran {
            Ok(()) => Ok(()),
            Err(halt) => {
                let need = match halt {
                    Halt::Needs(need) => need,
                    _ => self.world.need("a JDK class that can be initialised"),
                };
                self.world.classes[class.0 as usize].status = Status::Failed(need);
                Err(Halt::Needs(need))
            }
        }
    }

    /// Does something outside of all states, as often as it has to be tried again.
    pub(crate) fn in_base(&mut self, mut what: impl FnMut(&mut Machine<'_>) -> Run<()>) -> Run<()> {
        let mut scene = Scene::default();
        scene.threads.push(Thread { object: self.world.common.boot_thread, ..Thread::default() });
        let mut conduct = Conduct::default();
        conduct.reset();
        conduct.unlimited();
        let mut machine = Machine::new(self.world, &mut scene, &mut conduct, 0);
        machine.in_base = true;
        loop {
            match what(&mut machine) {
                Err(Halt::Again) => match machine.run() {
                    Ended::Fine => {}
                    Ended::Needs(need) => return Err(Halt::Needs(need)),
                    Ended::Blocked(_) => {
                        return Err(machine.needs("a JDK class whose initialiser does not wait"));
                    }
                },
                Err(Halt::Throw(exception)) => {
                    return Err(machine.unwind(exception).err().unwrap_or(Halt::Stop));
                }
                other => return other,
            }
        }
    }
}
