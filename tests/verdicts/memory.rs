//! Memory of a run: objects that parameters point to (without bounds), `__device__` objects, shared
//! memory, threads' own bytes.
//!
//! **Promises**: bytes that nobody wrote have the value that the run's contents say, or are marked
//! undefined (shared memory and the threads' own). An access outside an object of known size ends
//! the run as undefined.

use crate::arith::Undefined;
use crate::code::{Code, DEVICE, Kind, OBJECT_SHIFT, ORIGIN, PRIVATE, SHARED, Value};
use crate::random::{Table, mix};

/// Why a run is undefined that leaves memory.
pub(crate) const OUTSIDE: &str = "an access outside its object";

/// What memory that parameters point to holds at the start.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Fill {
    Zero,
    /// Each element its index, modulo this.
    Index(u64),
    /// Each element this.
    Same(u64),
    /// Each element a number below the second, by a seed.
    Random(u64, u64),
    /// Each element a number from -2 to 3, by a seed.
    Signed(u64),
    /// Each element any number of its width, by a seed.
    Wide(u64),
}

const PAGE: i64 = 256;

/// One object of global memory.
#[derive(Clone, Debug)]
struct Object {
    pages: Table<i64, Box<[u8; PAGE as usize]>>,
    fill: Fill,
    kind: Option<Kind>,
    /// Bytes, where there is a bound.
    size: Option<u64>,
    constant: bool,
}

/// Bytes with a mark for each that was written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bytes {
    bytes: Vec<u8>,
    known: Vec<bool>,
}

impl Bytes {
    pub(crate) fn new(size: u64) -> Bytes {
        Bytes { bytes: vec![0; size as usize], known: vec![false; size as usize] }
    }

    pub(crate) fn read(&self, at: u64, size: u64) -> Result<Value, Undefined> {
        let range = self.range(at, size)?;
        let mut bits = 0;
        for index in range.clone().rev() {
            bits = bits << 8 | u64::from(self.bytes[index]);
        }
        Ok(Value { bits, undef: !self.known[range].iter().all(|it| *it) })
    }

    pub(crate) fn write(&mut self, at: u64, size: u64, value: Value) -> Result<(), Undefined> {
        for (byte, index) in self.range(at, size)?.enumerate() {
            self.bytes[index] = (value.bits >> (8 * byte)) as u8;
            self.known[index] = !value.undef;
        }
        Ok(())
    }

    fn range(&self, at: u64, size: u64) -> Result<std::ops::Range<usize>, Undefined> {
        let (start, end) = (at as usize, at.wrapping_add(size) as usize);
        if start <= end && end <= self.bytes.len() {
            Ok(start..end)
        } else {
            Err(Undefined(OUTSIDE))
        }
    }
}

/// An address, split.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Location {
    pub(crate) object: u64,
    pub(crate) offset: i64,
}

pub(crate) fn locate(address: u64) -> Result<Location, Undefined> {
    let object = address >> OBJECT_SHIFT;
    if object == 0 {
        return Err(Undefined("a null pointer"));
    }
    let offset = (address & ((1 << OBJECT_SHIFT) - 1)) as i64 - ORIGIN as i64;
    Ok(Location { object, offset })
}

/// Global and shared memory.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    objects: Table<u64, Object>,
    shared: Vec<Bytes>,
    /// Something that nobody wrote was stored to global memory.
    pub(crate) is_tainted: bool,
}

impl Memory {
    pub(crate) fn new(code: &Code, blocks: usize) -> Memory {
        let mut memory = Memory {
            objects: Table::default(),
            shared: (0..blocks).map(|_| Bytes::new(code.shared)).collect(),
            is_tainted: false,
        };
        for (index, object) in code.device.iter().enumerate() {
            let id = DEVICE + index as u64;
            memory.objects.insert(
                id,
                Object {
                    pages: Table::default(),
                    fill: Fill::Zero,
                    kind: None,
                    size: Some(object.size),
                    constant: false,
                },
            );
            for (offset, kind, value) in &object.init {
                let at = Location { object: id, offset: *offset as i64 };
                // Inside its own object.
                let _ = memory.write_global(at, kind.bytes(), *value);
            }
            if let Some(it) = memory.objects.get_mut(&id) {
                it.constant = object.constant;
            }
        }
        memory
    }

    /// An object that a parameter points to, with elements of one kind.
    pub(crate) fn add(&mut self, object: u64, kind: Option<Kind>, fill: Fill) {
        let pages = Table::default();
        self.objects.insert(object, Object { pages, fill, kind, size: None, constant: false });
    }

