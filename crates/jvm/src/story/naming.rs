//! Names for objects: the shortest way to them from statics and variables of the user.
//!
//! Objects have no names of their own, and where they lie says nothing. So an object is called by a path: a static, or a
//! variable of a thread, and fields and indices behind it. Statics come first, then the threads in their order, so that
//! the name is the same in most states.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::code::Kind;
use crate::machine::Touched;
use crate::scene::Scene;
use crate::value::{Body, ClassId, Ref, Value};
use crate::world::{Origin, STATIC, World};

/// Longer arrays are told in part.
const MOST_ELEMENTS: usize = 64;
/// Longer texts are cut.
const MOST_TEXT: usize = 40;

#[derive(Debug)]
pub(crate) struct Named {
    paths: FxHashMap<Ref, String>,
    classes: FxHashMap<Ref, ClassId>,
    /// All variables that are told, with their values.
    pub(crate) variables: Vec<(String, String)>,
}

impl Named {
    pub(crate) fn new(world: &World, scene: &Scene) -> Self {
        let mut maker = Maker {
            world,
            scene,
            named: Named {
                paths: FxHashMap::default(),
                classes: FxHashMap::default(),
                variables: Vec::new(),
            },
            waiting: VecDeque::new(),
            in_statics: true,
            told: Vec::new(),
        };
        maker.statics();
        maker.in_statics = false;
        maker.threads();
        maker.objects();
        maker.tell();
        maker.named
    }

    /// The path to an object.
    pub(crate) fn path(&self, object: Ref) -> Option<&str> {
        self.paths.get(&object).map(String::as_str)
    }

    /// What a lock is called: the variable that leads to it.
    pub(crate) fn lock(&self, world: &World, object: Ref) -> String {
        let path = self.path(object).map(|path| path.strip_suffix(".sync").unwrap_or(path).to_owned());
        path.unwrap_or_else(|| {
            let mirror = world.mirrored(object);
            mirror
                .map_or_else(|| "an object".to_owned(), |class| format!("{}.class", world.simple_name(class)))
        })
    }

    /// The variable that a step touched.
    pub(crate) fn touched(&self, world: &World, touched: Touched) -> Option<String> {
        match touched {
            Touched::Static(slot) => {
                let (_, class) = world.defaults.get(slot as usize)?;
                let fields = &world.class(*class).fields;
                let field = fields.iter().find(|field| field.is_static() && field.slot == slot)?;
                Some(format!("{}.{}", world.simple_name(*class), field.name))
            }
            Touched::Slot(object, slot) => {
                let path = self.path(object)?;
                let class = *self.classes.get(&object)?;
                Some(match world.class(class).element {
                    Some(_) => format!("{path}[{slot}]"),
                    None => format!("{path}.{}", field_name(world, class, slot)?),
                })
            }
        }
    }
}

/// The name of a field of an instance by its slot.
fn field_name(world: &World, class: ClassId, slot: u32) -> Option<&str> {
    let mut at = Some(class);
    while let Some(class) = at {
        let class = world.class(class);
        let mut fields = class.fields.iter();
        if let Some(field) = fields.find(|field| !field.is_static() && field.slot == slot) {
            return Some(&field.name);
        }
        at = class.parent;
    }
    None
}

struct Maker<'a> {
    world: &'a World,
    scene: &'a Scene,
    named: Named,
    waiting: VecDeque<Ref>,
    /// Whether the variables are those of classes, which always lead to the same.
    in_statics: bool,
    /// Variables whose values are spelled when all objects have names.
    told: Vec<(String, Value, Kind)>,
}

