//! Making objects, and writing to them.

use super::{Machine, Run};
use crate::code::Kind;
use crate::value::{Body, ClassId, Object, Ref, Value};
use crate::world::Origin;

/// So many objects get a number that they are told by.
const MOST_BIRTHS: u8 = 120;

impl Machine<'_> {
    /// Whether people tell objects of a class from each other: their own, and what they use as locks.
    fn is_told(&self, class: ClassId) -> bool {
        let class = self.world.class(class);
        let name = &class.name;
        class.element.is_none()
            && (class.origin == Origin::User
                || class.origin == Origin::Uninterrupted
                    && name.starts_with("java/util/concurrent/")
                    && !name.contains('$')
                || &**name == "java/lang/Object")
    }

    pub(crate) fn allocate(&mut self, class: ClassId, body: Body) -> Ref {
        let mut object = Object::new(class, body);
        if self.in_base {
            self.world.base.push(object);
            return Ref::base(self.world.base.len() - 1);
        }
        if self.conduct.alone && self.scene.births < MOST_BIRTHS && self.is_told(class) {
            self.scene.births += 1;
            object.birth = self.scene.births;
        }
        self.scene.heap.push(object);
        Ref::own(self.scene.heap.len() - 1)
    }

    pub(crate) fn new_instance(&mut self, class: ClassId) -> Ref {
        let body = self.world.instance(class);
        self.allocate(class, body)
    }

    /// An array of numbers, or of objects of a class.
    pub(crate) fn new_array(&mut self, kind: Kind, of: Option<ClassId>, length: usize) -> Run<Ref> {
        let name = match of {
            Some(of) => self.world.array_name(of),
            None => format!("[{}", kind.letter()),
        };
        let class = self.world.load(&name)?;
        Ok(self.allocate(class, Body::array(kind, length)))
    }

    pub(crate) fn class_of(&mut self, object: Ref) -> Run<ClassId> {
        match self.scene.object(self.world, object) {
            Some(object) => Ok(object.class),
            None => Err(self.bad()),
        }
    }

    /// The object for writing; one of the base image is copied first.
    pub(crate) fn object_mut(&mut self, object: Ref) -> Run<&mut Object> {
        if let Some(own) = object.as_own() {
            if own >= self.scene.heap.len() {
                return Err(self.bad());
            }
            return Ok(&mut self.scene.heap[own]);
        }
        let Some(base) = object.as_base().filter(|base| *base < self.world.base.len()) else {
            return Err(self.bad());
        };
        if self.in_base {
            return Ok(&mut self.world.base[base]);
        }
        let world = &*self.world;
        Ok(self.scene.changed.entry(base as u32).or_insert_with(|| world.base[base].clone()))
    }

    /// Writes a field or an element. What is stored where others can reach it can be reached by others.
    pub(crate) fn store(&mut self, object: Ref, slot: usize, value: Value) -> Run<()> {
        if let Value::Ref(to) = value
            && !to.is_null()
            && self.is_shared(object)
        {
            self.publish(value);
        }
        let stored = self.object_mut(object)?.body.set(slot, value);
        match stored {
            Some(()) => Ok(()),
            None => Err(self.bad()),
        }
    }

    pub(crate) fn value(&mut self, object: Ref, slot: usize) -> Run<Value> {
        let value = self.scene.object(self.world, object).and_then(|object| object.body.get(slot));
        value.ok_or_else(|| self.bad())
    }

    /// A field by its name; for classes that the machine knows.
    pub(crate) fn named(&mut self, object: Ref, name: &str) -> Run<Value> {
        let class = self.class_of(object)?;
        let Some(slot) = self.world.slot(class, name) else { return Err(self.no_field(class, name)) };
        self.value(object, slot)
    }

    pub(crate) fn set_named(&mut self, object: Ref, name: &str, value: Value) -> Run<()> {
        let class = self.class_of(object)?;
        let Some(slot) = self.world.slot(class, name) else { return Err(self.no_field(class, name)) };
        self.store(object, slot, value)
    }

    fn no_field(&mut self, class: ClassId, name: &str) -> super::Halt {
        let class = self.world.class(class).name.replace('/', ".");
        self.needs(&format!("field {name} of {class}, which this JDK lacks"))
    }

    /// The number by which an object is told from others. It is given when first asked for, so that it does not
    /// depend on where the object lies.
    pub(crate) fn identity(&mut self, object: Ref) -> Run<i32> {
        if object.is_null() {
            return Ok(0);
        }
        if let Some(base) = object.as_base() {
            return Ok((base as i32 + 1).wrapping_mul(0x0100_0193) & 0x7fff_ffff);
        }
        let known = self.object_mut(object)?.hash;
        if known != 0 {
            return Ok(known);
        }
        self.scene.hashes += 1;
        let hash = self.scene.hashes.wrapping_mul(0x1e35_a7bd) & 0x7fff_ffff;
        self.object_mut(object)?.hash = hash;
        Ok(hash)
    }
}
