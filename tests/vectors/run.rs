//! Runs, interpretations and foldings of the vectors: each gives what is stored, or says that it
//! does not know.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

use heddle_driver::Source;
use heddle_driver::dynamic::{Buffer, Checks, RunOptions, run};
use heddle_frontend::{CompileOptions, Input, Language};
use heddle_interp::{Contents, Ignore, Launch, Session};
use heddle_ir::{AccessKind, Item, Kernel, OpKind};

use crate::data::{File, HEAD, MOST, OPERANDS, Row, buffers, files};

/// Instructions that runs refuse, by their names, by the words before the types.
const REFUSED: &[&str] =
    &["sad.", "mul24.", "mad24.", "cnot.", "bfind.", "prmt.", "dp4a.", "dp2a."];

/// Functions that runs refuse.
const REFUSED_FUNCTIONS: &[&str] = &["__fns"];

/// Whether runs refuse an instruction: besides those above, each on floats that rounds in a
/// direction (`add.rz.f32`), but for conversions to whole numbers (`rzi`).
fn is_refused(row: &Row) -> bool {
    let directed = [".rz.", ".rp.", ".rm."].iter().any(|it| row.name.contains(it));
    match &row.ptx {
        Some(_) => directed || REFUSED.iter().any(|it| row.name.starts_with(it)),
        None => REFUSED_FUNCTIONS.contains(&row.name.as_str()),
    }
}

fn source(text: &str) -> Source {
    let bytes = text.as_bytes().to_vec();
    Source::Text { name: "<vectors>".to_owned(), bytes, language: Some(Language::Cuda) }
}

/// A kernel whose block computes a row, and whose thread a case: from `in`, [`OPERANDS`] words
/// each, to `out`.
fn kernel(rows: &[Row]) -> String {
    let mut text = format!(
        "{HEAD}extern \"C\" __global__ void vectors(const u64 *in, u64 *out) {{\n  \
        unsigned at = blockIdx.x * {MOST} + threadIdx.x; const u64 *x = in + {OPERANDS} * at; u64 r = 0;\n  switch (blockIdx.x) {{\n"
    );
    let operands: Vec<String> = (0..OPERANDS).map(|n| format!("x[{n}]")).collect();
    for (number, row) in rows.iter().enumerate() {
        let _written = writeln!(text, "  case {number}: r = {}; break;", row.expression(&operands));
    }
    text + "  }\n  out[at] = r;\n}\n"
}

/// A kernel that stores what the first cases of each row give, as constants to be folded, and what
/// each of the stores is to be.
fn constants(rows: &[Row], each: usize) -> (String, Vec<(String, u64)>) {
    let mut text = format!("{HEAD}extern \"C\" __global__ void vectors(volatile u64 *out) {{\n");
    let mut results = Vec::new();
    for row in rows {
        for case in row.cases.iter().filter(|it| !it.open).take(each) {
            let operands: Vec<String> =
                case.operands.iter().map(|it| format!("{it:#x}ull")).collect();
            let _written =
                writeln!(text, "  out[{}] = {};", results.len(), row.expression(&operands));
            results.push((format!("{} of {:x?}", row.name, case.operands), case.result));
        }
    }
    (text + "}\n", results)
}

/// What a run leaves in `out`.
fn ran(name: &str, rows: &[Row]) -> Result<Vec<u8>, String> {
    let (operands, _) = buffers(rows);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("vectors_{name}_{}", std::process::id()));
    std::fs::write(&path, operands).expect("the folder is cargo's for tests");
    let parse = |text: String| text.parse::<Buffer>().expect("a buffer");
    let options = RunOptions {
        grid: [rows.len() as u32, 1, 1],
        block: [MOST as u32, 1, 1],
        buffers: vec![
            parse(format!("in=u64:file:{}", path.display())),
            parse(format!("out=u64[{}]:zeros", rows.len() * MOST)),
        ],
        checks: Checks::Off,
        ..RunOptions::default()
    };
    let outcome =
        run(&source(&kernel(rows)), &options, &heddle_clang::Embedded).expect("a current folder");
    let _gone = std::fs::remove_file(&path);
    let told: Vec<String> = outcome.report.findings().map(|it| it.message.clone()).collect();
    match outcome.buffer("out") {
        Some(bytes) if told.is_empty() => Ok(bytes.to_vec()),
        Some(_) | None => Err(told.join("; ")),
    }
}

/// The rows whose results are not those that are stored, with the first that is another.
fn differences(rows: &[Row], got: &dyn Fn(usize) -> Option<u64>, wrong: &mut Vec<String>) -> usize {
    let mut known = 0;
    for (number, row) in rows.iter().enumerate() {
        let bad = |(place, case): (usize, &crate::data::Case)| {
            let found = got(number * MOST + place)?;
            (found != case.result).then(|| {
                format!(
                    "{} of {:x?} is {found:x}, and not {:x}",
                    row.name, case.operands, case.result
                )
            })
        };
        wrong.extend(row.cases.iter().enumerate().find_map(bad));
        known += (0..row.cases.len()).filter(|it| got(number * MOST + it).is_some()).count();
    }
    known
}

