//! Matrix instructions as the lanes of a warp come to them (PTX ISA 9.7.14).
//!
//! A lane's row in memory is checked when it comes; when all are there, what `matrix` computes is
//! handed out.
//!
//! **Does not**: know where fragments lie, or multiply.

use crate::abi::{Exchange, Matrix};
use crate::block::{Block, Pause, State};
use crate::bytes::Bytes;
use crate::event::Event;
use crate::matrix::{LANES, Lanes, Part, Work, brings, bytes, extent, results, tile, words};
use crate::turn::Turn;
use crate::worker::Worker;

impl Turn<'_, '_> {
    /// The lane comes to a matrix instruction; its row is checked, and it waits for the others.
    ///
    /// # Safety
    /// The registers of `work` are on the thread's stack, until it goes on.
    pub(crate) unsafe fn matrix(&mut self, work: Work) -> Pause {
        let (lane, site) = (self.thread().lane, self.thread().facts.site);
        let write = match work.op {
            Matrix::Load | Matrix::LoadTransposed => Some(false),
            Matrix::Store | Matrix::StoreTransposed => Some(true),
            Matrix::Transpose | Matrix::Multiply | Matrix::MultiplyTiles => None,
        };
        let checked = self.host.program.checked;
        if let Some(write) = write.filter(|_| checked && lane < 8 * work.shape) {
            // SAFETY: the address is what the lane brings first.
            let row = unsafe { Bytes::new(work.registers.0, 8) }.load() as usize;
            if self.access(row, 16, site, u32::from(write), 0).is_none() {
                return Pause::End;
            }
        }
        self.thread_mut().matrix = Some(work);
        self.exchange(Exchange::Matrix, u32::MAX, 0, 0, 0)
    }

    /// Reads or writes a tile of `wmma`, a lane's part of it; `false` if it must not be. `stride`
    /// is in elements.
    ///
    /// # Safety
    /// The registers of `work` are on the thread's stack.
    pub(crate) unsafe fn tile(
        &mut self,
        work: Work,
        (memory, stride): (usize, usize),
        which: u32,
        store: bool,
    ) -> bool {
        let part = match which {
            0 => Part::A,
            1 => Part::B,
            _ => Part::Sum,
        };
        let (sizes, element, in_columns) = (work.sizes(), work.element(0), work.bit(16));
        let extent = extent(part, sizes);
        let (each, size) = (extent.0 * extent.1 / LANES, bytes(element));
        let count = words(part, sizes, element, true) * 4 / size;
        let (lane, site) = (self.thread().lane as usize, self.thread().facts.site);
        let checked = self.host.program.checked;
        // Factors lie in the order of their layout, sums always row by row.
        let canonical = in_columns && part != Part::Sum;
        let address = |n: usize| {
            let (row, column) = tile(extent, canonical, lane, n);
            let index = if in_columns { column * stride + row } else { row * stride + column };
            memory + index * size
        };
        let mut n = 0;
        while checked && n < each {
            let start = address(n);
            let mut end = n + 1;
            while end < each && address(end) == start + (end - n) * size {
                end += 1;
            }
            if self.access(start, (end - n) * size, site, u32::from(store), 0).is_none() {
                return false;
            }
            n = end;
        }
        for n in 0..if store { each } else { count } {
            // SAFETY: the fragment has `count` elements, on the stack; the element in memory was
            // checked above.
            let [register, element] =
                [work.registers.0 + n * size, address(n)].map(|at| unsafe { Bytes::new(at, size) });
            match store {
                true => element.copy_from(register),
                false => register.copy_from(element),
            }
        }
        true
    }
}

impl Worker<'_> {
    /// All lanes of a matrix instruction are there.
    pub(crate) fn finish_matrix(&mut self, block: &mut Block, group: &[u32]) {
        let works: Vec<(u32, Work)> = group
            .iter()
            .filter_map(|index| Some((*index, block.threads[*index as usize].matrix.take()?)))
            .collect();
        let Some(&(index, first)) = works.first() else { return };
        if let Some((other, _)) = works.iter().find(|(_, work)| !work.same(&first)) {
            let [one, two] = [index, *other].map(|it| block.threads[it as usize].number);
            let event =
                Event::Trap { site: block.threads[index as usize].facts.site, asserted: false };
            let what = "lanes of one warp execute different matrix instructions".to_owned();
            self.host.outcome.events.add(event, [one, two], || (what, Vec::new()));
            self.host.outcome.finished = false;
            return;
        }
        let mut lanes: Lanes = [const { None }; LANES];
        for (index, work) in &works {
            let lane = block.threads[*index as usize].lane as usize;
            let len = brings(work);
            // SAFETY: the compiled code has put `len` words there, on the stack of a fiber that
            // waits.
            let words = unsafe { std::slice::from_raw_parts(work.registers.0 as *const u32, len) };
            lanes[lane] = Some(words.to_vec());
        }
        let results = results(&first, &lanes);
        for (index, work) in &works {
            let result = &results[block.threads[*index as usize].lane as usize];
            // SAFETY: the compiled code has room for the results, on the stack of a fiber that
            // waits.
            unsafe {
                std::ptr::copy_nonoverlapping(
                    result.as_ptr(),
                    work.registers.1 as *mut u32,
                    result.len(),
                );
            }
        }
        debug_assert!(works.iter().all(|(index, _)| {
            matches!(block.threads[*index as usize].state, State::Lanes { .. })
        }));
    }
}
