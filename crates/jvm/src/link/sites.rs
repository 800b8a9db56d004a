//! What operations refer to, found when they are first executed.

use crate::code::{Constant, Dispatch, Mention};
use crate::value::{ClassId, MethodId, Value};
use crate::world::{FINAL, Need, Origin, PRIVATE, Site, VOLATILE, World};

impl World {
    pub(crate) fn class_at(&mut self, site: u32) -> Result<ClassId, Need> {
        match self.sites[site as usize] {
            Site::Class(class) => Ok(class),
            Site::Open(_, mention) => {
                let Mention::Class(name) = self.mentions[mention as usize].clone() else {
                    return Err(self.need("a class where a class file mentions something else"));
                };
                let class = self.load(&name)?;
                self.sites[site as usize] = Site::Class(class);
                Ok(class)
            }
            _ => Err(self.need("a class where a class file mentions something else")),
        }
    }

    /// A field of an instance or of a class.
    pub(crate) fn field_at(&mut self, site: u32, is_static: bool) -> Result<Site, Need> {
        let found = self.sites[site as usize];
        let Site::Open(_, mention) = found else { return Ok(found) };
        let Mention::Member(member) = self.mentions[mention as usize].clone() else {
            return Err(self.need("a field where a class file mentions something else"));
        };
        let class = self.load(&member.class)?;
        let Some((owner, field)) = self.find_field(class, &member.name, &member.descriptor) else {
            return Err(self.need(&format!("field {}.{}", member.class.replace('/', "."), member.name)));
        };
        if field.is_static() != is_static {
            return Err(self.need(&format!("field {}.{} of another sort", member.class, member.name)));
        }
        let is_final = field.flags & FINAL != 0;
        let volatile = field.flags & VOLATILE != 0;
        let found = if is_static {
            // Final statics are written by their initialiser, and others wait for that.
            let inside_jdk = self.class(owner).origin != Origin::User;
            let quiet = is_final || inside_jdk;
            Site::Static { class: owner, slot: field.slot, kind: field.kind, quiet, volatile }
        } else {
            let quiet = is_final
                || matches!(
                    (&*self.class(owner).name, &*field.name),
                    // What a thread runs is set before it starts.
                    ("java/lang/String" | "java/lang/Class", _) | ("java/lang/Thread", "target")
                );
            Site::Field { slot: field.slot, kind: field.kind, quiet, volatile }
        };
        self.sites[site as usize] = found;
        Ok(found)
    }

    /// A field by name and descriptor, in a class, what it implements and what it extends.
    fn find_field(
        &self,
        class: ClassId,
        name: &str,
        descriptor: &str,
    ) -> Option<(ClassId, crate::world::Field)> {
        let fits = |field: &&crate::world::Field| &*field.name == name && &*field.descriptor == descriptor;
        let mut at = Some(class);
        while let Some(id) = at {
            let class = self.class(id);
            if let Some(field) = class.fields.iter().find(fits) {
                return Some((id, field.clone()));
            }
            let above = class.ancestors.iter().copied().filter(|above| *above != id);
            for above in above {
                let interface = self.class(above);
                if interface.flags & crate::world::INTERFACE != 0
                    && let Some(field) = interface.fields.iter().find(fits)
                {
                    return Some((above, field.clone()));
                }
            }
            at = class.parent;
        }
        None
    }

    pub(crate) fn method_at(&mut self, site: u32, dispatch: Dispatch) -> Result<Site, Need> {
        let found = self.sites[site as usize];
        let Site::Open(_, mention) = found else { return Ok(found) };
        let Mention::Member(member) = self.mentions[mention as usize].clone() else {
            return Err(self.need("a method where a class file mentions something else"));
        };
        let class = self.load(&member.class)?;
        let Some(method) = self.find_method(class, &member.name, &member.descriptor) else {
            let name = format!("{}.{}", member.class.replace('/', "."), member.name);
            return Err(self.need(&format!("method {name}{}", member.descriptor)));
        };
        let of = self.method(method);
        if of.is_static() != (dispatch == Dispatch::Static) {
            return Err(self.need(&format!("method {}.{} of another sort", member.class, member.name)));
        }
        // Handles take whatever the call gives them.
        let arguments = if is_polymorphic(&member.class, &of.name) {
            crate::descriptor::kinds(&member.descriptor).map_or(0, |(parameters, _)| parameters.len() + 1)
        } else {
            of.arguments()
        };
        let direct = dispatch != Dispatch::Virtual || of.flags & PRIVATE != 0;
        let found = Site::Method { method, selector: of.selector, arguments: arguments as u32, direct };
        self.sites[site as usize] = found;
        Ok(found)
    }

    /// A method by name and descriptor: declared here, in a parent, or in an interface.
    pub(crate) fn find_method(&mut self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        let mut at = Some(class);
        while let Some(id) = at {
            if let Some(method) = self.declared(id, name, descriptor) {
                return Some(method);
            }
            if is_polymorphic(&self.class(id).name, name) {
                let methods = self.class(id).methods.clone();
                return methods.into_iter().find(|method| &*self.method(*method).name == name);
            }
            at = self.class(id).parent;
        }
        let selector = self.selector(name, descriptor);
        if let Some(method) = self.class(class).table.get(&selector) {
            return Some(*method);
        }
        let ancestors = self.class(class).ancestors.clone();
        ancestors.into_iter().find_map(|above| self.declared(above, name, descriptor))
    }

    /// What `ldc` loads; nothing where it has to be made by running code.
    pub(crate) fn constant_at(&mut self, site: u32) -> Result<Value, Need> {
        let (holder, mention) = match self.sites[site as usize] {
            Site::Value(value) => return Ok(value),
            Site::Open(holder, mention) => (holder, mention),
            _ => return Err(self.need("a constant where a class file mentions something else")),
        };
        let value = match self.mentions[mention as usize].clone() {
            Mention::Constant(Constant::Text(text)) => Value::Ref(self.text(&text)),
            Mention::Constant(Constant::Class(name)) => {
                let class = self.load(&name)?;
                Value::Ref(self.class(class).mirror)
            }
            Mention::Constant(_) => {
                let class = self.class(holder).name.replace('/', ".");
                return Err(self.need(&format!("method handles as constants (in {class})")));
            }
            _ => return Err(self.need("a constant where a class file mentions something else")),
        };
        self.sites[site as usize] = Site::Value(value);
        Ok(value)
    }
}

/// Whether calls of a method may have any descriptor.
fn is_polymorphic(class: &str, name: &str) -> bool {
    match class {
        "java/lang/invoke/VarHandle" => {
            name.starts_with("get") || name.starts_with("set") || name.contains("ompareAnd")
        }
        "java/lang/invoke/MethodHandle" => matches!(name, "invoke" | "invokeExact"),
        _ => false,
    }
}
