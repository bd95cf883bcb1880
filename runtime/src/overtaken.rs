//! Which write is kept beside the last one to a cell.
//!
//! A plain write that comes after others stands for them: whoever is not ordered after one of those
//! is not ordered after it either. One that is atomic or volatile does not, for an access may come
//! after it by being strong itself.
//!
//! **Promises**: what is kept was made, and nobody who knows it is told of a race with it.
//! **Misses**: a second one that the last does not stand for; a plain one before an atomic one.

use crate::shadow::{ATOMIC, Cell, ELEMENT, OBSERVED, Record, UPDATE, WIDE, WROTE};

/// What the thread of a new access knows of the last write before it.
#[derive(Clone, Copy)]
pub(crate) struct Last {
    pub(crate) known: bool,
    /// By a load that the thread knows.
    pub(crate) observed: bool,
    /// The access reads what it left, as one strong for it.
    pub(crate) reads: bool,
}

/// What is kept of a cell's writes beside the new one. `is_excused`: the last write and the new one
/// are volatile and no race; `is_old`: whoever may come here knows the last write.
pub(crate) fn kept_beside(
    new: Record,
    before: &Cell,
    last: Last,
    is_excused: impl FnOnce() -> bool,
    is_old: impl FnOnce() -> bool,
) -> Record {
    let (overtaken, kept) = (before.write, before.other);
    let kept = if kept.info & WROTE != 0 { kept } else { Record::default() };
    let mark = if last.reads || last.observed { OBSERVED } else { 0 };
    let marked = Record { info: overtaken.info & !OBSERVED | WROTE | mark, ..overtaken };
    if overtaken.info & new.info & ATOMIC != 0 {
        if last.known {
            return kept;
        }
        // Observation goes on through updates alone (PTX ISA 8.9.2): what was there before a
        // store that is read is not observed.
        let is_open = kept.is_some() && (kept.info & OBSERVED == 0 || overtaken.info & UPDATE == 0);
        // Who races with the overtaken one, and knows the new one, is of a scope between.
        let as_wide = overtaken.info & WIDE != 0 || new.info & WIDE == 0;
        return match is_open && last.reads && as_wide {
            true => Record { info: kept.info & !OBSERVED, ..kept },
            false => marked,
        };
    }
    if !new.is_volatile() || !overtaken.is_some() {
        return Record::default();
    }
    let same_size = (overtaken.info ^ new.info) & ELEMENT == 0;
    let is_like = overtaken.is_strong()
        && same_size
        && (overtaken.is_volatile() || overtaken.info & WIDE != 0);
    if !is_like {
        return if is_old() { Record::default() } else { marked };
    }
    match !last.known && is_excused() {
        true => marked,
        false => kept,
    }
}
