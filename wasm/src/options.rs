//! The options object of JavaScript, as the library's options.

use eventrie::dialect::{BusVersion, SnsVersion};
use eventrie::service::Unpublished;
use eventrie::{Dialect, ParseOptions};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "Options")]
    pub type Options;

    #[wasm_bindgen(method, getter, structural)]
    fn dialect(this: &Options) -> Option<String>;

    #[wasm_bindgen(method, getter, structural, js_name = serviceLimits)]
    fn service_limits(this: &Options) -> Option<bool>;

    #[wasm_bindgen(method, getter, structural)]
    fn strict(this: &Options) -> Option<bool>;

    #[wasm_bindgen(method, getter, structural, js_name = snsVersion)]
    fn sns_version(this: &Options) -> Option<String>;

    #[wasm_bindgen(method, getter, structural)]
    fn engine(this: &Options) -> Option<String>;

    #[wasm_bindgen(method, getter, structural)]
    fn entry(this: &Options) -> Option<Entry>;

    /// The fields that the service will fill in for an entry that is not published yet.
    pub type Entry;

    #[wasm_bindgen(method, getter, structural)]
    fn id(this: &Entry) -> Option<String>;

    #[wasm_bindgen(method, getter, structural)]
    fn account(this: &Entry) -> Option<String>;

    #[wasm_bindgen(method, getter, structural)]
    fn region(this: &Entry) -> Option<String>;

    #[wasm_bindgen(method, getter, structural)]
    fn time(this: &Entry) -> Option<String>;
}

/// What the options say of entries that are not published yet.
pub(crate) fn unpublished(options: Option<&Options>) -> Unpublished {
    let mut filled = Unpublished::default();
    let Some(entry) = options.and_then(Options::entry) else { return filled };
    if let Some(id) = entry.id() {
        filled = filled.id(id);
    }
    if let Some(account) = entry.account() {
        filled = filled.account(account);
    }
    if let Some(region) = entry.region() {
        filled = filled.region(region);
    }
    if let Some(time) = entry.time() {
        filled = filled.time(time);
    }
    filled
}

pub(crate) fn read(options: Option<&Options>) -> Result<ParseOptions, JsValue> {
    let Some(options) = options else { return Ok(ParseOptions::default()) };
    let dialect = match options.dialect() {
        Some(name) => name.parse::<Dialect>().map_err(|_| unknown("dialect", &name))?,
        None => Dialect::default(),
    };
    let version = match options.sns_version() {
        Some(name) => name.parse::<SnsVersion>().map_err(|_| unknown("version of SNS", &name))?,
        None => SnsVersion::default(),
    };
    let engine = match options.engine() {
        Some(name) => name.parse::<BusVersion>().map_err(|_| unknown("release of the engine", &name))?,
        None => BusVersion::default(),
    };
    Ok(ParseOptions::new(dialect)
        .engine(engine)
        .sns_version(version)
        .service_limits(options.service_limits().unwrap_or(false))
        .strict(options.strict().unwrap_or(false)))
}

pub(crate) fn unknown(what: &str, name: &str) -> JsValue {
    js_sys::TypeError::new(&format!("unknown {what} `{name}`")).into()
}
