//! What an access does, and which two of them need an order.

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    /// Looks.
    Read,
    /// Changes.
    Write,
    /// Looks and changes as one, in the scope that matters; or changes in one piece.
    Atomic,
    /// Looks in one piece, in the scope that matters.
    AtomicRead,
    /// Operates on a barrier object, which only such operations may touch.
    Object,
    /// Asks a barrier object.
    ObjectRead,
}

impl AccessKind {
    /// Whether two of these on one byte need an order.
    pub fn conflicts(self, other: AccessKind) -> bool {
        match (self, other) {
            (AccessKind::Write, _) | (_, AccessKind::Write) => true,
            (AccessKind::Read, AccessKind::Atomic) | (AccessKind::Atomic, AccessKind::Read) => true,
            (
                AccessKind::Object | AccessKind::ObjectRead,
                AccessKind::Object | AccessKind::ObjectRead,
            ) => false,
            (AccessKind::Object, _) | (_, AccessKind::Object) => true,
            (AccessKind::ObjectRead, other) | (other, AccessKind::ObjectRead) => other.writes(),
            (
                AccessKind::Read | AccessKind::AtomicRead,
                AccessKind::Read | AccessKind::AtomicRead,
            )
            | (AccessKind::Atomic | AccessKind::AtomicRead, AccessKind::Atomic)
            | (AccessKind::Atomic, AccessKind::AtomicRead) => false,
        }
    }

    /// Whether it looks or changes in one piece.
    pub fn is_one_piece(self) -> bool {
        match self {
            AccessKind::Atomic | AccessKind::AtomicRead => true,
            AccessKind::Read | AccessKind::Write | AccessKind::Object | AccessKind::ObjectRead => {
                false
            }
        }
    }

    /// Whether two of these need an order where they are each of one piece, and not of the same
    /// bytes.
    pub fn conflicts_in_part(self, other: AccessKind) -> bool {
        self.is_one_piece() && other.is_one_piece() && (self.writes() || other.writes())
    }

    /// Whether it may change memory.
    pub fn writes(self) -> bool {
        match self {
            AccessKind::Read | AccessKind::AtomicRead | AccessKind::ObjectRead => false,
            AccessKind::Write | AccessKind::Atomic | AccessKind::Object => true,
        }
    }
}
