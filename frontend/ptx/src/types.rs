//! The types and state spaces of PTX (sections 5.1 and 5.2).

/// A type of an instruction or a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Type {
    /// How its bits are read.
    pub kind: TypeKind,
    /// Bits of one lane; 1 for predicates.
    pub bits: u8,
    /// 1, or how many are packed in one register (`f16x2`).
    pub lanes: u8,
}

/// How the bits of a type are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeKind {
    /// `.pred`
    Predicate,
    /// `.b8` … `.b128`
    Bits,
    /// `.u8` … `.u64`
    Unsigned,
    /// `.s8` … `.s64`
    Signed,
    /// `.f16`, `.f32`, `.f64`
    Float,
    /// `.bf16`, `.tf32`, `.e4m3x2` and the like
    OtherFloat,
}

impl Type {
    /// The type that a modifier names, without its dot.
    pub fn parse(text: &str) -> Option<Type> {
        let (scalar, lanes) = match text.split_once('x') {
            Some((scalar, "2")) => (scalar, 2),
            Some((scalar, "4")) => (scalar, 4),
            Some(_) => return None,
            None => (text, 1),
        };
        let (kind, bits) = match scalar {
            "pred" => (TypeKind::Predicate, 1),
            "b8" => (TypeKind::Bits, 8),
            "b16" => (TypeKind::Bits, 16),
            "b32" => (TypeKind::Bits, 32),
            "b64" => (TypeKind::Bits, 64),
            "b128" => (TypeKind::Bits, 128),
            "u8" => (TypeKind::Unsigned, 8),
            "u16" => (TypeKind::Unsigned, 16),
            "u32" => (TypeKind::Unsigned, 32),
            "u64" => (TypeKind::Unsigned, 64),
            "s8" => (TypeKind::Signed, 8),
            "s16" => (TypeKind::Signed, 16),
            "s32" => (TypeKind::Signed, 32),
            "s64" => (TypeKind::Signed, 64),
            "f16" => (TypeKind::Float, 16),
            "f32" => (TypeKind::Float, 32),
            "f64" => (TypeKind::Float, 64),
            "bf16" => (TypeKind::OtherFloat, 16),
            "tf32" => (TypeKind::OtherFloat, 32),
            "e4m3" | "e5m2" | "ue8m0" => (TypeKind::OtherFloat, 8),
            "e2m3" | "e3m2" => (TypeKind::OtherFloat, 6),
            "e2m1" => (TypeKind::OtherFloat, 4),
            _ => return None,
        };
        let packs = bits < 64 && kind != TypeKind::Predicate;
        (lanes == 1 || packs).then_some(Type { kind, bits, lanes })
    }

    /// Bytes of one value in memory; predicates have none, nor do packed types that do not fill
    /// bytes.
    pub fn bytes(self) -> Option<u32> {
        let bits = u32::from(self.bits) * u32::from(self.lanes);
        (bits % 8 == 0).then_some(bits / 8)
    }

    /// One integer, or plain bits.
    pub fn is_integer(self) -> bool {
        match self.kind {
            TypeKind::Bits | TypeKind::Unsigned | TypeKind::Signed => self.lanes == 1,
            TypeKind::Predicate | TypeKind::Float | TypeKind::OtherFloat => false,
        }
    }
}

/// A state space; where an instruction names none, the address is generic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// No space named.
    Generic,
    /// `.global`
    Global,
    /// `.shared`, `.shared::cta`: the block's own.
    SharedBlock,
    /// `.shared::cluster`: that of any block of the cluster.
    SharedCluster,
    /// `.local`
    Local,
    /// `.const`
    Constant,
    /// `.param` and its two subspaces
    Parameter,
}

impl Space {
    /// The space that a modifier names, without its dot.
    pub fn parse(text: &str) -> Option<Space> {
        Some(match text {
            "global" => Space::Global,
            "shared" | "shared::cta" => Space::SharedBlock,
            "shared::cluster" => Space::SharedCluster,
            "local" => Space::Local,
            "const" => Space::Constant,
            "param" | "param::entry" | "param::func" => Space::Parameter,
            _ => return None,
        })
    }
}
