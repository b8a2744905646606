//! The values of a file that have a name, whichever language it is in.

/// The named values of a file that was read before.
pub(crate) fn of(name: &str, text: &str) -> Vec<super::Named> {
    if super::is_terraform(name) {
        #[cfg(feature = "hcl")]
        return super::hcl::named(text);
    } else if text.contains('&') && text.contains('*') {
        return super::yaml::named(text);
    }
    Vec::new()
}
