//! `eventrie-bindgen MODULE.wasm OUT NAME`: writes the JavaScript that calls a compiled module.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, out, name] = arguments.as_slice() else {
        eprintln!("usage: eventrie-bindgen MODULE.wasm OUT NAME");
        return ExitCode::FAILURE;
    };
    let mut bindgen = Bindgen::new();
    // Where the module comes from is up to the package's own JavaScript, and so are the types.
    bindgen.input_path(module).out_name(name).typescript(false).omit_default_module_path(true);
    bindgen.remove_name_section(true).remove_producers_section(true);
    match bindgen.web(true).and_then(|bindgen| bindgen.generate(out)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:?}");
            ExitCode::FAILURE
        }
    }
}
