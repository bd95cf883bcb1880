//! Memory objects: what an access names together with a byte offset.
//!
//! Two accesses to different objects never touch the same byte, except where one of them is
//! [`ObjectKind::Unknown`], which may be any object of its space. That distinct pointer parameters
//! name distinct objects is an assumption of every verdict that relies on it, and is said there.

use crate::entity::{ExprId, ObjectId};
use crate::expr::named;
use crate::initial::Initial;

named! {
    /// Where an object lives, in CUDA's words (`docs/ir.md` has the others).
    Space {
        /// Visible to the whole grid.
        Global = "global",
        /// One copy per block.
        Shared = "shared",
        /// Read-only for the kernel.
        Constant = "constant",
        /// One copy per thread.
        Local = "local",
        /// Not known: any of the above.
        Generic = "generic",
    }
}

impl Space {
    /// Whether an object of one space may be one of the other.
    pub fn may_be(self, other: Space) -> bool {
        self == other || self == Space::Generic || other == Space::Generic
    }
}

/// What an object is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    /// What the n-th kernel parameter points to.
    Param(u32),
    /// What a pointer inside the n-th parameter, a structure passed by value, points to; the byte
    /// offset of that pointer in the structure.
    ParamField(u32, u64),
    /// What the pointers that lie in an object lead to, all of them together; offsets are
    /// addresses. Each is taken to lead to a buffer of its own ([`Kernel::pointer_in_memory`]
    /// tells them apart).
    ///
    /// [`Kernel::pointer_in_memory`]: crate::Kernel::pointer_in_memory
    Pointee(ObjectId),
    /// A variable of the module, or a static shared array.
    Variable,
    /// The dynamic shared memory of the launch. All its declarations are this one object.
    DynamicShared,
    /// A local variable of the thread.
    Alloca,
    /// Could not be told: may be any object of its space.
    Unknown,
}

impl ObjectKind {
    /// The object that pointers lie in, where they lead to this one.
    pub fn table(&self) -> Option<ObjectId> {
        match self {
            ObjectKind::Pointee(table) => Some(*table),
            ObjectKind::Param(_)
            | ObjectKind::ParamField(..)
            | ObjectKind::Variable
            | ObjectKind::DynamicShared
            | ObjectKind::Alloca
            | ObjectKind::Unknown => None,
        }
    }
}

/// One object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Its name in the source where debug information has one, else in LLVM IR. Unique in the
    /// kernel.
    pub name: String,
    /// Where it lives.
    pub space: Space,
    /// What it is.
    pub kind: ObjectKind,
    /// Bytes, where known.
    pub size: Option<u64>,
    /// How its bytes are named.
    pub shape: Shape,
    /// The program promised not to write it (`const __restrict__`, constant memory, `__ldg`).
    pub read_only: bool,
    /// What it holds when the kernel starts.
    pub initial: Initial,
}

/// The layout of an object, as far as debug information or LLVM types tell: for naming `s[6].x`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// Nothing known: bytes are named by offset.
    Bytes,
    /// One scalar of so many bytes.
    Scalar {
        /// Bytes of the scalar.
        bytes: u64,
    },
    /// Elements one after the other.
    Array {
        /// Bytes from one element to the next.
        stride: u64,
        /// How many, where known.
        length: Option<u64>,
        /// The layout of an element.
        element: Box<Shape>,
    },
    /// Named members.
    Struct {
        /// Offset, name and layout, by rising offset.
        members: Vec<(u64, String, Shape)>,
    },
}

/// A place in memory: an object, and a byte offset into it (64 bits, from its start).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Address {
    /// The object.
    pub object: ObjectId,
    /// Bytes from its start.
    pub offset: ExprId,
}

impl Shape {
    /// The path to byte `offset`: `[6]`, `[2][3].x`, and `+1` for a byte inside a scalar. Offsets
    /// are signed numbers: the element before the first is `[-1]`.
    pub fn path(&self, offset: u64) -> String {
        let bytes = offset as i64;
        match self {
            Shape::Bytes => format!("{bytes:+}"),
            Shape::Scalar { .. } if offset == 0 => String::new(),
            Shape::Scalar { .. } => format!("{bytes:+}"),
            Shape::Array { stride, element, .. } => match i64::try_from(*stride) {
                Ok(stride) if stride > 0 => {
                    let rest = element.path(bytes.rem_euclid(stride) as u64);
                    format!("[{}]{rest}", bytes.div_euclid(stride))
                }
                Ok(_) | Err(_) => format!("{bytes:+}"),
            },
            Shape::Struct { .. } if bytes < 0 => format!("{bytes:+}"),
            Shape::Struct { members } => {
                match members.iter().rev().find(|(start, ..)| *start <= offset) {
                    Some((start, name, shape)) => format!(".{name}{}", shape.path(offset - start)),
                    None => format!("{bytes:+}"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_follow_the_layout() {
        let pair = Shape::Struct {
            members: vec![
                (0, "x".to_owned(), Shape::Scalar { bytes: 4 }),
                (4, "y".to_owned(), Shape::Scalar { bytes: 4 }),
            ],
        };
        let rows = Shape::Array {
            stride: 16,
            length: None,
            element: Box::new(Shape::Array { stride: 8, length: Some(2), element: Box::new(pair) }),
        };
        assert_eq!(rows.path(0), "[0][0].x");
        assert_eq!(rows.path(16 + 8 + 4), "[1][1].y");
        assert_eq!(rows.path(5), "[0][0].y+1");
        assert_eq!(rows.path(-4i64 as u64), "[-1][1].y");
        assert_eq!(Shape::Bytes.path(3), "+3");
    }
}
