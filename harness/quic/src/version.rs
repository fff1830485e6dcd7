//! Versions of what a program was built with.

/// The version of a package in the workspace's Cargo.lock.
pub fn locked(package: &str) -> &'static str {
    let entry = format!("name = \"{package}\"\nversion = \"");
    include_str!("../Cargo.lock").split_once(&entry).and_then(|(_, rest)| rest.split('"').next()).unwrap_or("unknown")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_noq_is_told() {
        assert!(locked("noq").starts_with("1."));
        assert_eq!(locked("no-such-package"), "unknown");
    }
}
