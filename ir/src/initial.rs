//! What an object holds when a kernel starts, as far as the program says.
//!
//! **Promises**: bytes that a [`Data`] gives are those of the program's initialiser, in memory
//! order (little-endian numbers). Bytes that it does not give are fixed by the program too, but not
//! known here: addresses, undefined values, padding, and what is beyond the size that the front end
//! reads. **Does not** say who may write the object; the front end decides that, because it sees
//! the linkage and all kernels of the module.

/// What an object holds when a kernel starts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Initial {
    /// The program does not say. Global and constant memory holds whatever the host put there;
    /// shared and local memory is undefined.
    #[default]
    Any,
    /// The initialiser, in every launch: nothing can write the object.
    Fixed(Data),
    /// The initialiser in the first launch. An earlier launch may have changed it, the host cannot.
    First(Data),
    /// The initialiser in the first launch, unless the host has written the object before: it can.
    Host(Data),
    /// The argument at this position of the source's parameter list, a structure passed by value.
    /// Its members are the parameters of kind [`Field`](crate::ParamKind::Field) of that position.
    Argument(u32),
}

/// Bytes by offset.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Data {
    /// Stretches of bytes, by rising offset; no two touch each other's bytes.
    pub pieces: Vec<Piece>,
}

/// A stretch of bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The first byte's offset.
    pub offset: u64,
    /// The bytes.
    pub fill: Fill,
}

/// The bytes of a stretch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fill {
    /// This many zeros.
    Zeros(u64),
    /// These.
    Bytes(Vec<u8>),
}

/// A stretch of offsets at which a number of some size reads as one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The first offset.
    pub first: u64,
    /// The last.
    pub last: u64,
    /// The value, little-endian.
    pub value: u128,
}

