//! Words of a command line: `--name value`, in any order.

use std::str::FromStr;

/// The value after `name`. The error is a line for people; `usage` is its end where the name is missing.
pub fn value<T: FromStr>(words: &[String], name: &str, usage: &str) -> Result<T, String> {
    optional(words, name)?.ok_or_else(|| format!("{name} is missing; usage: {usage}"))
}

/// The value after `name`; none where the name is not there.
pub fn optional<T: FromStr>(words: &[String], name: &str) -> Result<Option<T>, String> {
    let Some(at) = words.iter().position(|word| word == name) else { return Ok(None) };
    let word = words.get(at + 1).ok_or_else(|| format!("{name} has no value"))?;
    word.parse().map(Some).map_err(|_| format!("{name} cannot be \"{word}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_follows_its_name() {
        let words: Vec<String> = ["--port", "80", "--name", "x", "--last"].map(String::from).to_vec();
        assert_eq!(value::<u16>(&words, "--port", "u"), Ok(80));
        assert_eq!(value::<u16>(&words, "--name", "u"), Err(String::from("--name cannot be \"x\"")));
        assert_eq!(value::<u16>(&words, "--none", "u"), Err(String::from("--none is missing; usage: u")));
        assert_eq!(optional::<u16>(&words, "--none"), Ok(None));
        assert_eq!(optional::<u16>(&words, "--last"), Err(String::from("--last has no value")));
    }
}
