//! Matrix instructions of a warp: `ldmatrix`, `stmatrix`, `movmatrix`, `mma` and `wmma` (PTX ISA
//! 9.7.14).
//!
//! Each lane brings the registers of its fragment; when all lanes are there, the product is
//! computed as a whole and each lane is given its part. Fragments of `mma` lie as the manual says;
//! those of `wmma`, which it leaves open, as [`tile`] says.
//!
//! **Promises**: products of floats are exact until they are rounded once, to the type of the
//! result. A GPU rounds in other places, so the last bits of sums may differ. **Does not**: know
//! sparse products, or elements of fewer than 8 bits; bring lanes together (`warp_matrix`).

use half::{bf16, f16};

use crate::abi::{Element, Matrix};

/// Lanes of a warp.
pub(crate) const LANES: usize = heddle_semantics::WARP as usize;

/// A matrix instruction, as a lane comes to it. Registers are words of 32 bits on the lane's stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Work {
    pub(crate) op: Matrix,
    /// Of a product its three sizes, from the high byte down; else how many matrices.
    pub(crate) shape: u32,
    /// The elements of A, B, C and D, four bits each; whether A and B lie in columns; whether sums
    /// stop at the type's ends.
    pub(crate) types: u32,
    /// Where its registers are, and where its results go.
    pub(crate) registers: (usize, usize),
}

impl Work {
    pub(crate) fn sizes(&self) -> (usize, usize, usize) {
        let byte = |shift: u32| (self.shape >> shift & 0xff) as usize;
        (byte(16), byte(8), byte(0))
    }

    pub(crate) fn element(&self, which: u32) -> Element {
        Element::from_number(self.types >> (4 * which) & 15).unwrap_or(Element::F32)
    }

    pub(crate) fn bit(&self, bit: u32) -> bool {
        self.types >> bit & 1 != 0
    }

    pub(crate) fn same(&self, other: &Work) -> bool {
        (self.op, self.shape, self.types) == (other.op, other.shape, other.types)
    }
}

/// Bytes of one element.
pub(crate) fn bytes(element: Element) -> usize {
    element.bytes() as usize
}

/// A number of any element type: floats exactly, integers too.
fn decode(element: Element, bits: u64) -> f64 {
    match element {
        Element::F16 => f16::from_bits(bits as u16).to_f64(),
        Element::BF16 => bf16::from_bits(bits as u16).to_f64(),
        // The low bits of the register are not looked at.
        Element::TF32 => f64::from(f32::from_bits(bits as u32 & 0xffff_e000)),
        Element::F32 => f64::from(f32::from_bits(bits as u32)),
        Element::F64 => f64::from_bits(bits),
        Element::S8 => f64::from(bits as u8 as i8),
        Element::U8 => f64::from(bits as u8),
        Element::S32 => f64::from(bits as u32 as i32),
    }
}

fn encode(element: Element, value: f64, saturates: bool) -> u64 {
    match element {
        Element::F16 => u64::from(f16::from_f64(value).to_bits()),
        Element::BF16 => u64::from(bf16::from_f64(value).to_bits()),
        Element::TF32 | Element::F32 => u64::from((value as f32).to_bits()),
        Element::F64 => value.to_bits(),
        Element::S8 => u64::from(value as i64 as i8 as u8),
        Element::U8 => u64::from(value as i64 as u8),
        Element::S32 if saturates => u64::from(value as i32 as u32),
        Element::S32 => u64::from(value as i64 as i32 as u32),
    }
}

/// Which of the factors and sums of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    A,
    B,
    /// C and D.
    Sum,
}

/// Rows and columns of a part.
pub(crate) fn extent(part: Part, (m, n, k): (usize, usize, usize)) -> (usize, usize) {
    match part {
        Part::A => (m, k),
        Part::B => (k, n),
        Part::Sum => (m, n),
    }
}

/// Words of a lane's fragment.
pub(crate) fn words(
    part: Part,
    sizes: (usize, usize, usize),
    element: Element,
    tiles: bool,
) -> usize {
    let (rows, columns) = extent(part, sizes);
    match (tiles, part, element) {
        // Fragments of halves always have eight registers, some of which hold an element twice.
        (true, Part::A | Part::B, Element::F16) => 8,
        _ => rows * columns * bytes(element) / 4 / LANES,
    }
}

/// The row and column of the `n`-th element that a lane has of a fragment of `mma` (9.7.14.5).
fn fragment(part: Part, rows: usize, element: Element, lane: usize, n: usize) -> (usize, usize) {
    let (group, within) = (lane / 4, lane % 4);
    // Elements of a register.
    let each = (4 / bytes(element)).max(1);
    let (register, at) = (n / each, n % each);
    match part {
        Part::A => {
            let halves = rows / 8;
            (group + 8 * (register % halves), within * each + at + register / halves * 4 * each)
        }
        Part::B => (within * each + at + register * 4 * each, group),
        Part::Sum => (group + 8 * (n / 2), within * 2 + n % 2),
    }
}

