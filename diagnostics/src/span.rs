//! Places: a line and column of a source file, or an instruction of a function without debug info.
//!
//! A [`Location`] is what debug info says of an instruction, with the chain of calls it was inlined
//! through. A [`Place`] is either that or, for IR without debug info, the function and the ordinal
//! of the instruction in it. Where the position of an instruction in a `.ll` file is known, make it
//! a [`Location`] in that file: users then see the line.
//!
//! **Promises**: lines and columns are 1-based. **Does not**: hold ranges; debug info names a
//! point, and the renderer underlines the expression that starts there.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::source::FileId;

/// A point in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// 1-based. Debug info's line 0 ("no line") is not a location.
    pub line: u32,
    /// 1-based, in bytes, as in debug info; 0 when debug info names no column.
    pub column: u32,
    /// The source function (its readable name) that the line belongs to.
    pub function: Option<Arc<str>>,
    /// The call sites this code was inlined through, innermost first, the kernel's last. Each
    /// element's own `inlined_at` is empty.
    pub inlined_at: Vec<Location>,
}

impl Location {
    /// A location without function and without inlining.
    pub fn new(file: FileId, line: u32, column: u32) -> Location {
        Location { file, line, column, function: None, inlined_at: Vec::new() }
    }

    /// The same location in the named function.
    #[must_use]
    pub fn in_function(self, name: impl Into<Arc<str>>) -> Location {
        Location { function: Some(name.into()), ..self }
    }

    /// The same location, inlined through these call sites, innermost first.
    #[must_use]
    pub fn inlined_at(self, inlined_at: Vec<Location>) -> Location {
        Location { inlined_at, ..self }
    }
}

/// An instruction that debug info says nothing about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct InstructionPlace {
    /// The module it came from.
    pub file: Option<FileId>,
    /// The function, as the module names it.
    pub function: Arc<str>,
    /// Position in the function, in text order, from 0.
    pub ordinal: u32,
    /// The instruction as text, on one line.
    pub text: Option<Arc<str>>,
}

/// Where something is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Place {
    /// A point in a source file.
    Source(Location),
    /// An instruction without a source line.
    Instruction(InstructionPlace),
}

impl Place {
    /// The file, if one is known.
    pub fn file(&self) -> Option<FileId> {
        match self {
            Place::Source(location) => Some(location.file),
            Place::Instruction(instruction) => instruction.file,
        }
    }

    /// Gives each file of the place another id, as when a report is read into another map.
    pub(crate) fn renumber(&mut self, renumber: &mut dyn FnMut(FileId) -> FileId) {
        match self {
            Place::Source(Location { file, line: _, column: _, function: _, inlined_at }) => {
                *file = renumber(*file);
                inlined_at.iter_mut().for_each(|call| call.file = renumber(call.file));
            }
            Place::Instruction(InstructionPlace { file, function: _, ordinal: _, text: _ }) => {
                *file = file.map(renumber);
            }
        }
    }

    /// The source line (1-based), if one is known.
    pub fn line(&self) -> Option<u32> {
        match self {
            Place::Source(location) => Some(location.line),
            Place::Instruction(_) => None,
        }
    }

    /// The function the place is in, if known.
    pub fn function(&self) -> Option<&str> {
        match self {
            Place::Source(location) => location.function.as_deref(),
            Place::Instruction(instruction) => Some(&instruction.function),
        }
    }

    /// The call sites the place was inlined through, innermost first.
    pub fn inlined_at(&self) -> &[Location] {
        match self {
            Place::Source(location) => &location.inlined_at,
            Place::Instruction(_) => &[],
        }
    }
}

impl From<Location> for Place {
    fn from(location: Location) -> Place {
        Place::Source(location)
    }
}

impl From<InstructionPlace> for Place {
    fn from(instruction: InstructionPlace) -> Place {
        Place::Instruction(instruction)
    }
}
