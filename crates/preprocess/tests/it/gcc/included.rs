//! Texts of several files.

use std::path::Path;
use std::sync::Arc;

use preprocess::{Files, Options, Unread, preprocess};

use super::Agreement::Tokens;
use super::{gcc, gcc_is_there, normal};

/// The files of one folder.
struct Folder<'a>(&'a Path);

impl Files for Folder<'_> {
    fn read(&self, path: &Path) -> Result<Arc<str>, Unread> {
        std::fs::read_to_string(self.0.join(path)).map(Arc::from).map_err(|_| Unread::Missing)
    }
}

const FILES: &[(&str, &str)] = &[
    (
        "guarded.h",
        "#ifndef G\n#define G\nguarded __FILE__ __LINE__ __INCLUDE_LEVEL__\n#include \"sub/deep.h\"\n#endif\n",
    ),
    ("sub/deep.h", "deep __FILE__ __INCLUDE_LEVEL__\n#include \"beside.h\"\n#undef A\n#define A deep_A\n"),
    ("sub/beside.h", "#pragma once\nbeside\n"),
    ("close.h", ")tail\n"),
    ("name.h", "f"),
    ("open.h", "f(1, "),
    ("continued.h", "continued \\\n"),
    ("comma.h", ",\n"),
];

const TEXTS: &[&str] = &[
    "#include \"guarded.h\"\n#include \"guarded.h\"\nA __LINE__ __FILE__\n",
    "#define A 1\nA\n#include \"sub/deep.h\"\nA\n#include \"sub/beside.h\"\n#include \"sub/../sub/deep.h\"\n",
    "#define f(x) [x]\nf(1\n#include \"close.h\"\nz)\n",
    "#define f(x) [x]\n#include \"name.h\"\n(1) f(2)\n",
    "#define f(x,y) [x|y]\n#include \"open.h\"\n2)\n",
    "#define f(x,y) [x|y]\nf(1\n#include \"comma.h\"\n2)\n",
    "a\n#include \"continued.h\"\nb\n",
    "#define Q \"name.h\"\n#include Q\n#define H(x) #x\n#include H(name.h)\n#if 0\n#include \"none.h\"\n#endif\n",
    "#import \"guarded.h\"\n#undef G\n#import \"guarded.h\"\n#include \"guarded.h\"\n",
];

#[test]
fn included_files_come_out_as_from_gcc() {
    if !gcc_is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("there is room for a folder");
    for (path, text) in FILES {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    }
    for text in TEXTS {
        let ours = preprocess(&Folder(folder.path()), Path::new("<stdin>"), *text, &Options::default());
        match gcc(text, folder.path()) {
            Ok(theirs) => {
                assert!(!ours.has_errors(), "only we complain of\n{text}\n{:?}", ours.diagnostics);
                assert_eq!(normal(&ours.text, Tokens), normal(&theirs, Tokens), "of\n{text}");
            }
            Err(complaints) => assert!(ours.has_errors(), "only gcc complains of\n{text}\n{complaints}"),
        }
    }
}
