//! What part of a project a report is about, so that parts can be put together and none is missed.
//!
//! **Does not**: decide which unit is in which part; the driver does.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The translation units of a project that a run was about, and those that it was not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// The device units that were checked, by display path; one that is compiled in several ways
    /// stands several times.
    pub units: Vec<String>,
    /// How many commands compile for the host alone.
    pub host_units: usize,
    /// How many commands compile a device language that Heddle does not read, by its name.
    pub foreign_units: BTreeMap<String, usize>,
    /// Which part of the project this is: its index from 1, and of how many. `None` for all of it.
    pub shard: Option<(u32, u32)>,
    /// The same for all parts of one project under the same options.
    pub identity: String,
    /// Options that met no kernel of this part: `--arg n`. They are an error only if no part has
    /// such a kernel.
    pub unmet: Vec<String>,
    /// What was read as source, headers too, by display path, each with a hash of its content; only
    /// files whose lines may be shown.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// The names that the compiler looked up, by display path, and whether there was something.
    #[serde(default)]
    pub looked_up: BTreeMap<String, bool>,
}
