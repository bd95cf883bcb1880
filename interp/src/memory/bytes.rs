//! The bytes of one object, in pages made when they are first touched.

use rustc_hash::FxHashMap;

use crate::launch::Contents;
use crate::stop::Cause;

const PAGE: usize = 256;
/// Pages up to this number are found by index, those of wild offsets by hashing.
const NEAR_PAGES: u64 = 1 << 16;

#[derive(Debug)]
struct Page {
    bytes: [u8; PAGE],
    /// Why each byte is unknown; absent where all are known.
    causes: Option<Box<[Cause; PAGE]>>,
}

#[derive(Debug)]
pub(crate) struct ByteStore {
    near: Vec<Option<Box<Page>>>,
    far: FxHashMap<u64, Box<Page>>,
    contents: Contents,
    /// Why a byte that `contents` does not know is unknown.
    cause: Cause,
}

impl ByteStore {
    pub(crate) fn new(contents: Contents, cause: Cause) -> ByteStore {
        ByteStore { near: Vec::new(), far: FxHashMap::default(), contents, cause }
    }

    /// The little-endian number of `size` bytes (at most 16) at an offset.
    pub(crate) fn load(&mut self, offset: u64, size: u32) -> Result<u128, Cause> {
        let (number, start) = (offset / PAGE as u64, (offset % PAGE as u64) as usize);
        let end = start + size as usize;
        if end <= PAGE {
            let page = self.page(number);
            if let Some(causes) = &page.causes
                && let Some(cause) = causes[start..end].iter().find(|it| !it.is_known())
            {
                return Err(*cause);
            }
            let mut bytes = [0; 16];
            bytes[..size as usize].copy_from_slice(&page.bytes[start..end]);
            return Ok(u128::from_le_bytes(bytes));
        }
        let mut value = 0;
        for index in 0..size {
            let byte = self.load(offset.wrapping_add(u64::from(index)), 1)?;
            value |= byte << (8 * index);
        }
        Ok(value)
    }

    /// Writes `size` bytes (at most 16), little-endian, or makes them unknown.
    pub(crate) fn store(&mut self, offset: u64, size: u32, value: Result<u128, Cause>) {
        let (number, start) = (offset / PAGE as u64, (offset % PAGE as u64) as usize);
        let end = start + size as usize;
        if end > PAGE {
            for index in 0..size {
                let byte = value.map(|it| it >> (8 * index) & 0xff);
                self.store(offset.wrapping_add(u64::from(index)), 1, byte);
            }
            return;
        }
        let page = self.page(number);
        match value {
            Ok(value) => {
                page.bytes[start..end].copy_from_slice(&value.to_le_bytes()[..size as usize]);
                if let Some(causes) = &mut page.causes {
                    causes[start..end].fill(Cause::KNOWN);
                }
            }
            Err(cause) => {
                let causes = page.causes.get_or_insert_with(|| Box::new([Cause::KNOWN; PAGE]));
                causes[start..end].fill(cause);
            }
        }
    }

    /// Makes `size` bytes unknown, however many they are.
    pub(crate) fn forget(&mut self, offset: u64, size: u64, cause: Cause) {
        for index in 0..size {
            self.store(offset.wrapping_add(index), 1, Err(cause));
        }
    }

    fn page(&mut self, number: u64) -> &mut Page {
        let (contents, cause) = (&self.contents, self.cause);
        let make = || fill(contents, cause, number);
        if number >= NEAR_PAGES {
            return self.far.entry(number).or_insert_with(make);
        }
        let index = number as usize;
        if index >= self.near.len() {
            self.near.resize_with(index + 1, || None);
        }
        self.near[index].get_or_insert_with(make)
    }
}

fn fill(contents: &Contents, cause: Cause, number: u64) -> Box<Page> {
    let mut page = Page { bytes: [0; PAGE], causes: None };
    let first = number * PAGE as u64;
    for index in 0..PAGE {
        match contents.byte(first + index as u64) {
            Some(byte) => page.bytes[index] = byte,
            None => {
                let causes = page.causes.get_or_insert_with(|| Box::new([Cause::KNOWN; PAGE]));
                causes[index] = cause;
            }
        }
    }
    Box::new(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_little_endian_and_cross_pages() {
        let mut store = ByteStore::new(Contents::default(), Cause(1));
        assert_eq!(store.load(254, 4), Err(Cause(1)));
        store.store(254, 4, Ok(0x0403_0201));
        assert_eq!(store.load(254, 4), Ok(0x0403_0201));
        assert_eq!(store.load(256, 2), Ok(0x0403));
        store.store(255, 1, Err(Cause(7)));
        assert_eq!(store.load(254, 4), Err(Cause(7)));
        assert_eq!(store.load(254, 1), Ok(1));
    }

    #[test]
    fn wild_offsets_cost_no_memory() {
        let mut store = ByteStore::new(Contents::default(), Cause(1));
        store.store(u64::MAX, 2, Ok(0xbbaa));
        assert_eq!((store.load(u64::MAX, 1), store.load(0, 1)), (Ok(0xaa), Ok(0xbb)));
        assert!(store.near.len() <= 1);
    }

    #[test]
    fn contents_show_through_until_written() {
        let mut store = ByteStore::new(Contents::of_words([7, 9]), Cause(1));
        assert_eq!(store.load(4, 4), Ok(9));
        assert_eq!(store.load(8, 1), Err(Cause(1)));
        store.store(4, 1, Ok(1));
        assert_eq!(store.load(0, 8), Ok(0x1_0000_0007));
    }
}
