//! What instructions compute (`tests/vectors`), as tasks: a kernel evaluates some rows of a file,
//! and says for each row which cases give something else than what is stored, and the first such
//! result.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use heddle_clang::Embedded;
use heddle_execute::gpu::{GpuOptions, compile};
use heddle_frontend::{CompileOptions, Input, Language, load_with};
use heddle_runtime::gpu::kit::{Given, Step, Tally, Task, Writer, hash};

use super::{Allowed, Contents, Expects, Prepared};
use crate::ptxas::toolkit;
use crate::vectors::{HEAD, MOST, OPERANDS, Row, buffers, files};

/// Rows of one task.
const ROWS: usize = 24;

/// Words of a row's outcome: its number, the cases that differ in two words, what the first of
/// these gave in two.
const WORDS: usize = 5;

/// Functions whose definitions are those of `libdevice`, by the start of their names: they are in a
/// kit that is made where `tools/install-deps --tests` has put it.
const OF_LIBDEVICE: &[&str] = &[
    "fdim",
    "fmod",
    "remainder",
    "nextafter",
    "ldexp",
    "scalb",
    "ilogb",
    "logb",
    "lrint",
    "llrint",
    "lround",
    "llround",
    "remquo",
    "__fsub_r",
    "__dsub_r",
];

/// Functions that neither PTX nor libdevice has.
const NOWHERE: [&str; 2] = ["scalbln", "scalblnf"];

fn needs_libdevice(row: &Row) -> bool {
    let rounds_to_nearest = row.name.ends_with("_rn");
    row.ptx.is_none()
        && !rounds_to_nearest
        && OF_LIBDEVICE.iter().any(|it| row.name.starts_with(it))
}

pub(crate) fn tasks(kit: &Writer, few: usize, named: &dyn Fn(&str) -> bool) -> Contents {
    let mut all = Contents { tasks: Vec::new(), left_out: Vec::new() };
    let mut chunks = Vec::new();
    let toolkit = toolkit();
    for mut file in files() {
        // What C++ leaves undefined is nothing to ask a compiler and a device for.
        for row in file.rows.iter_mut().filter(|it| it.ptx.is_none()) {
            row.cases.retain(|it| !it.open);
        }
        let nowhere = |it: &Row| NOWHERE.contains(&it.name.as_str());
        let why = "libdevice has none: CUDA's headers define it";
        let left = file.rows.iter().filter(|it| nowhere(it));
        all.left_out.extend(left.map(|it| format!("vectors {}: {why}", it.name)));
        file.rows.retain(|it| !nowhere(it));
        let (linked, own): (Vec<Row>, Vec<Row>) = file.rows.into_iter().partition(needs_libdevice);
        if toolkit.is_none() {
            let why = "its definition is libdevice's, which is not at hand";
            all.left_out.extend(linked.iter().map(|it| format!("vectors {}: {why}", it.name)));
        }
        // A task is of the same rows whether the others are there or not.
        let numbered = |rows: &[Row], what: &str| -> Vec<(String, Vec<Row>)> {
            let each = rows.chunks(ROWS).enumerate();
            each.map(|(n, rows)| (format!("{}{what} {n}", file.name), rows.to_vec())).collect()
        };
        chunks.extend(numbered(&own, ""));
        if toolkit.is_some() {
            chunks.extend(numbered(&linked, " of libdevice"));
        }
    }
    if few < chunks.len() {
        let mut taken = 0;
        chunks.retain(|(name, _)| {
            let is_linked = name.contains("libdevice");
            taken += usize::from(!is_linked);
            is_linked || taken <= 1
        });
    }
    for (name, rows) in chunks.into_iter().filter(|(name, _)| named(name)) {
        match one(kit, &name, &rows, toolkit.as_deref()) {
            Ok(task) => all.tasks.push(task),
            Err(why) => all.left_out.push(format!("vectors {name}: {why}")),
        }
    }
    all
}

/// A block compares a row, a thread a case.
pub(crate) fn kernel(rows: &[Row]) -> String {
    let mut text = format!(
        "{HEAD}extern \"C\" __global__ void vectors(const u64 *in, const u64 *expected, unsigned *out) {{\n  \
         __shared__ unsigned masks[2]; unsigned row = blockIdx.x, t = threadIdx.x, at = row * {MOST} + t;\n  \
         const u64 *x = in + {OPERANDS} * at; u64 r = 0;\n  switch (row) {{\n"
    );
    let operands: Vec<String> = (0..OPERANDS).map(|n| format!("x[{n}]")).collect();
    for (number, row) in rows.iter().enumerate() {
        let _written = writeln!(text, "  case {number}: r = {}; break;", row.expression(&operands));
    }
    let _written = write!(
        text,
        "  }}\n  unsigned bad = __ballot_sync(~0u, r != expected[at]);\n  \
         if (t % 32 == 0) masks[t / 32] = bad;\n  __syncthreads();\n  \
         unsigned *to = out + {WORDS} * row, first = masks[0] ? __ffs(masks[0]) - 1 : 31 + __ffs(masks[1]);\n  \
         if (t == 0) to[0] = row, to[1] = masks[0], to[2] = masks[1];\n  \
         if (t == first && (masks[0] | masks[1])) to[3] = (unsigned)r, to[4] = (unsigned)(r >> 32);\n}}\n"
    );
    text
}

fn one(kit: &Writer, name: &str, rows: &[Row], toolkit: Option<&Path>) -> Result<Prepared, String> {
    let text = kernel(rows);
    let (operands, results) = buffers(rows);
    // Both are what the task is made of.
    let of = hash(&[text.as_bytes(), operands.as_slice(), results.as_slice()].concat());
    let input = Input::memory("<vectors>", text).with_language(Language::Cuda);
    let options = CompileOptions { arch: "sm_70".to_owned(), ..CompileOptions::default() };
    let prepared = load_with(&input, &options, &Embedded).map_err(|error| error.to_string())?;
    let options = GpuOptions {
        arch: options.arch,
        toolkit: toolkit.filter(|_| rows.iter().any(needs_libdevice)).map(Path::to_owned),
        kernel: None,
    };
    let code = compile(&prepared, None, &options).map_err(|error| error.to_string())?;
    let blob = |bytes: &[u8]| kit.blob(bytes).map_err(|error| error.to_string());
    let key = hash(format!("vectors {name}").as_bytes());
    let word = |n: usize| (2, 4 * n, 4 * WORDS);
    let task = Task {
        step: Step::Vectors,
        name: name.to_owned(),
        of,
        ptx: blob(format!("// kit {key}\n{}", code.ptx).as_bytes())?,
        kernel: "vectors".to_owned(),
        grid: [rows.len() as u32, 1, 1],
        block: [MOST as u32, 1, 1],
        dynamic_shared: 0,
        buffers: vec![blob(&operands)?, blob(&results)?, blob(&vec![0; 4 * WORDS * rows.len()])?],
        arguments: vec![Given::Buffer(0), Given::Buffer(1), Given::Buffer(2)],
        variables: Vec::new(),
        shift: 2,
        bounds: false,
        sites: 0,
        timeout: 2_000,
        runs: 1,
        delays: false,
        until_found: false,
        tally: Some(Tally {
            instances: rows.len(),
            words: (0..WORDS).map(word).collect(),
            flags: Vec::new(),
        }),
        memory: None,
    };
    // No case of a row that there is differs.
    let count = rows.len() as u32;
    let same = move |words: &[u32]| words[0] < count && words[1..].iter().all(|it| *it == 0);
    let expects = Expects::Allowed(Allowed(Arc::new(same), vec![0; WORDS]));
    Ok(Prepared { task, expects })
}
