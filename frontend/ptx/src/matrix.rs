//! Matrix instructions by name, as intrinsics and as inline PTX: which elements they have, and how
//! many registers a lane brings.
//!
//! **Promises**: a name that is not read whole is not known, and refused. **Does not**: compute;
//! `heddle_runtime` does. Elements of fewer than 8 bits, 8-bit floats, sparse and scaled products,
//! and the layouts of Volta (`m8n8k4` of halves) are not known.

pub use heddle_runtime::abi::Element;
use heddle_runtime::abi::Matrix;

/// A product `D = A B + C`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// Of `wmma`, whose fragments are opaque; else of `mma`.
    pub tiles: bool,
    /// M, N and K.
    pub sizes: [u32; 3],
    /// Of A, B, C and D.
    pub elements: [Element; 4],
    /// Whether A and B lie in columns.
    pub in_columns: [bool; 2],
    /// Sums of integers stay in range.
    pub saturates: bool,
}

/// A tile that is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// 0 for A, 1 for B, 2 for C and D.
    pub part: usize,
    /// It is written, else read.
    pub store: bool,
    /// M, N and K of the product that it is a part of.
    pub sizes: [u32; 3],
    /// Of what.
    pub element: Element,
    /// It lies in columns, else in rows.
    pub in_columns: bool,
}

/// The memory of a tile: lines of the same size, a stride apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// How many.
    pub count: u32,
    /// Of one line.
    pub bytes: u32,
    /// Of one element, in which strides are counted.
    pub element_bytes: u32,
    /// They are written, else read.
    pub is_store: bool,
    /// The stride of lines without a gap, in elements.
    pub dense: u32,
}

/// A matrix instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// `mma` and `wmma.mma`.
    Product(Product),
    /// `wmma.load` and `wmma.store`.
    Tile(Tile),
    /// `ldmatrix`, `stmatrix` and `movmatrix`: how many matrices.
    Rows(Matrix, u32),
}

/// What executes a matrix instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A warp, whose lanes exchange registers.
    Warp,
    /// A warpgroup, asynchronously.
    Warpgroup,
    /// The tensor core, with memory of its own.
    TensorCore,
}

/// What executes the matrix instruction of an opcode of PTX, or of an intrinsic without
/// `llvm.nvvm.`; none for every other name. That a name is here does not say that it is
/// [`Known`].
pub fn unit(name: &str) -> Option<Unit> {
    match name.split_once('.')?.0 {
        "mma" | "wmma" | "ldmatrix" | "stmatrix" | "movmatrix" => Some(Unit::Warp),
        "wgmma" => Some(Unit::Warpgroup),
        "tcgen05" => Some(Unit::TensorCore),
        _ => None,
    }
}

