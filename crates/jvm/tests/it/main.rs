//! Tests of whole programs, which `javac` compiles and, where it is asked, `java` runs.

mod class_files;
mod conformance;
mod examples;
mod features;
mod support;