/// The row and column of the `n`-th element that a lane has of a tile of `wmma`: elements follow
/// each other in the order of the layout, as many to each lane.
pub(crate) fn tile(
    (rows, columns): (usize, usize),
    in_columns: bool,
    lane: usize,
    n: usize,
) -> (usize, usize) {
    let each = rows * columns / LANES;
    let index = lane * each + n % each;
    if in_columns { (index % rows, index / rows) } else { (index / columns, index % columns) }
}

fn word(registers: &[u32], bytes: usize, n: usize) -> u64 {
    match bytes {
        8 => u64::from(registers[2 * n]) | u64::from(registers[2 * n + 1]) << 32,
        _ => {
            let each = 4 / bytes;
            let shifted = registers[n / each] >> (8 * bytes * (n % each));
            u64::from(shifted) & (u64::MAX >> (64 - 8 * bytes))
        }
    }
}

fn put(registers: &mut [u32], bytes: usize, n: usize, bits: u64) {
    match bytes {
        8 => (registers[2 * n], registers[2 * n + 1]) = (bits as u32, (bits >> 32) as u32),
        _ => {
            let (each, mask) = (4 / bytes, (u64::MAX >> (64 - 8 * bytes)) as u32);
            let shift = 8 * bytes * (n % each);
            let register = &mut registers[n / each];
            *register = *register & !(mask << shift) | (bits as u32 & mask) << shift;
        }
    }
}

/// The registers that each lane brings; none for lanes that have ended.
pub(crate) type Lanes = [Option<Vec<u32>>; LANES];

/// Where the elements of a part of a product are, in each lane.
struct Layout {
    part: Part,
    element: Element,
    sizes: (usize, usize, usize),
    tiles: bool,
    in_columns: bool,
}

impl Layout {
    fn of(work: &Work, part: Part, which: u32) -> Layout {
        let in_columns = match part {
            Part::A => work.bit(16),
            Part::B => work.bit(17),
            Part::Sum => false,
        };
        let tiles = work.op == Matrix::MultiplyTiles;
        Layout { part, element: work.element(which), sizes: work.sizes(), tiles, in_columns }
    }

    fn words(&self) -> usize {
        words(self.part, self.sizes, self.element, self.tiles)
    }

    /// Elements of a lane.
    fn count(&self) -> usize {
        self.words() * 4 / bytes(self.element)
    }

    fn place(&self, lane: usize, n: usize) -> (usize, usize) {
        let extent = extent(self.part, self.sizes);
        match self.tiles {
            true => tile(extent, self.in_columns, lane, n),
            false => fragment(self.part, extent.0, self.element, lane, n),
        }
    }

    /// The whole matrix, row by row, from registers that start at a word.
    fn gather(&self, lanes: &Lanes, first: usize) -> Vec<f64> {
        let (rows, columns) = extent(self.part, self.sizes);
        let mut matrix = vec![0.0; rows * columns];
        for (lane, registers) in lanes.iter().enumerate() {
            let Some(registers) = registers else { continue };
            for n in 0..self.count() {
                let (row, column) = self.place(lane, n);
                let bits = word(&registers[first..], bytes(self.element), n);
                matrix[row * columns + column] = decode(self.element, bits);
            }
        }
        matrix
    }
}

/// What each lane gets of `D = A B + C`.
fn product(work: &Work, lanes: &Lanes) -> Vec<Vec<u32>> {
    let (a, b) = (Layout::of(work, Part::A, 0), Layout::of(work, Part::B, 1));
    let (c, d) = (Layout::of(work, Part::Sum, 2), Layout::of(work, Part::Sum, 3));
    let (m, n, k) = work.sizes();
    let left = a.gather(lanes, 0);
    let right = b.gather(lanes, a.words());
    let mut sum = c.gather(lanes, a.words() + b.words());
    for row in 0..m {
        for column in 0..n {
            let terms = (0..k).map(|at| left[row * k + at] * right[at * n + column]);
            sum[row * n + column] += terms.sum::<f64>();
        }
    }
    let part = |lane: usize| {
        let mut registers = vec![0; d.words()];
        for at in 0..d.count() {
            let (row, column) = d.place(lane, at);
            let bits = encode(d.element, sum[row * n + column], work.bit(18));
            put(&mut registers, bytes(d.element), at, bits);
        }
        registers
    };
    (0..LANES).map(part).collect()
}

/// Words that a lane brings to an instruction.
pub(crate) fn brings(work: &Work) -> usize {
    match work.op {
        Matrix::Load | Matrix::LoadTransposed => 2,
        Matrix::Store | Matrix::StoreTransposed => 2 + work.shape as usize,
        Matrix::Transpose => 1,
        Matrix::Multiply | Matrix::MultiplyTiles => {
            let part = |part, which| Layout::of(work, part, which).words();
            part(Part::A, 0) + part(Part::B, 1) + part(Part::Sum, 2)
        }
    }
}

