//! Fields of objects and classes.

use super::conduct::{Note, Touched};
use super::{Machine, Run};
use crate::value::{Ref, Value};
use crate::world::{Origin, Site};

impl Machine<'_> {
    pub(super) fn get_field(&mut self, site: u32) -> Run<()> {
        let Site::Field { slot, quiet, volatile, .. } = self.world.field_at(site, false)? else {
            return Err(self.bad());
        };
        let object = self.peek_ref(0)?;
        self.not_null(object)?;
        if !quiet {
            self.touch(object, slot, false)?;
            self.plain(Touched::Slot(object, slot), false, volatile);
        }
        let value = self.scene.object(self.world, object).and_then(|object| object.body.get(slot as usize));
        let Some(value) = value else { return Err(self.bad()) };
        self.drop(1);
        self.push(value);
        Ok(())
    }

    pub(super) fn put_field(&mut self, site: u32) -> Run<()> {
        let Site::Field { slot, kind, quiet, volatile } = self.world.field_at(site, false)? else {
            return Err(self.bad());
        };
        let value = self.peek(0)?.narrowed(kind);
        let object = self.peek_ref(1)?;
        self.not_null(object)?;
        if !quiet {
            self.touch(object, slot, true)?;
            self.plain(Touched::Slot(object, slot), true, volatile);
        }
        self.store(object, slot as usize, value)?;
        self.drop(2);
        Ok(())
    }

    pub(super) fn get_static(&mut self, site: u32) -> Run<()> {
        let Site::Static { class, slot, quiet, volatile, .. } = self.world.field_at(site, true)? else {
            return Err(self.bad());
        };
        self.initialise(class)?;
        if !quiet {
            self.touch_static(slot, false)?;
            self.plain(Touched::Static(slot), false, volatile);
        }
        let value = self.static_value(class, slot);
        self.push(value);
        Ok(())
    }

    pub(super) fn put_static(&mut self, site: u32) -> Run<()> {
        let Site::Static { class, slot, kind, quiet, volatile } = self.world.field_at(site, true)? else {
            return Err(self.bad());
        };
        self.initialise(class)?;
        let value = self.peek(0)?.narrowed(kind);
        if !quiet {
            self.touch_static(slot, true)?;
            self.plain(Touched::Static(slot), true, volatile);
        }
        self.set_static(class, slot, value);
        self.drop(1);
        Ok(())
    }

    pub(crate) fn static_value(&self, class: crate::value::ClassId, slot: u32) -> Value {
        if self.world.class(class).number.is_some() {
            return self.scene.static_of_user(self.world, slot);
        }
        let changed = self.scene.changed_statics.get(&slot).copied();
        changed.or_else(|| self.world.statics.get(slot as usize).copied()).unwrap_or(Value::Nothing)
    }

    pub(crate) fn set_static(&mut self, class: crate::value::ClassId, slot: u32, value: Value) {
        self.publish(value);
        if self.world.class(class).number.is_some() {
            let known = self.scene.statics.len();
            if known <= slot as usize {
                let more = self.world.defaults[known..=slot as usize].iter().map(|(value, _)| *value);
                self.scene.statics.extend(more);
            }
            self.scene.statics[slot as usize] = value;
        } else if self.in_base {
            self.world.statics[slot as usize] = value;
        } else {
            self.scene.changed_statics.insert(slot, value);
        }
    }

    /// A field or an element is about to be read or written: if others can notice, this is an action.
    pub(crate) fn touch(&mut self, object: Ref, slot: u32, writes: bool) -> Run<()> {
        if self.in_base {
            return Ok(());
        }
        let shared = if let Some(own) = object.as_own() {
            self.scene.heap.get(own).is_some_and(|object| object.shared)
        } else {
            // What JDK classes made for themselves is their own business.
            self.origin() == Origin::User
        };
        if shared {
            self.visible()?;
        }
        if self.conduct.notes.is_some() && (shared || self.conduct.alone) {
            let touched = Touched::Slot(object, slot);
            self.note(if writes { Note::Write(touched) } else { Note::Read(touched) });
        }
        Ok(())
    }

    pub(crate) fn touch_static(&mut self, slot: u32, writes: bool) -> Run<()> {
        if self.in_base {
            return Ok(());
        }
        self.visible()?;
        let touched = Touched::Static(slot);
        self.note(if writes { Note::Write(touched) } else { Note::Read(touched) });
        Ok(())
    }
}