fn none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn runs_give_what_is_stored() {
    let (mut wrong, mut known) = (Vec::new(), 0);
    for File { name, mut rows } in files() {
        rows.retain(|it| !is_refused(it));
        match ran(&name, &rows) {
            Err(why) => wrong.push(format!("{name}: {why}")),
            Ok(bytes) => {
                let word =
                    |at: usize| bytes[at * 8..at * 8 + 8].try_into().map(u64::from_le_bytes).ok();
                known += differences(&rows, &word, &mut wrong);
            }
        }
    }
    none(&wrong);
    assert!(known > 12_000, "{known}");
}

#[test]
fn what_runs_do_not_know_they_refuse_by_name() {
    let mut wrong = Vec::new();
    // One of each kind: all of a kind take the same way.
    let mut kinds = BTreeSet::new();
    for row in files().into_iter().flat_map(|it| it.rows).filter(is_refused) {
        let kind = row.name.split('.').next().unwrap_or_default().to_owned();
        if !kinds.insert(kind) {
            continue;
        }
        match ran("refused", std::slice::from_ref(&row)) {
            Ok(_) => wrong.push(format!("{} runs now", row.name)),
            Err(why) if why.contains(row.name.trim_start_matches('_')) => {}
            Err(why) => wrong.push(format!("{}: {why}", row.name)),
        }
    }
    none(&wrong);
    assert!(kinds.len() > 10, "{kinds:?}");
}

/// The rows of each file: one in eight of them, or all where `HEDDLE_VECTORS=all`.
fn sampled() -> Vec<Vec<Row>> {
    let all = std::env::var("HEDDLE_VECTORS").is_ok_and(|it| it == "all");
    let of = |file: File| file.rows.into_iter().step_by(if all { 1 } else { 8 }).collect();
    files().into_iter().map(of).collect()
}

fn lifted(text: &str) -> Kernel {
    let input = Input::memory("<vectors>", text.as_bytes()).with_language(Language::Cuda);
    let prepared = heddle_frontend::load(&input, &CompileOptions::default()).expect("it compiles");
    let function = prepared.module.function(&prepared.kernels[0].name).expect("it was there");
    heddle_lift::lift(&prepared.module, function).expect("it lifts")
}

#[test]
fn the_interpreter_gives_what_is_stored_or_nothing() {
    let (mut wrong, mut known, mut all) = (Vec::new(), 0, 0);
    for rows in sampled() {
        for rows in rows.chunks(24) {
            let kernel = lifted(&kernel(rows));
            let of = |name: &str| kernel.objects.iter().find(|it| it.1.name == name).map(|it| it.0);
            let (operands, _) = buffers(rows);
            let mut launch = Launch::new(&kernel, [rows.len() as u32, 1, 1], [MOST as u32, 1, 1]);
            if let Some(input) = of("in") {
                launch.buffers.insert(input, Contents::of_bytes(operands));
            }
            let output = of("out").expect("it stores there");
            let mut session = Session::new(&kernel, &launch).expect("it can be launched");
            let mut got = vec![None; rows.len() * MOST];
            for block in 0..rows.len() {
                // A block that stops has said that it does not know.
                if session.run_block([block as u32, 0, 0], &mut Ignore, &mut 10_000_000).is_err() {
                    continue;
                }
                for (place, word) in got.iter_mut().enumerate().skip(block * MOST).take(MOST) {
                    *word = session.global(output, place as u64 * 8, 8).map(|it| it as u64);
                }
            }
            all += rows.iter().map(|it| it.cases.len()).sum::<usize>();
            known += differences(rows, &|at| got[at], &mut wrong);
        }
    }
    none(&wrong);
    assert!(known * 6 > all, "it knows {known} of {all}");
}

#[test]
fn constants_fold_to_what_is_stored_or_to_nothing() {
    let (mut wrong, mut known, mut all) = (Vec::new(), 0, 0);
    for rows in sampled() {
        for rows in rows.chunks(60) {
            let (text, results) = constants(rows, 3);
            let kernel = lifted(&text);
            let mut stored = Vec::new();
            for item in &kernel.body.items {
                let Item::Op(op) = item else { continue };
                let OpKind::Access(access) = &kernel[*op].kind else { continue };
                if let AccessKind::Store(values) = &access.kind {
                    stored.push(kernel.exprs.as_const(values[0]));
                }
            }
            assert_eq!(stored.len(), results.len(), "{text}");
            for ((name, result), stored) in results.iter().zip(stored) {
                all += 1;
                known += usize::from(stored.is_some());
                if stored.is_some_and(|it| it != u128::from(*result)) {
                    wrong.push(format!("{name}: {stored:x?}, and not {result:x}"));
                }
            }
        }
    }
    none(&wrong);
    assert!(known * 6 > all, "{known} of {all}");
}