impl Fill {
    /// How many bytes.
    pub fn len(&self) -> u64 {
        match self {
            Fill::Zeros(count) => *count,
            Fill::Bytes(bytes) => bytes.len() as u64,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Piece {
    /// The offset after the last byte.
    pub fn end(&self) -> Option<u64> {
        self.offset.checked_add(self.fill.len())
    }
}

impl Initial {
    /// The initialiser, if there is one.
    pub fn data(&self) -> Option<&Data> {
        match self {
            Initial::Fixed(data) | Initial::First(data) | Initial::Host(data) => Some(data),
            Initial::Any | Initial::Argument(_) => None,
        }
    }

    /// Whether the program leaves room for an object that holds zeros when a kernel starts. Where
    /// it has an initialiser that says otherwise, an assumption that a counter or a flag starts at
    /// zero would leave no run of the program.
    pub fn may_be_zeros(&self) -> bool {
        self.data().is_none_or(Data::is_all_zeros)
    }
}

impl Data {
    /// Whether bytes are given, and each of them is zero.
    pub fn is_all_zeros(&self) -> bool {
        let zeros = |piece: &Piece| match &piece.fill {
            Fill::Zeros(_) => true,
            Fill::Bytes(bytes) => bytes.iter().all(|byte| *byte == 0),
        };
        !self.pieces.is_empty() && self.pieces.iter().all(zeros)
    }

    /// Appends bytes that lie after all that is there.
    pub fn push(&mut self, offset: u64, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if let Some(Piece { offset: start, fill: Fill::Bytes(before) }) = self.pieces.last_mut()
            && *start + before.len() as u64 == offset
        {
            before.extend_from_slice(bytes);
            return;
        }
        self.pieces.push(Piece { offset, fill: Fill::Bytes(bytes.to_vec()) });
    }

    /// Appends zeros that lie after all that is there.
    pub fn push_zeros(&mut self, offset: u64, count: u64) {
        if count == 0 {
            return;
        }
        if let Some(Piece { offset: start, fill: Fill::Zeros(before) }) = self.pieces.last_mut()
            && *start + *before == offset
        {
            *before += count;
            return;
        }
        self.pieces.push(Piece { offset, fill: Fill::Zeros(count) });
    }

    /// The byte at an offset, where known.
    pub fn byte(&self, offset: u64) -> Option<u8> {
        let after = self.pieces.partition_point(|piece| piece.offset <= offset);
        let piece = self.pieces.get(after.checked_sub(1)?)?;
        let at = offset - piece.offset;
        match &piece.fill {
            Fill::Zeros(count) => (at < *count).then_some(0),
            Fill::Bytes(bytes) => bytes.get(usize::try_from(at).ok()?).copied(),
        }
    }

    /// The little-endian number of `size` bytes, at most 16, at an offset; known if all its bytes
    /// are.
    pub fn number(&self, offset: u64, size: u32) -> Option<u128> {
        let mut value = 0;
        for index in 0..size.min(16) {
            let byte = self.byte(offset.checked_add(u64::from(index))?)?;
            value |= u128::from(byte) << (8 * index);
        }
        Some(value)
    }

    /// All that a number of `size` bytes (at most 16) reads as, at the offsets that are `residue`
    /// modulo `step`: stretches by rising offset, neighbours of one value as one. `None` if there
    /// would be more than `most`, or more than `MOST_OFFSETS` offsets to look at.
    pub fn readings(
        &self,
        size: u32,
        step: u64,
        residue: u64,
        most: usize,
    ) -> Option<Vec<Reading>> {
        let mut all: Vec<Reading> = Vec::new();
        let mut add = |first: u64, last: u64, value: u128| {
            match all.last_mut() {
                Some(before)
                    if before.value == value && before.last.checked_add(step) == Some(first) =>
                {
                    before.last = last;
                }
                Some(_) | None => all.push(Reading { first, last, value }),
            }
            all.len() <= most
        };
        let step = step.max(1);
        let mut looked_at = 0u64;
        // The first offset that was not looked at yet.
        let mut next = 0u64;
        for piece in &self.pieces {
            let end = piece.end()?;
            let mut at =
                aligned(next.max(piece.offset.saturating_sub(u64::from(size))), step, residue)?;
            while at < end {
                let zeros_end = match &piece.fill {
                    Fill::Zeros(_) if at >= piece.offset => end.checked_sub(u64::from(size)),
                    Fill::Zeros(_) | Fill::Bytes(_) => None,
                };
                match zeros_end.filter(|last| *last >= at) {
                    Some(last) => {
                        let last = at + (last - at) / step * step;
                        if !add(at, last, 0) {
                            return None;
                        }
                        at = last;
                    }
                    None => {
                        looked_at += 1;
                        if looked_at > MOST_OFFSETS {
                            return None;
                        }
                        if let Some(value) = self.number(at, size)
                            && !add(at, at, value)
                        {
                            return None;
                        }
                    }
                }
                at = at.checked_add(step)?;
            }
            next = at;
        }
        Some(all)
    }
}

/// Offsets that [`Data::readings`] looks at one by one.
const MOST_OFFSETS: u64 = 1 << 16;

/// The first offset from `from` on that is `residue` modulo `step`.
fn aligned(from: u64, step: u64, residue: u64) -> Option<u64> {
    let residue = residue % step;
    let here = from % step;
    from.checked_add((residue + step - here) % step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(first: u64, last: u64, value: u128) -> Reading {
        Reading { first, last, value }
    }

    #[test]
    fn numbers_straddle_pieces_and_stop_at_gaps() {
        let mut data = Data::default();
        data.push(0, &[1, 2]);
        data.push(2, &[3]);
        data.push_zeros(3, 5);
        data.push(12, &[9, 0, 0, 0]);
        assert_eq!(data.pieces.len(), 3);
        assert_eq!(data.number(0, 4), Some(0x0003_0201));
        assert_eq!(data.number(1, 2), Some(0x0302));
        assert_eq!(data.number(4, 4), Some(0));
        assert_eq!(data.number(5, 4), None);
        assert_eq!(data.number(12, 4), Some(9));
        assert_eq!(data.number(13, 4), None);
        assert_eq!(data.byte(u64::MAX), None);
    }

    #[test]
    fn readings_are_all_offsets_of_a_residue() {
        let mut data = Data::default();
        data.push(0, &[3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
        data.push_zeros(12, 1 << 40);
        let last = 12 + (1 << 40) - 4;
        let words = data.readings(4, 4, 0, 8);
        assert_eq!(words, Some(vec![reading(0, 0, 3), reading(4, 8, 1), reading(12, last, 0)]));
        assert_eq!(data.readings(4, 4, 0, 2), None);
        // Straddling readings, and those that end in the zeros.
        let odd = data.readings(4, 8, 2, 8);
        let last = 10 + (last - 10) / 8 * 8;
        assert_eq!(odd, Some(vec![reading(2, 2, 0x1_0000), reading(10, last, 0)]));
    }

    #[test]
    fn readings_agree_with_numbers() {
        let mut data = Data::default();
        data.push(1, &[7, 8, 8, 8, 8]);
        data.push_zeros(6, 9);
        data.push(15, &[1]);
        data.push(20, &[2, 2, 2, 2]);
        for (size, step) in [(1, 1), (2, 1), (4, 1), (4, 4), (2, 2), (8, 4), (3, 1)] {
            for residue in 0..step {
                let all = data.readings(size, step, residue, 64).unwrap_or_default();
                for offset in (residue..40).step_by(step as usize) {
                    let found = all.iter().find(|it| it.first <= offset && offset <= it.last);
                    assert_eq!(found.map(|it| it.value), data.number(offset, size), "{offset}");
                }
            }
        }
    }
}
