//! `java.lang.System`, `Runtime`, and the virtual machine's own switches.

use super::{Native, no, nothing, null, yes};
use crate::machine::{Halt, Machine, Run};
use crate::value::Value;

/// When the program began, for programs that ask the clock: it stands still.
const NOW_MILLIS: i64 = 1_700_000_000_000;
/// What the clock says once to a thread whose time-out was chosen.
const LATE: i64 = 1 << 60;

pub(super) const TABLE: &[(&str, Native)] = &[
    ("java/lang/System.nanoTime()J", nano_time),
    ("java/lang/System.currentTimeMillis()J", millis),
    ("java/lang/System.getProperty(Ljava/lang/String;)Ljava/lang/String;", property),
    ("java/lang/System.getProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;", property_or),
    ("java/lang/System.getenv(Ljava/lang/String;)Ljava/lang/String;", null),
    ("java/lang/System.lineSeparator()Ljava/lang/String;", line_separator),
    ("java/lang/System.getSecurityManager()Ljava/lang/SecurityManager;", null),
    ("java/lang/System.allowSecurityManager()Z", no),
    ("java/lang/System.exit(I)V", exit),
    ("java/lang/System.gc()V", nothing),
    ("java/lang/Runtime.exit(I)V", exit),
    ("java/lang/Runtime.halt(I)V", exit),
    ("java/lang/Runtime.gc()V", nothing),
    ("java/lang/Runtime.availableProcessors()I", processors),
    ("java/lang/Runtime.freeMemory()J", memory),
    ("java/lang/Runtime.totalMemory()J", memory),
    ("java/lang/Runtime.maxMemory()J", memory),
    ("java/lang/StringUTF16.isBigEndian()Z", no),
    ("java/util/concurrent/atomic/AtomicLong.VMSupportsCS8()Z", yes),
    (
        "java/security/AccessController.getStackAccessControlContext()Ljava/security/AccessControlContext;",
        null,
    ),
    ("java/security/AccessController.getContext()Ljava/security/AccessControlContext;", null),
    ("java/security/AccessController.ensureMaterializedForStackWalk(Ljava/lang/Object;)V", nothing),
    ("jdk/internal/misc/VM.initialize()V", nothing),
    ("jdk/internal/misc/VM.isBooted()Z", yes),
    ("jdk/internal/misc/VM.isModuleSystemInited()Z", yes),
    ("jdk/internal/misc/VM.getSavedProperty(Ljava/lang/String;)Ljava/lang/String;", null),
    ("jdk/internal/misc/VM.initLevel()I", level),
    ("jdk/internal/misc/CDS.isDumpingClassList0()Z", no),
    ("jdk/internal/misc/CDS.isDumpingArchive0()Z", no),
    ("jdk/internal/misc/CDS.isSharingEnabled0()Z", no),
    ("jdk/internal/misc/CDS.getRandomSeedForDumping()J", seed),
    ("jdk/internal/misc/CDS.initializeFromArchive(Ljava/lang/Class;)V", nothing),
    (
        "sun/security/action/GetPropertyAction.privilegedGetProperty(Ljava/lang/String;)Ljava/lang/String;",
        property,
    ),
    (
        "sun/security/action/GetPropertyAction.privilegedGetProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
        property_or,
    ),
    ("sun/security/action/GetBooleanAction.privilegedGetProperty(Ljava/lang/String;)Z", no),
];

/// Time stands still, but for a thread that was too late: it notices once.
fn nano_time(machine: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    let thread = &mut machine.scene.threads[machine.thread];
    let late = std::mem::take(&mut thread.late);
    Ok(Some(Value::Long(if late { LATE } else { 0 })))
}

fn millis(_: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    Ok(Some(Value::Long(NOW_MILLIS)))
}

fn known_property(name: &str) -> Option<&'static str> {
    Some(match name {
        "line.separator" => "\n",
        "file.separator" => "/",
        "path.separator" => ":",
        "java.vendor" => "Wherefore",
        "java.specification.version" => "17",
        "java.version" => "17",
        "os.name" => "Linux",
        "os.arch" => "amd64",
        "user.language" => "en",
        "user.country" => "US",
        "file.encoding" | "native.encoding" | "sun.jnu.encoding" => "UTF-8",
        _ => return None,
    })
}

fn property(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let name = machine.text_at(operands, 0)?;
    Ok(Some(match known_property(&name) {
        Some(text) => Value::Ref(machine.world.text_of(text)),
        None => Value::NULL,
    }))
}

fn property_or(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    match property(machine, operands)? {
        Some(Value::Ref(found)) if !found.is_null() => Ok(Some(Value::Ref(found))),
        _ => Ok(operands.get(1).copied()),
    }
}

fn line_separator(machine: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    Ok(Some(Value::Ref(machine.world.text_of("\n"))))
}

fn exit(machine: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    machine.visible()?;
    machine.conduct.dirty = true;
    Err(Halt::Exit)
}

fn processors(_: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    Ok(Some(Value::Int(2)))
}

fn memory(_: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    Ok(Some(Value::Long(1 << 30)))
}

fn level(_: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    Ok(Some(Value::Int(4)))
}

fn seed(_: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    Ok(Some(Value::Long(0)))
}
