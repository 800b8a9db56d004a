//! A program that can be run: its world, and the state it begins with.

use std::sync::{Mutex, PoisonError};

use graph::System;
use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::code::Kind;
use crate::library::Library;
use crate::machine::{Conduct, Machine};
use crate::scene::{Scene, Thread};
use crate::state::{self, Encoder};
use crate::value::{Body, ClassId, Object, Ref, Value};
use crate::worker::JavaWorker;
use crate::world::{Common, Need, STATIC, World};

/// What to run, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The class with `main`, as Java's text or class files spell it.
    pub main: String,
    pub arguments: Vec<String>,
    /// Whether steps end with lines of the user where there is only one thread; otherwise such a thread runs on.
    pub by_lines: bool,
    /// A method that must not be called, with or without its class.
    pub forbidden: Option<String>,
    pub sources: Vec<Source>,
    /// Whether data races are violations.
    pub races: bool,
}

/// A text that classes were compiled from.
#[derive(Clone, Debug)]
pub struct Source {
    /// As the user calls it.
    pub path: String,
    pub text: String,
}

impl Source {
    /// Whether classes that say that they come from a file of this name come from this text.
    pub(crate) fn is_of(&self, file: &str) -> bool {
        self.path.rsplit(['/', '\\']).next() == Some(file)
    }

    pub(crate) fn line(&self, line: u64) -> Option<&str> {
        self.text.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?)
    }
}

/// Why a program cannot be run.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unrunnable {
    #[error("{0} has no `public static void main(String[])`")]
    NoMain(String),
    #[error("this program needs {0}")]
    Needs(String),
}

#[derive(Debug)]
pub struct Model {
    pub(crate) world: Mutex<World>,
    pub(crate) initial: Vec<u8>,
    pub(crate) by_lines: bool,
    pub(crate) sources: Vec<Source>,
    pub(crate) races: bool,
}

impl Model {
    /// The names of the texts that the program is made of.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().map(|source| &*source.path)
    }

    /// Loads the class to start with, and all that it takes to run it.
    ///
    /// # Errors
    /// If the class is not there, cannot be read, or has no `main`.
    pub fn new(library: Library, options: &Options) -> Result<Self, Unrunnable> {
        let mut world = World {
            library,
            classes: Vec::new(),
            by_name: FxHashMap::default(),
            methods: Vec::new(),
            selectors: FxHashMap::default(),
            sites: Vec::new(),
            mentions: Vec::new(),
            recipes: Vec::new(),
            labels: Vec::new(),
            handles: Vec::new(),
            base: Vec::new(),
            texts: FxHashMap::default(),
            statics: Vec::new(),
            defaults: Vec::new(),
            users: Vec::new(),
            needs: Vec::new(),
            places: Vec::new(),
            place_numbers: FxHashMap::default(),
            wrongs: Vec::new(),
            thread_names: Vec::new(),
            forbidden: options.forbidden.clone(),
            common: Common {
                object: ClassId(0),
                string: ClassId(0),
                class: ClassId(0),
                thread: ClassId(0),
                throwable: ClassId(0),
                bytes: ClassId(0),
                boot_thread: Ref::NULL,
                group: Ref::NULL,
            },
            streams: None,
        };
        let initial = world.boot().and_then(|()| world.first(options));
        match initial {
            Ok(Some(initial)) => {
                let sources = options.sources.clone();
                Ok(Self {
                    world: Mutex::new(world),
                    initial,
                    by_lines: options.by_lines,
                    sources,
                    races: options.races,
                })
            }
            Ok(None) => Err(Unrunnable::NoMain(options.main.clone())),
            Err(need) => Err(Unrunnable::Needs(world.needs[need.0 as usize].to_owned())),
        }
    }

    /// Why nothing comes after a state although the program goes on, with its line.
    pub fn obstacle(&self, state: &[u8]) -> Option<(&'static str, u64)> {
        if !state::is_stuck(state) {
            return None;
        }
        let world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scene = Scene::default();
        state::decode(&world, state, &mut scene);
        let (need, line) = scene.stuck?;
        Some((world.needs[need.0 as usize], u64::from(line)))
    }

    /// Runs the program once, one thread as long as it goes, and gives what it printed; with what went wrong, as numbers,
    /// and the last state.
    pub fn run_once(&self, most_steps: usize) -> (Vec<u8>, Vec<u32>, Vec<u8>) {
        JavaWorker::new(self).run_once(most_steps)
    }

    /// The exception behind the number of a violation: its class, and the line where it was made.
    pub fn exception(&self, violation: u32) -> Option<(String, u32)> {
        let world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        match world.wrongs.get(violation as usize)? {
            crate::world::Wrongness::Uncaught { class, place } => {
                let line = place.map_or(0, |(method, op)| world.line(method, op));
                Some((world.class(*class).name.replace('/', "."), line))
            }
            _ => None,
        }
    }
}

impl System for Model {
    type Worker<'a> = JavaWorker<'a>;

    fn worker(&self) -> JavaWorker<'_> {
        JavaWorker::new(self)
    }
}

