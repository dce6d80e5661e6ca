#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen_fuzz::protocols::talk;

fuzz_target!(|bytes: &[u8]| talk(bytes));
