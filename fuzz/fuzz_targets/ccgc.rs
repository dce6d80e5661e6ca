#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen_fuzz::read_write_read;
use tengen_rules::notation::Format;

fuzz_target!(|bytes: &[u8]| read_write_read(Format::Ccgc, bytes));
