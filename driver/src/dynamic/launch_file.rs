//! A launch as a file: the options of `heddle run` by their names, in TOML or JSON.
//!
//! ```toml
//! kernel = "saxpy"
//! grid = [4]
//! block = [256]
//! [args]
//! n = 1000
//! [buffers]
//! x = "f32[1000]:random(1)"
//! [out]
//! x = "x.npy"
//! ```

use super::RunOptions;
use super::buffer::Buffer;
use crate::options::known_offset;

/// Adds what a launch file says to the options.
///
/// # Errors
/// The line or key that cannot be read.
pub fn read(text: &str, options: &mut RunOptions) -> Result<(), String> {
    let entries = if text.trim_start().starts_with('{') { json(text)? } else { toml(text)? };
    for (table, key, value) in entries {
        let refused = |why: String| format!("`{key}`: {why}");
        match (table.as_str(), key.as_str()) {
            ("", "kernel") => options.kernel = Some(value),
            ("", "grid") => options.grid = sizes(&value).map_err(refused)?,
            ("", "block") => options.block = sizes(&value).map_err(refused)?,
            ("", "cluster") => options.cluster = Some(sizes(&value).map_err(refused)?),
            ("", "global_offset") => {
                let numbers = value.trim_start_matches('[').trim_end_matches(']');
                let offset = known_offset(numbers).map_err(|error| refused(error.to_string()))?;
                options.global_offset = offset;
            }
            ("", "dynamic_shared") => {
                options.dynamic_shared = number(&value).map_err(refused)? as u32
            }
            ("", "seed") => options.seed = number(&value).map_err(refused)?,
            ("", "schedule") => options.schedule = value.parse().map_err(refused)?,
            ("", "resident") => options.resident = Some(number(&value).map_err(refused)? as u32),
            ("args", _) => options.args.push((key, value)),
            ("buffers", _) => {
                let buffer = Buffer::unnamed(&value).map_err(refused)?;
                options.buffers.push(buffer.named(&key));
            }
            ("out", _) => options.outs.push((key, value.into())),
            _ => {
                return Err(format!(
                    "`{key}` is not known; there are kernel, grid, block, cluster, global_offset, dynamic_shared, seed, schedule, resident, and the tables args, buffers, out"
                ));
            }
        }
    }
    Ok(())
}

type Entry = (String, String, String);

fn json(text: &str) -> Result<Vec<Entry>, String> {
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|error| format!("this is not JSON: {error}"))?;
    let mut entries = Vec::new();
    for (key, value) in value.as_object().ok_or("a launch is an object")? {
        match value.as_object() {
            Some(table) => {
                entries.extend(
                    table.iter().map(|(name, value)| (key.clone(), name.clone(), plain(value))),
                );
            }
            None => entries.push((String::new(), key.clone(), plain(value))),
        }
    }
    Ok(entries)
}

fn plain(value: &serde_json::Value) -> String {
    match value.as_str() {
        Some(text) => text.to_owned(),
        None => value.to_string(),
    }
}

fn toml(text: &str) -> Result<Vec<Entry>, String> {
    let document: toml::Table = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut entries = Vec::new();
    for (key, value) in document {
        match value {
            toml::Value::Table(table) => entries
                .extend(table.into_iter().map(|(name, value)| (key.clone(), name, word(&value)))),
            value => entries.push((String::new(), key, word(&value))),
        }
    }
    Ok(entries)
}

/// A value as an option has it: strings without their quotes.
fn word(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

fn sizes(text: &str) -> Result<[u32; 3], String> {
    let inner = text.trim_start_matches('[').trim_end_matches(']');
    let mut sizes = [1; 3];
    for (n, part) in inner.split(',').enumerate() {
        let size = part.trim().parse().ok().filter(|size| *size > 0);
        *sizes.get_mut(n).ok_or("a size has three dimensions at most")? =
            size.ok_or_else(|| format!("`{text}` is no size"))?;
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_say_the_same() {
        let toml = "kernel = \"k\"\ngrid = [4, 2]\nblock = 64 # threads\n[args]\nn = 10\n[buffers]\nx = \"i32[10]\"\n";
        let json = r#"{"kernel": "k", "grid": [4, 2], "block": 64, "args": {"n": 10}, "buffers": {"x": "i32[10]"}}"#;
        let read = |text: &str| {
            let mut options = RunOptions::default();
            super::read(text, &mut options).expect("documented");
            (options.kernel, options.grid, options.block, options.args, options.buffers)
        };
        assert_eq!(read(toml), read(json));
        assert_eq!(read(toml).1, [4, 2, 1]);
    }

    #[test]
    fn a_corrupt_file_is_an_error_with_a_reason() {
        for text in [
            "{",
            "grid",
            "grid = [0]",
            "[args\nx",
            "colour = 3",
            "kernel = \"k",
            "{\"grid\": \"x\"}",
            "[]",
        ] {
            assert!(read(text, &mut RunOptions::default()).is_err(), "{text}");
        }
    }
}
