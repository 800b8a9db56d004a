//! What memory the program may use, and how much it does.
//!
//! Without `--max-memory` it is the least of what the system's limits leave: those of the container (control groups
//! of both versions), those of the process (`ulimit`), four fifths of what the machine has, and nine tenths of what
//! is free. A container and a machine limit what lies in memory, `ulimit -v` and `-d` what was asked for.

use std::path::Path;

use super::allocation;

/// So many bytes are left for what is small.
const SPARE: u64 = 16 << 20;

/// What the process uses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Used {
    /// What lies in memory, and what lay there at most.
    pub(super) resident: u64,
    pub(super) peak: u64,
    /// What it asked for: all of it, and data only.
    virtual_size: u64,
    data: u64,
}

/// The limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Most {
    resident: u64,
    virtual_size: Option<u64>,
    data: Option<u64>,
}

impl Most {
    /// What may be used where the user said nothing, or this.
    pub(super) fn new(given: Option<u64>) -> Option<Self> {
        let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
        let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let machine = [
            kilobytes(&memory, "MemTotal:").map(|bytes| bytes / 10 * 8),
            kilobytes(&memory, "MemAvailable:").map(|bytes| bytes / 10 * 9),
            container(Path::new("/sys/fs/cgroup"), Path::new("/proc/self/cgroup"))
                .map(|bytes| bytes / 10 * 9),
            soft_limit(&limits, "Max resident set"),
        ];
        let resident = given.or_else(|| machine.into_iter().flatten().min())?;
        let virtual_size = soft_limit(&limits, "Max address space");
        Some(Self { resident, virtual_size, data: soft_limit(&limits, "Max data size") })
    }

    /// Whether no more may be asked for, when this part of the memory may be used. A table that grows needs its new
    /// place beside the old one.
    pub(super) fn is_reached(&self, used: Used, share: f64) -> bool {
        let part = |bytes: u64| (bytes as f64 * share) as u64;
        let growth = 2 * allocation::largest() + SPARE;
        let fits = |used: u64, most: Option<u64>| most.is_none_or(|most| used + growth <= most);
        used.resident > part(self.resident)
            || !fits(used.virtual_size, self.virtual_size)
            || !fits(used.data, self.data)
    }

    /// Whether so much more lies in memory than may that nobody can have looked.
    pub(super) fn exceeded(&self, used: Used, above: u64) -> bool {
        used.resident > self.resident.saturating_add(self.resident / 8).saturating_add(above)
    }
}

/// What the process uses; none on systems that do not say so.
pub(super) fn used() -> Option<Used> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    Some(Used {
        resident: kilobytes(&status, "VmRSS:")?,
        peak: kilobytes(&status, "VmHWM:")?,
        virtual_size: kilobytes(&status, "VmSize:")?,
        data: kilobytes(&status, "VmData:")?,
    })
}

fn kilobytes(status: &str, field: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// A line of `/proc/self/limits`; none if there is no limit.
fn soft_limit(limits: &str, name: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The least limit of the control groups that the process is in, of version 2 or 1.
fn container(mounted: &Path, groups: &Path) -> Option<u64> {
    let groups = std::fs::read_to_string(groups).ok()?;
    let limits = groups.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, group) = (parts.next()?, parts.next()?, parts.next()?);
        let (folder, file) = match controllers {
            "" => (mounted.to_owned(), "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                (mounted.join("memory"), "memory.limit_in_bytes")
            }
            _ => return None,
        };
        // Inside of a container the group may have a name that only the outside knows; then its own is at the top.
        let inner = folder.join(group.trim_start_matches('/'));
        let ways = inner.ancestors().take_while(|way| way.starts_with(&folder));
        ways.filter_map(|way| std::fs::read_to_string(way.join(file)).ok()?.trim().parse::<u64>().ok()).min()
    });
    limits.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_limit_what_is_inside_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let (root, groups) = (folder.path(), folder.path().join("groups"));
        let put = |file: &str, text: &str| {
            let file = root.join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        };
        put("groups", "0::/outer/inner\n");
        assert_eq!(container(root, &groups), None);
        put("outer/inner/memory.max", "max\n");
        assert_eq!(container(root, &groups), None);
        put("outer/memory.max", "1000\n");
        assert_eq!(container(root, &groups), Some(1000));
        put("outer/inner/memory.max", "500\n");
        assert_eq!(container(root, &groups), Some(500));
        // The older version, in a container that does not know its own name.
        put("groups", "5:cpu:/x\n4:memory:/outside/only\n");
        put("memory/memory.limit_in_bytes", "700\n");
        assert_eq!(container(root, &groups), Some(700));
    }

    #[test]
    fn limits_of_the_process_are_read() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
                      Max data size             unlimited            unlimited            bytes\n\
                      Max address space         512000000            unlimited            bytes\n";
        assert_eq!(soft_limit(limits, "Max address space"), Some(512_000_000));
        assert_eq!(soft_limit(limits, "Max data size"), None);
    }
}