impl Known {
    /// An opcode of PTX, or an intrinsic without `llvm.nvvm.`.
    pub fn parse(name: &str) -> Option<Known> {
        let words: Vec<&str> =
            name.split('.').filter(|it| !matches!(*it, "sync" | "aligned")).collect();
        let (first, rest) = words.split_first()?;
        match (*first, rest) {
            ("mma", rest) => product(rest, false),
            ("ldmatrix" | "stmatrix" | "movmatrix", rest) => rows(first, rest),
            ("wmma", [a, rest @ ..]) => {
                // An intrinsic names the shape first, PTX after what is done and the layout.
                let mut words = vec![*a];
                words.extend(rest);
                let shape = words.iter().position(|it| sizes(it).is_some())?;
                let shape = words.remove(shape);
                let (does, rest) = words.split_first()?;
                let mut all = vec![shape];
                all.extend(rest);
                match *does {
                    "mma" => {
                        // The layouts come before the shape in PTX; `product` wants it first.
                        product(&all, true)
                    }
                    "load" | "store" => self::tile(&all, *does == "store"),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Words of 32 bits that a lane brings, and that it gets.
    pub fn words(&self) -> (u32, u32) {
        match self {
            Known::Product(it) => {
                let of = |part| it.words(part);
                (of(0) + of(1) + of(2), of(3))
            }
            Known::Tile(it) => {
                let words = fragment(it.part, it.sizes, it.element, true);
                if it.store { (words, 0) } else { (0, words) }
            }
            Known::Rows(Matrix::Load | Matrix::LoadTransposed, count) => (2, *count),
            Known::Rows(Matrix::Store | Matrix::StoreTransposed, count) => (2 + *count, 0),
            Known::Rows(..) => (1, 1),
        }
    }

    /// What a tile touches, where it is one.
    pub fn lines(&self) -> Option<Lines> {
        let Known::Tile(it) = self else { return None };
        let (rows, columns) = extent(it.part, it.sizes);
        let (count, dense) = if it.in_columns { (columns, rows) } else { (rows, columns) };
        let element_bytes = it.element.bytes();
        // A warp has a lane for each line.
        (count <= 32).then_some(Lines {
            count,
            bytes: dense * element_bytes,
            element_bytes,
            is_store: it.store,
            dense,
        })
    }

    /// Elements from one row, or column, of a tile to the next, where nothing is said.
    pub fn stride(&self) -> u32 {
        let Known::Tile(it) = self else { return 0 };
        let (rows, columns) = extent(it.part, it.sizes);
        if it.in_columns { rows } else { columns }
    }
}

impl Product {
    /// Words of 32 bits that a lane has of A, B, C or D.
    pub fn words(&self, part: usize) -> u32 {
        fragment(part, self.sizes, self.elements[part], self.tiles)
    }
}

fn extent(part: usize, [m, n, k]: [u32; 3]) -> (u32, u32) {
    match part {
        0 => (m, k),
        1 => (k, n),
        _ => (m, n),
    }
}

/// Words of a lane's part of A, B, or C and D.
fn fragment(part: usize, sizes: [u32; 3], element: Element, tiles: bool) -> u32 {
    let (rows, columns) = extent(part, sizes);
    match (tiles, part, element) {
        (true, 0 | 1, Element::F16) => 8,
        _ => rows * columns * element.bytes() / 128,
    }
}

fn element(word: &str) -> Option<Element> {
    Some(match word {
        "f16" => Element::F16,
        "bf16" => Element::BF16,
        "tf32" => Element::TF32,
        "f32" => Element::F32,
        "f64" => Element::F64,
        "s8" => Element::S8,
        "u8" => Element::U8,
        "s32" => Element::S32,
        _ => return None,
    })
}

/// `m16n8k16`
fn sizes(word: &str) -> Option<[u32; 3]> {
    let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}

/// A shape, two layouts, and the elements: as PTX has them (D, A, B, C), or as intrinsics do.
fn product(words: &[&str], tiles: bool) -> Option<Known> {
    let (shape, rest) = words.split_first()?;
    let column = |word: &str| match word {
        "row" => Some(false),
        "col" => Some(true),
        _ => None,
    };
    let [a, b, rest @ ..] = rest else { return None };
    let in_columns = [column(a)?, column(b)?];
    let saturates = rest.contains(&"satfinite");
    let named = rest.iter().filter(|it| **it != "satfinite").map(|it| element(it));
    let named: Vec<Element> = named.collect::<Option<_>>()?;
    use Element::{BF16, F16, F32, F64, S8, S32, TF32, U8};
    let elements = match named[..] {
        [d, a, b, c] => [a, b, c, d],
        // Of halves the sums are named, D first; else the factors.
        [d @ (F16 | F32), c @ (F16 | F32)] => [F16, F16, c, d],
        [a @ (S8 | U8), b @ (S8 | U8)] => [a, b, S32, S32],
        [both @ (S8 | U8)] => [both, both, S32, S32],
        [both @ (BF16 | TF32)] => [both, both, F32, F32],
        [F64] => [F64; 4],
        _ => return None,
    };
    let sizes = sizes(shape)?;
    let found = Product { tiles, sizes, elements, in_columns, saturates };
    exists(&found).then_some(Known::Product(found))
}

/// Whether there is such a product (PTX ISA, tables of 9.7.14), and it is known here.
fn exists(it: &Product) -> bool {
    use Element::{BF16, F16, F32, F64, S8, S32, TF32, U8};
    let [a, b, c, d] = it.elements;
    let sums = match (a, b) {
        (F16, F16) => matches!((c, d), (F16 | F32, F16 | F32)),
        (BF16, BF16) | (TF32, TF32) => (c, d) == (F32, F32),
        (S8 | U8, S8 | U8) => (c, d) == (S32, S32),
        (F64, F64) => (c, d) == (F64, F64),
        _ => false,
    };
    let shapes: &[[u32; 3]] = match (it.tiles, a) {
        (true, F16 | BF16 | S8 | U8) => &[[16, 16, 16], [32, 8, 16], [8, 32, 16]],
        (true, TF32) => &[[16, 16, 8]],
        (_, F64) => &[[8, 8, 4]],
        (false, F16 | BF16) => &[[16, 8, 8], [16, 8, 16]],
        (false, TF32) => &[[16, 8, 4], [16, 8, 8]],
        (false, S8 | U8) => &[[8, 8, 16], [16, 8, 16], [16, 8, 32]],
        _ => &[],
    };
    sums && shapes.contains(&it.sizes) && (it.tiles || it.in_columns == [false, true])
}

/// A shape, `a`, `b`, `c` or `d`, a layout, perhaps `stride` and a state space, and the element.
fn tile(words: &[&str], store: bool) -> Option<Known> {
    let (shape, rest) = words.split_first()?;
    let space = |it: &&&str| {
        !matches!(**it, "stride" | "shared" | "global" | "shared::cta") && !it.starts_with('p')
    };
    let rest: Vec<&str> = rest.iter().filter(space).copied().collect();
    let [part, layout, of] = rest[..] else { return None };
    let part = match (part, store) {
        ("a", false) => 0,
        ("b", false) => 1,
        ("c", false) | ("d", true) => 2,
        _ => return None,
    };
    let in_columns = match layout {
        "row" => false,
        "col" => true,
        _ => return None,
    };
    let (sizes, element) = (sizes(shape)?, element(of)?);
    let whole = sizes.iter().all(|it| matches!(it, 4 | 8 | 16 | 32));
    let found = Tile { part, store, sizes, element, in_columns };
    (whole && fragment(part, sizes, element, true) > 0).then_some(Known::Tile(found))
}

/// `m8n8`, how many, perhaps `trans`, a state space, and `b16`.
fn rows(name: &str, words: &[&str]) -> Option<Known> {
    let known = |it: &&str| {
        matches!(*it, "m8n8" | "x1" | "x2" | "x4" | "trans" | "shared" | "shared::cta" | "b16")
            || it.starts_with('p')
    };
    if !words.iter().all(known) || !words.contains(&"m8n8") || !words.contains(&"b16") {
        return None;
    }
    let count = match words.iter().find(|it| it.starts_with('x')) {
        Some(&"x2") => 2,
        Some(&"x4") => 4,
        _ => 1,
    };
    let does = match (name, words.contains(&"trans")) {
        ("ldmatrix", false) => Matrix::Load,
        ("ldmatrix", true) => Matrix::LoadTransposed,
        ("stmatrix", false) => Matrix::Store,
        ("stmatrix", true) => Matrix::StoreTransposed,
        ("movmatrix", true) => Matrix::Transpose,
        _ => return None,
    };
    Some(Known::Rows(does, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_are_the_same_instruction() {
        let pairs = [
            ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "mma.m16n8k16.row.col.f32.f32"),
            ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "mma.m16n8k8.row.col.tf32"),
            (
                "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32",
                "mma.m16n8k32.row.col.satfinite.s8.u8",
            ),
            (
                "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32",
                "wmma.m16n16k16.mma.row.col.f32.f32",
            ),
            (
                "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16",
                "wmma.m16n16k16.load.a.row.stride.f16.p3",
            ),
            (
                "wmma.store.d.sync.aligned.col.m8n32k16.f32",
                "wmma.m8n32k16.store.d.col.stride.f32.p0",
            ),
            (
                "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
                "ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3",
            ),
        ];
        for (ptx, intrinsic) in pairs {
            assert!(Known::parse(ptx).is_some(), "{ptx}");
            assert_eq!(Known::parse(ptx), Known::parse(intrinsic), "{ptx}");
        }
        let words = |name: &str| Known::parse(name).map(|it| it.words());
        assert_eq!(words("mma.m16n8k16.row.col.f32.f32"), Some((4 + 2 + 4, 4)));
        assert_eq!(words("mma.m16n8k16.row.col.f16.f16"), Some((4 + 2 + 2, 2)));
        assert_eq!(words("wmma.m16n16k16.mma.row.col.f32.f32"), Some((8 + 8 + 8, 8)));
        assert_eq!(words("wmma.m32n8k16.mma.row.col.s8"), Some((4 + 1 + 8, 8)));
    }

    #[test]
    fn what_is_not_known_is_not_taken_for_something_else() {
        for name in [
            "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
            "mma.m8n8k4.row.col.f32.f32",
            "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc",
            "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
            "mma.m16n8k16.col.col.f32.f32",
            "ldmatrix.sync.aligned.m16n16.x1.trans.b8",
            "wmma.load.a.sync.aligned.row.m8n8k128.b1",
        ] {
            assert_eq!(Known::parse(name), None, "{name}");
        }
    }
}
