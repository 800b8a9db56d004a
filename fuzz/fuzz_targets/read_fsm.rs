#![no_main]

mod reader;

libfuzzer_sys::fuzz_target!(|contents: &[u8]| reader::check(lts::Format::Fsm, contents));