impl Maker<'_> {
    /// A variable leads to an object, which may get its name by that.
    fn lead(&mut self, to: Value, path: &str) {
        if let Value::Ref(object) = to
            && !object.is_null()
            && object.as_own().is_some()
            && !self.named.paths.contains_key(&object)
        {
            let of = self.scene.object(self.world, object).map(|of| (of.birth, of.class));
            let path = match of {
                // Variables come and go; what was made first, second and so on stays that.
                Some((birth, class)) if birth > 0 && !self.in_statics => {
                    format!("{}#{birth}", self.world.simple_name(class))
                }
                _ => path.to_owned(),
            };
            self.named.paths.insert(object, path);
            self.waiting.push_back(object);
        }
    }

    fn variable(&mut self, name: String, value: Value, kind: Kind) {
        self.lead(value, &name);
        self.told.push((name, value, kind));
    }

    fn statics(&mut self) {
        for class in &self.world.users {
            let of = self.world.class(*class);
            for field in of.fields.iter().filter(|field| field.flags & STATIC != 0) {
                if field.name.contains('$') {
                    continue;
                }
                let value = self.scene.static_of_user(self.world, field.slot);
                let name = format!("{}.{}", self.world.simple_name(*class), field.name);
                self.variable(name, value, field.kind);
            }
        }
    }

    fn threads(&mut self) {
        for (number, thread) in (0u8..).zip(&self.scene.threads) {
            let prefix = if number == 0 {
                String::new()
            } else {
                format!(
                    "{}.",
                    self.world.thread_name(number).map_or_else(|| format!("thread{number}"), str::to_owned)
                )
            };
            for frame in &thread.calls.frames {
                let method = self.world.method(frame.method);
                let Some(linked) = method.code.as_ref().filter(|linked| linked.origin == Origin::User) else {
                    continue;
                };
                for variable in &linked.code.variables {
                    if !(variable.from..variable.to).contains(&frame.op) {
                        continue;
                    }
                    let at = frame.base as usize + usize::from(variable.slot);
                    let Some(value) = thread.calls.stack.get(at).copied() else { continue };
                    if matches!(value, Value::Nothing) {
                        continue;
                    }
                    let name = format!("{prefix}{}.{}", method_name(&method.name), variable.name);
                    self.variable(name, value, Kind::of(&variable.descriptor));
                }
            }
            if !thread.ended {
                let name = format!("{}thread", if number == 0 { "main." } else { &prefix });
                self.lead(Value::Ref(thread.object), &name);
            }
        }
    }

    /// Follows the fields of objects, breadth-first.
    fn objects(&mut self) {
        while let Some(object) = self.waiting.pop_front() {
            let Some(of) = self.scene.object(self.world, object) else { continue };
            self.named.classes.insert(object, of.class);
            let path = self.named.paths.get(&object).cloned().unwrap_or_default();
            let class = self.world.class(of.class);
            match &of.body {
                Body::Fields(values) => {
                    for (slot, value) in values.iter().enumerate() {
                        let Some((name, owner)) = self.field(of.class, slot as u32) else { continue };
                        let name = format!("{path}.{name}");
                        if owner == Origin::User && !name.contains("this$") {
                            self.variable(name, *value, class.layout[slot]);
                        } else {
                            self.lead(*value, &name);
                            if is_told(class.origin, &name) && class.origin != Origin::User {
                                self.told.push((name, *value, class.layout[slot]));
                            }
                        }
                    }
                }
                Body::Refs(values) if class.element.is_some() => {
                    for (at, to) in values.iter().enumerate().take(MOST_ELEMENTS) {
                        self.variable(format!("{path}[{at}]"), Value::Ref(*to), Kind::Ref);
                    }
                }
                body => {
                    let kind = class.element.map_or(Kind::Int, |(kind, _)| kind);
                    if !path.ends_with(".value") {
                        for at in 0..body.length().min(MOST_ELEMENTS) {
                            let value = body.get(at).unwrap_or(Value::Nothing);
                            self.told.push((format!("{path}[{at}]"), value, kind));
                        }
                    }
                }
            }
        }
    }

    fn field(&self, class: ClassId, slot: u32) -> Option<(&str, Origin)> {
        let mut at = Some(class);
        while let Some(id) = at {
            let class = self.world.class(id);
            let mut fields = class.fields.iter();
            if let Some(field) = fields.find(|field| !field.is_static() && field.slot == slot) {
                return Some((&field.name, class.origin));
            }
            at = class.parent;
        }
        None
    }

    /// Spells the values, and says who has which monitor.
    fn tell(&mut self) {
        let told = std::mem::take(&mut self.told);
        for (name, value, kind) in told {
            let text = self.spelled(&name, value, kind);
            self.named.variables.push((name, text));
        }
        for monitor in &self.scene.monitors {
            let name = self.named.lock(self.world, monitor.object);
            let owner = super::actor(self.world, monitor.owner);
            self.named.variables.push((format!("monitor of {name}"), format!("held by {owner}")));
        }
        self.named.variables.sort();
        self.named.variables.dedup_by(|one, two| one.0 == two.0);
    }

    fn spelled(&self, name: &str, value: Value, kind: Kind) -> String {
        match (value, kind) {
            (Value::Int(value), Kind::Boolean) => (value != 0).to_string(),
            (Value::Int(value), Kind::Char) => match char::from_u32(value as u32) {
                Some(c) if !c.is_control() => format!("'{c}'"),
                _ => value.to_string(),
            },
            (Value::Int(value), _) => value.to_string(),
            (Value::Long(value), _) => value.to_string(),
            (Value::Float(value), _) => value.to_string(),
            (Value::Double(value), _) => value.to_string(),
            (Value::Nothing, _) => String::new(),
            (Value::Ref(to), _) => self.spelled_object(name, to),
        }
    }

    fn spelled_object(&self, name: &str, to: Ref) -> String {
        if to.is_null() {
            return "null".to_owned();
        }
        let Some(object) = self.scene.object(self.world, to) else { return String::new() };
        let class = self.world.class(object.class);
        match &*class.name {
            "java/lang/String" => return self.text(object.class, &object.body),
            "java/lang/Integer"
            | "java/lang/Long"
            | "java/lang/Short"
            | "java/lang/Byte"
            | "java/lang/Double"
            | "java/lang/Float"
            | "java/lang/Boolean"
            | "java/lang/Character" => {
                let slot = self.world.slot(object.class, "value");
                let value = slot.and_then(|slot| object.body.get(slot));
                let kind = slot.map_or(Kind::Int, |slot| class.layout[slot]);
                return value.map_or_else(String::new, |value| self.spelled(name, value, kind));
            }
            _ => {}
        }
        // A constant of an enum is called by its name.
        if let Some(slot) = class.parent.filter(|parent| &*self.world.class(*parent).name == "java/lang/Enum")
            && let Some(Value::Ref(text)) =
                self.world.slot(slot, "name").and_then(|slot| object.body.get(slot))
        {
            let text = self.spelled_object(name, text);
            return text.trim_matches('"').to_owned();
        }
        match self.named.path(to) {
            Some(path) if path != name => path.to_owned(),
            _ => self.world.simple_name(object.class),
        }
    }

    fn text(&self, class: ClassId, body: &Body) -> String {
        let field = |name: &str| self.world.slot(class, name).and_then(|slot| body.get(slot));
        let (Some(Value::Ref(bytes)), Some(Value::Int(coder))) = (field("value"), field("coder")) else {
            return String::new();
        };
        let Some(Body::Bytes(bytes)) = self.scene.object(self.world, bytes).map(|object| &object.body) else {
            return String::new();
        };
        let units: Vec<u16> = if coder == 0 {
            bytes.iter().map(|byte| u16::from(*byte as u8)).collect()
        } else {
            bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0] as u8, pair[1] as u8])).collect()
        };
        let text: String = String::from_utf16_lossy(&units).chars().take(MOST_TEXT).collect();
        format!("{text:?}")
    }
}

/// The few fields of the JDK's objects that say something to the user.
fn is_told(origin: Origin, name: &str) -> bool {
    origin != Origin::User
        && [".size", ".count", ".value", ".state"].iter().any(|end| name.ends_with(end))
        && !name.contains(".thread")
}

/// What a method of a lambda is called: the method it stands in.
fn method_name(name: &str) -> &str {
    match name.strip_prefix("lambda$") {
        Some(rest) => rest.split('$').next().unwrap_or(rest),
        None => name,
    }
}