/// Where in an 8 by 8 matrix of 16 bits the halves of a lane's register are.
fn halves(lane: usize, transposed: bool) -> [(usize, usize); 2] {
    let (row, column) = (lane / 4, lane % 4 * 2);
    [0, 1].map(|at| if transposed { (column + at, row) } else { (row, column + at) })
}

/// The address of a row, as a lane brought it.
fn row_of(lanes: &Lanes, matrix: usize, row: usize) -> Option<usize> {
    let registers = lanes[8 * matrix + row].as_ref()?;
    Some((u64::from(registers[0]) | u64::from(registers[1]) << 32) as usize)
}

/// What each lane gets, memory being read and written.
pub(crate) fn results(work: &Work, lanes: &Lanes) -> Vec<Vec<u32>> {
    let transposed =
        matches!(work.op, Matrix::LoadTransposed | Matrix::StoreTransposed | Matrix::Transpose);
    let mut results = vec![Vec::new(); LANES];
    match work.op {
        Matrix::Multiply | Matrix::MultiplyTiles => return product(work, lanes),
        Matrix::Transpose => {
            let mut matrix = [[0; 8]; 8];
            for (lane, registers) in lanes.iter().enumerate() {
                let Some(registers) = registers else { continue };
                for (at, (row, column)) in halves(lane, false).into_iter().enumerate() {
                    matrix[row][column] = registers[0] >> (16 * at) & 0xffff;
                }
            }
            for (lane, result) in results.iter_mut().enumerate() {
                let [low, high] = halves(lane, true).map(|(row, column)| matrix[row][column]);
                result.push(low | high << 16);
            }
        }
        Matrix::Load | Matrix::LoadTransposed => {
            for (lane, result) in results.iter_mut().enumerate() {
                for matrix in 0..work.shape as usize {
                    let [low, high] = halves(lane, transposed).map(|(row, column)| {
                        row_of(lanes, matrix, row).map_or(0, |at| half_at(at + 2 * column))
                    });
                    result.push(low | high << 16);
                }
            }
        }
        Matrix::Store | Matrix::StoreTransposed => {
            for (lane, registers) in lanes.iter().enumerate() {
                let Some(registers) = registers else { continue };
                for matrix in 0..work.shape as usize {
                    for (at, (row, column)) in halves(lane, transposed).into_iter().enumerate() {
                        let half = (registers[2 + matrix] >> (16 * at)) as u16;
                        if let Some(row) = row_of(lanes, matrix, row) {
                            // SAFETY: the row was checked when its lane came.
                            unsafe { ((row + 2 * column) as *mut u16).write_unaligned(half) };
                        }
                    }
                }
            }
        }
    }
    results
}

fn half_at(address: usize) -> u32 {
    // SAFETY: the row was checked when its lane came.
    u32::from(unsafe { (address as *const u16).read_unaligned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each element of each part is in some lane, and a lane's registers name no place outside.
    #[test]
    fn fragments_cover_their_matrices() {
        use Element::{BF16, F16, F32, F64, S8, S32, TF32};
        let cases = [
            (Matrix::Multiply, (16, 8, 8), F16, F32),
            (Matrix::Multiply, (16, 8, 16), F16, F16),
            (Matrix::Multiply, (16, 8, 16), BF16, F32),
            (Matrix::Multiply, (16, 8, 4), TF32, F32),
            (Matrix::Multiply, (16, 8, 8), TF32, F32),
            (Matrix::Multiply, (8, 8, 16), S8, S32),
            (Matrix::Multiply, (16, 8, 32), S8, S32),
            (Matrix::Multiply, (8, 8, 4), F64, F64),
            (Matrix::MultiplyTiles, (16, 16, 16), F16, F32),
            (Matrix::MultiplyTiles, (32, 8, 16), F16, F16),
            (Matrix::MultiplyTiles, (8, 32, 16), S8, S32),
            (Matrix::MultiplyTiles, (16, 16, 8), TF32, F32),
        ];
        for (op, (m, n, k), factor, sum) in cases {
            let types = (factor.number() * 0x11) | (sum.number() * 0x1100);
            let work = Work { op, shape: m << 16 | n << 8 | k, types, registers: (0, 0) };
            for (part, which) in [(Part::A, 0), (Part::B, 1), (Part::Sum, 2)] {
                let layout = Layout::of(&work, part, which);
                let (rows, columns) = extent(part, work.sizes());
                let mut seen = vec![false; rows * columns];
                for lane in 0..LANES {
                    for at in 0..layout.count() {
                        let (row, column) = layout.place(lane, at);
                        assert!(row < rows && column < columns, "{work:?} {part:?} {lane} {at}");
                        seen[row * columns + column] = true;
                    }
                }
                assert!(seen.iter().all(|it| *it), "{work:?} {part:?}");
            }
        }
    }
}
