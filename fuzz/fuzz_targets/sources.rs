#![no_main]

libfuzzer_sys::fuzz_target!(init: eventrie_fuzz_targets::report_and_abort(), |data: &[u8]| -> libfuzzer_sys::Corpus {
    if eventrie_fuzz_targets::run("sources", data) { libfuzzer_sys::Corpus::Keep } else { libfuzzer_sys::Corpus::Reject }
});
