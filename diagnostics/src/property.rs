//! What a pass decides about a kernel.
//!
//! **Promises**: a name stands for one property, and [`Property::ALL`] has them all in the order in
//! which they are checked and shown. **Does not**: say how one is decided.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Something a pass decides about a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Property {
    /// Each block barrier is reached by all threads of the block or by none, per loop iteration.
    BarrierDivergence,
    /// Named barriers and barrier objects do not deadlock, and no use of one can be taken for
    /// another.
    NamedBarriers,
    /// No two threads of one warp race.
    IntraWarpRace,
    /// No two threads of one block race.
    IntraBlockRace,
    /// No two threads of different blocks race.
    InterBlockRace,
    /// No thread touches what an asynchronous copy of its own has under way.
    AsyncCopies,
    /// Each access stays in its object.
    Bounds,
    /// No shared memory is read before a thread of the block has written it.
    UninitialisedShared,
    /// No assertion fails, and no thread traps.
    Assertions,
    /// The kernel ends under the forward-progress guarantee that is assumed.
    Progress,
}

impl Property {
    /// All properties, in the order in which they are checked and shown.
    pub const ALL: &'static [Property] = &[
        Property::BarrierDivergence,
        Property::NamedBarriers,
        Property::IntraWarpRace,
        Property::IntraBlockRace,
        Property::InterBlockRace,
        Property::AsyncCopies,
        Property::Bounds,
        Property::UninitialisedShared,
        Property::Assertions,
        Property::Progress,
    ];

    /// The name, the same as that of the pass that decides it.
    pub fn name(self) -> &'static str {
        match self {
            Property::BarrierDivergence => "barrier-divergence",
            Property::NamedBarriers => "named-barriers",
            Property::IntraWarpRace => "intra-warp-race",
            Property::IntraBlockRace => "intra-block-race",
            Property::InterBlockRace => "inter-block-race",
            Property::AsyncCopies => "async-copies",
            Property::Bounds => "bounds",
            Property::UninitialisedShared => "uninitialised-shared",
            Property::Assertions => "assertions",
            Property::Progress => "progress",
        }
    }

    /// Among which threads it excludes races, if it is about these.
    pub fn races_among(self) -> Option<Among> {
        match self {
            Property::IntraWarpRace => Some(Among::Warp),
            Property::IntraBlockRace => Some(Among::Block),
            Property::InterBlockRace => Some(Among::Grid),
            Property::BarrierDivergence
            | Property::NamedBarriers
            | Property::AsyncCopies
            | Property::Bounds
            | Property::UninitialisedShared
            | Property::Assertions
            | Property::Progress => None,
        }
    }

    /// Whether threads that touch memory together may break it: a run whose races are looked for
    /// may leave out what is proved only where all of these are proved.
    pub fn is_about_threads_together(self) -> bool {
        match self {
            Property::BarrierDivergence
            | Property::NamedBarriers
            | Property::IntraWarpRace
            | Property::IntraBlockRace
            | Property::InterBlockRace
            | Property::AsyncCopies => true,
            Property::Bounds
            | Property::UninitialisedShared
            | Property::Assertions
            | Property::Progress => false,
        }
    }
}

/// Threads among which there may be a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Among {
    /// Those of one warp.
    Warp,
    /// Those of one block, of different warps where these are known.
    Block,
    /// Those of different blocks.
    Grid,
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownProperty(String);

impl fmt::Display for UnknownProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Property::ALL.iter().map(|property| property.name()).collect();
        write!(f, "no property is called `{}`; give one of: {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownProperty {}

impl FromStr for Property {
    type Err = UnknownProperty;

    fn from_str(text: &str) -> Result<Property, UnknownProperty> {
        let found = Property::ALL.iter().find(|property| property.name() == text);
        found.copied().ok_or_else(|| UnknownProperty(text.to_owned()))
    }
}
