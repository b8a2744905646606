//! `eventrie-bindgen MODULE.wasm web|bundler|node OUT NAME`: writes JavaScript and declarations for a compiled module.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, target, out, name] = arguments.as_slice() else {
        eprintln!("usage: eventrie-bindgen MODULE.wasm web|bundler|node OUT NAME");
        return ExitCode::FAILURE;
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).typescript(true).remove_name_section(true).remove_producers_section(true);
    // In browsers the module lies beside the JavaScript, unless the caller says otherwise.
    bindgen.omit_default_module_path(false);
    let chosen = match target.as_str() {
        "web" => bindgen.web(true),
        "bundler" => bindgen.bundler(true),
        "node" => bindgen.nodejs(true),
        other => {
            eprintln!("`{other}` is no target: web, bundler, node");
            return ExitCode::FAILURE;
        }
    };
    match chosen.and_then(|bindgen| bindgen.generate(out)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:?}");
            ExitCode::FAILURE
        }
    }
}