impl World {
    /// Loads the classes that the machine itself needs.
    fn boot(&mut self) -> Result<(), Need> {
        self.common.object = self.load("java/lang/Object")?;
        self.common.bytes = self.load("[B")?;
        self.common.string = self.load("java/lang/String")?;
        self.common.class = self.load("java/lang/Class")?;
        // Mirrors that were made before their class was known.
        for at in 0..self.classes.len() {
            if let Some(mirror) = self.classes[at].mirror.as_base() {
                self.base[mirror] = Object::new(self.common.class, self.instance(self.common.class));
            }
        }
        self.common.throwable = self.load("java/lang/Throwable")?;
        self.common.thread = self.load("java/lang/Thread")?;
        let group = self.load("java/lang/ThreadGroup")?;
        self.common.group = self.in_base_image(group);
        self.common.boot_thread = self.in_base_image(self.common.thread);
        let main = self.text_of("main");
        let fields = [
            (self.common.group, "name", Value::Ref(main)),
            (self.common.group, "maxPriority", Value::Int(10)),
            (self.common.boot_thread, "name", Value::Ref(main)),
            (self.common.boot_thread, "group", Value::Ref(self.common.group)),
            (self.common.boot_thread, "priority", Value::Int(5)),
            (self.common.boot_thread, "tid", Value::Long(1)),
            (self.common.boot_thread, "threadStatus", Value::Int(5)),
        ];
        for (object, name, value) in fields {
            let Some(at) = object.as_base() else { continue };
            if let Some(slot) = self.slot(self.base[at].class, name) {
                self.base[at].body.set(slot, value);
            }
        }
        self.streams()
    }

    /// An object that no constructor has seen.
    fn in_base_image(&mut self, class: ClassId) -> Ref {
        let body = self.instance(class);
        self.base.push(Object::new(class, body));
        Ref::base(self.base.len() - 1)
    }

    /// Standard output and standard error, and the way of the JDK's packages into each other.
    fn streams(&mut self) -> Result<(), Need> {
        let system = self.load("java/lang/System")?;
        self.outside(|machine| machine.initialise_jdk(system))?;
        let stream = self.load("java/io/PrintStream")?;
        let (out, err) = (self.in_base_image(stream), self.in_base_image(stream));
        self.streams = Some((out, err));
        for (name, value) in [("out", out), ("err", err)] {
            if let Some(slot) = self.field(system, name).map(|field| field.slot) {
                self.statics[slot as usize] = Value::Ref(value);
            }
        }
        if let Some(method) = self.declared(system, "setJavaLangAccess", "()V") {
            let mut begun = false;
            self.outside(|machine| {
                if std::mem::replace(&mut begun, true) {
                    return Ok(());
                }
                machine.begin(method, &[], None)?;
                Err(crate::machine::Halt::Again)
            })?;
        }
        Ok(())
    }

    /// Does something outside of all states.
    fn outside(&mut self, what: impl FnMut(&mut Machine<'_>) -> crate::machine::Run<()>) -> Result<(), Need> {
        let mut scene = Scene::default();
        scene.threads.push(Thread { object: self.common.boot_thread, ..Thread::default() });
        let mut conduct = Conduct::default();
        let mut machine = Machine::new(self, &mut scene, &mut conduct, 0);
        match machine.in_base(what) {
            Ok(()) => Ok(()),
            Err(crate::machine::Halt::Needs(need)) => Err(need),
            Err(_) => Err(self.need("a JDK whose System class can be initialised")),
        }
    }

    /// The state before `main` is called; nothing if there is no `main`.
    fn first(&mut self, options: &Options) -> Result<Option<Vec<u8>>, Need> {
        let class = self.load(&options.main.replace('.', "/"))?;
        let Some(main) = self.find_method(class, "main", "([Ljava/lang/String;)V") else { return Ok(None) };
        if self.method(main).flags & STATIC == 0 || self.method(main).code.is_none() {
            return Ok(None);
        }
        let mut scene = Scene::default();
        scene.threads.push(Thread { object: self.common.boot_thread, ..Thread::default() });
        let array = self.array_name(self.common.string);
        let array = self.load(&array)?;
        let mut arguments = Body::array(Kind::Ref, options.arguments.len());
        for (at, argument) in options.arguments.iter().enumerate() {
            let text = self.text_of(argument);
            arguments.set(at, Value::Ref(text));
        }
        scene.heap.push(Object::new(array, arguments));
        let mut conduct = Conduct::default();
        conduct.reset();
        let mut machine = Machine::new(self, &mut scene, &mut conduct, 0);
        if machine.begin(main, &[Value::Ref(Ref::own(0))], None).is_err() {
            return Err(machine.world.need("a class file whose main is well formed"));
        }
        // The class of `main` is initialised first.
        let initialised = machine.initialise(class);
        let calls = std::mem::take(&mut machine.calls);
        if let Err(crate::machine::Halt::Needs(need)) = initialised {
            return Err(need);
        }
        scene.threads[0].calls = calls;
        let mut bytes = Vec::new();
        Encoder::default().encode(self, &scene, &mut bytes);
        Ok(Some(bytes))
    }
}