    pub(crate) fn read(
        &mut self,
        at: Location,
        size: u64,
        block: usize,
        own: &Bytes,
    ) -> Result<Value, Undefined> {
        match at.object {
            SHARED => self.shared[block].read(at.offset as u64, size),
            PRIVATE => own.read(at.offset as u64, size),
            _ => {
                let object = self.object(at, size)?;
                let mut bits = 0;
                for index in (0..size as i64).rev() {
                    let place = at.offset + index;
                    let page = object.page(place.div_euclid(PAGE));
                    bits = bits << 8 | u64::from(page[place.rem_euclid(PAGE) as usize]);
                }
                Ok(Value::new(bits))
            }
        }
    }

    pub(crate) fn write(
        &mut self,
        at: Location,
        size: u64,
        value: Value,
        block: usize,
        own: &mut Bytes,
    ) -> Result<(), Undefined> {
        match at.object {
            SHARED => self.shared[block].write(at.offset as u64, size, value),
            PRIVATE => own.write(at.offset as u64, size, value),
            _ => self.write_global(at, size, value),
        }
    }

    pub(crate) fn write_global(
        &mut self,
        at: Location,
        size: u64,
        value: Value,
    ) -> Result<(), Undefined> {
        self.is_tainted |= value.undef;
        let object = self.object(at, size)?;
        if object.constant {
            return Err(Undefined("a store to a constant"));
        }
        for index in 0..size as i64 {
            let place = at.offset + index;
            let page = object.page(place.div_euclid(PAGE));
            page[place.rem_euclid(PAGE) as usize] = (value.bits >> (8 * index)) as u8;
        }
        Ok(())
    }

    /// The first byte of an object that a run has looked at, and the one past the last.
    pub(crate) fn extent(&self, object: u64) -> (i64, i64) {
        let pages = self.objects.get(&object).map(|it| it.pages.keys().copied());
        let (first, last) = pages.into_iter().flatten().fold((0, 0), |(first, last), page| {
            (first.min(page * PAGE), last.max((page + 1) * PAGE))
        });
        (first, last)
    }

    /// The bytes of an object from its start on.
    pub(crate) fn image(&mut self, object: u64, length: i64) -> Vec<u8> {
        let Some(object) = self.objects.get_mut(&object) else { return Vec::new() };
        let pages = (0..length / PAGE).map(|page| object.page(page).to_vec());
        pages.flatten().collect()
    }

    fn object(&mut self, at: Location, size: u64) -> Result<&mut Object, Undefined> {
        let object = self.objects.get_mut(&at.object).ok_or(Undefined("a wild pointer"))?;
        let inside = match object.size {
            Some(bound) => at.offset >= 0 && at.offset as u64 + size <= bound,
            None => at.offset.unsigned_abs() < ORIGIN / 2,
        };
        if inside { Ok(object) } else { Err(Undefined("an access outside its object")) }
    }
}

impl Object {
    fn page(&mut self, index: i64) -> &mut [u8; PAGE as usize] {
        let (fill, kind) = (&self.fill, self.kind);
        self.pages.entry(index).or_insert_with(|| {
            let mut page = Box::new([0; PAGE as usize]);
            let size = kind.map_or(4, Kind::bytes) as i64;
            for element in 0..PAGE / size {
                let number = fill.element(index * (PAGE / size) + element);
                let bits = match kind {
                    Some(Kind::Float) => u64::from((number as i64 as f32).to_bits()),
                    Some(Kind::Double) => (number as i64 as f64).to_bits(),
                    _ => number,
                };
                for byte in 0..size {
                    page[(element * size + byte) as usize] = (bits >> (8 * byte)) as u8;
                }
            }
            page
        })
    }
}

impl Fill {
    fn element(&self, index: i64) -> u64 {
        match self {
            Fill::Zero => 0,
            Fill::Index(modulo) => index.rem_euclid(*modulo as i64) as u64,
            Fill::Same(value) => *value,
            Fill::Random(seed, below) => mix(seed ^ (index as u64).wrapping_mul(0x9e37)) % below,
            Fill::Signed(seed) => {
                (mix(seed ^ (index as u64).wrapping_mul(0x9e37)) % 6).wrapping_sub(2)
            }
            Fill::Wide(seed) => mix(seed ^ (index as u64).wrapping_mul(0x9e37)),
        }
    }
}
