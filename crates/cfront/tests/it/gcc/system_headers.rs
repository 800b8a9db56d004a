//! What gcc's own preprocessor makes of the system's headers reads as well, as a `.i` file.

use std::path::Path;
use std::process::Command;

use cfront::{DataModel, Options};

use crate::support::{gcc_is_there, read_as, shown};

const HEADERS: &[&str] = &[
    "assert.h",
    "ctype.h",
    "errno.h",
    "fcntl.h",
    "float.h",
    "inttypes.h",
    "limits.h",
    "locale.h",
    "math.h",
    "pthread.h",
    "sched.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "sys/stat.h",
    "sys/time.h",
    "sys/types.h",
    "sys/wait.h",
    "threads.h",
    "time.h",
    "unistd.h",
    "wchar.h",
];

/// A program that uses a bit of everything; `assert` and `errno` are glibc's own macros here.
const BODY: &str = "
int counter; pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument) { pthread_mutex_lock(&lock); counter += *(int *)argument;
    pthread_mutex_unlock(&lock); return 0; }
int main(void) {
    pthread_t thread; int value = 2; errno = 0;
    pthread_create(&thread, 0, work, &value); pthread_join(thread, 0);
    char *copy = strdup(\"text\"); assert(copy != 0 && strlen(copy) == 4);
    printf(\"%d %s %\" PRId64 \"\\n\", counter, copy, (int64_t)value); free(copy);
    return isdigit('1') && errno == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
";

#[test]
fn preprocessed_system_headers_read() {
    if !gcc_is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("all.c");
    let includes: String = HEADERS.iter().map(|header| format!("#include <{header}>\n")).collect();
    std::fs::write(&source, format!("#define _GNU_SOURCE\n{includes}{BODY}")).expect("written");
    for optimised in ["-O0", "-O2"] {
        let output = Command::new("gcc").args(["-E", optimised, "-D_FORTIFY_SOURCE=2"]).arg(&source).output();
        let text = String::from_utf8(output.expect("gcc runs").stdout).expect("text");
        let (program, diagnostics) = read_as("all.i", &text, DataModel::Lp64);
        let program = program.unwrap_or_else(|| panic!("{optimised}: {}", shown(&diagnostics)));
        let work = program.function("work").expect("work is reached");
        // Lines are those of the source, as the line markers say.
        let location = program.location(program[work].span).to_string();
        assert!(location.ends_with(&format!("all.c:{}:14", HEADERS.len() + 4)), "{location}");
    }
}

/// The system's headers through our own preprocessor, beside ours.
#[test]
fn system_headers_read_where_they_are_wanted() {
    struct Disk;
    impl preprocess::Files for Disk {
        fn read(&self, path: &Path) -> Result<std::sync::Arc<str>, preprocess::Unread> {
            std::fs::read_to_string(path).map(Into::into).map_err(|_| preprocess::Unread::Missing)
        }
    }
    if !gcc_is_there() {
        return;
    }
    if !Path::new("/usr/include/netdb.h").exists() {
        println!("skipped: there are no headers of the system");
        return;
    }
    let search = Command::new("gcc").args(["-print-file-name=include"]).output().expect("gcc runs");
    let own = String::from_utf8(search.stdout).expect("text").trim().to_owned();
    let multiarch = Command::new("gcc").arg("-print-multiarch").output().expect("gcc runs");
    let multiarch = String::from_utf8(multiarch.stdout).expect("text").trim().to_owned();
    let dirs = [own, format!("/usr/include/{multiarch}"), "/usr/include".to_owned()];
    let options = Options { system_dirs: dirs.iter().map(Into::into).collect(), ..Options::default() };
    // None of these is ours.
    for header in ["netdb.h", "sys/socket.h", "arpa/inet.h", "regex.h", "poll.h", "dirent.h", "getopt.h"] {
        let text = format!("#include <stdio.h>\n#include <{header}>\nint main(void) {{ return 0; }}");
        let (program, diagnostics) = cfront::read(&Disk, Path::new("t.c"), &text, &options);
        assert!(program.is_some(), "{header}: {}", shown(&diagnostics));
    }
}
