//! Class files are input: cut off or changed anywhere, they end in an error or in something that is needed, and never in
//! a panic or a loop without end.

use graph::Unwatched;
use jvm::{Library, Model, Options, Part, class_name};
use search::Limits;

use crate::support::{compile, jdk};

const PROGRAM: &str = "public class Main {
    interface Shape { int area(); }
    record Square(int side) implements Shape { public int area() { return side * side; } }
    enum Sort { SMALL, LARGE }
    static int[] table = {1, 2, 3};
    static int sum(Shape... shapes) { int sum = 0; for (Shape s : shapes) sum += s.area(); return sum; }
    public static void main(String[] args) throws Exception {
        String text = \"n\" + sum(new Square(2), () -> 5);
        try { table[text.length()] = 1; } catch (RuntimeException e) { table[0]++; }
        switch (Sort.valueOf(\"SMALL\")) { case SMALL: break; default: throw new Error(); }
        Thread t = new Thread(() -> { synchronized (table) { table[1]++; } });
        t.start(); t.join();
    }
}
";

#[test]
fn changed_class_files_never_panic() {
    let Some(jdk) = jdk() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    compile(&jdk, folder.path(), &[("Main.java", PROGRAM)]);
    let bytes = std::fs::read(folder.path().join("Main.class")).expect("a class");
    std::fs::remove_file(folder.path().join("Main.class")).expect("a class");
    let mut loaded = 0;
    for round in 0..400usize {
        let mut changed = bytes.clone();
        // Every place is met, each with another value.
        let at = round * 7919 % changed.len();
        match round % 4 {
            0 => changed.truncate(at),
            1 => changed[at] = changed[at].wrapping_add(1),
            2 => changed[at] ^= 0x80,
            _ => changed[at] = (round * 31) as u8,
        }
        let _ = class_name(&changed);
        let parts = vec![Part::Class("Main".to_owned(), changed), Part::at(folder.path()).expect("a folder")];
        let library = Library::new(parts, jdk.clone()).expect("a JDK");
        let options = Options { main: "Main".to_owned(), ..Options::default() };
        if let Ok(model) = Model::new(library, &options) {
            loaded += 1;
            let limits = Limits { max_states: 200, ..Limits::default() };
            let found = search::explore(&model, limits, &Unwatched).expect("a graph");
            assert!(!found.store.is_empty());
        }
    }
    assert!(loaded > 20, "only {loaded} of the changed files were loaded");
}
