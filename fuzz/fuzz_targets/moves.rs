#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen_fuzz::read_write_read;
use tengen_rules::notation::{
    Format, moves_text, parse_moves, parse_position, parse_setup, setup_text,
};

fuzz_target!(|bytes: &[u8]| {
    read_write_read(Format::Moves, bytes);
    read_write_read(Format::LittleGolem, bytes);
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    for rules in ["connect6", "7,4,4,2,1", "inf,inf,6,2,3"] {
        let rules = rules.parse().expect("known rules");
        if let Ok(cells) = parse_moves(text, rules) {
            assert_eq!(parse_moves(&moves_text(&cells), rules), Ok(cells));
        }
        if let Ok(setup) = parse_setup(text, rules) {
            assert_eq!(parse_setup(&setup_text(&setup), rules), Ok(setup));
        }
        let _ = parse_position(text, rules);
    }
});
