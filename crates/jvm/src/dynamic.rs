//! `invokedynamic`: each call site becomes a method of our own, by what its bootstrap method is known to do.
//!
//! Nothing of `java.lang.invoke` is run. A lambda becomes a class with the captured values as fields; concatenation,
//! the methods of records and switches over patterns become short methods. All of them are written in the operations
//! that the machine has anyway.

mod assembler;
mod concat;
mod lambda;
mod records;
mod switches;

use std::sync::Arc;

use self::assembler::Assembler;
use crate::code::Mention;
use crate::machine::{Machine, Run};
use crate::seam::{Bootstrap, ClassFile};
use crate::value::{ClassId, MethodId};
use crate::world::{Need, Origin, STATIC, Site, World};

/// The class that methods of call sites are put into.
const GLUE: &str = "wherefore/CallSites";

/// A call site: what makes it, and what it is called with.
struct CallSite {
    bootstrap: Bootstrap,
    name: String,
    descriptor: String,
    holder: ClassId,
    number: u32,
}

impl Machine<'_> {
    /// Makes a call site an ordinary call of a static method.
    pub(crate) fn link_dynamic(&mut self, site: u32) -> Run<u32> {
        let Site::Open(holder, mention) = self.world.sites[site as usize] else { return Ok(site) };
        let Mention::Dynamic(number, name, descriptor) = self.world.mentions[mention as usize].clone() else {
            return Err(self.bad());
        };
        let Some(bootstrap) = self.world.class(holder).bootstraps.get(usize::from(number)).cloned() else {
            return Err(self.bad());
        };
        let call = CallSite { bootstrap, name, descriptor, holder, number: site };
        let method = self.world.make_site(&call)?;
        let of = self.world.method(method);
        self.world.sites[site as usize] =
            Site::Method { method, selector: of.selector, arguments: of.arguments() as u32, direct: true };
        Ok(site)
    }
}

impl World {
    fn make_site(&mut self, call: &CallSite) -> Result<MethodId, Need> {
        let maker = &call.bootstrap.method.member;
        match (maker.class.as_str(), maker.name.as_str()) {
            ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => {
                self.make_lambda(call)
            }
            ("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants" | "makeConcat") => {
                self.make_concat(call)
            }
            ("java/lang/runtime/ObjectMethods", "bootstrap") => self.make_record_method(call),
            ("java/lang/runtime/SwitchBootstraps", "typeSwitch" | "enumSwitch") => self.make_switch(call),
            (class, name) => {
                Err(self.need(&format!("call sites made by {}.{name}", class.replace('/', "."))))
            }
        }
    }

    /// Puts the code of a call site into a static method.
    fn glue(&mut self, call: &CallSite, code: Assembler) -> Result<MethodId, Need> {
        let class = self.glue_class()?;
        let name = format!("{}${}", call.name, call.number);
        self.define_method(class, &name, &call.descriptor, STATIC, Some(code.finish()))
    }

    fn glue_class(&mut self) -> Result<ClassId, Need> {
        if let Some(known) = self.by_name.get(GLUE) {
            return *known;
        }
        let class = self.define(synthetic(GLUE, Vec::new()), Origin::Uninterrupted, 0)?;
        self.classes[class.0 as usize].status = crate::world::Status::Done;
        self.by_name.insert(Arc::from(GLUE), Ok(class));
        Ok(class)
    }
}

/// A class without anything in it.
fn synthetic(name: &str, interfaces: Vec<String>) -> ClassFile {
    ClassFile {
        name: name.to_owned(),
        super_name: Some("java/lang/Object".to_owned()),
        interfaces,
        flags: 0,
        source: None,
        fields: Vec::new(),
        methods: Vec::new(),
        bootstraps: Vec::new(),
        simple_name: None,
    }
}
