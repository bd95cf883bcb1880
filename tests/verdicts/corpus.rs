//! The kernels of `tests/kernels` that parse: what mutants are made of, and what the evaluator is
//! tested with.

use std::path::{Path, PathBuf};

use crate::case::{Case, Size};
use crate::parse::parse;
use crate::syntax::{Expr, Language};

/// A file of the corpus, read.
pub(crate) struct Read {
    pub(crate) path: PathBuf,
    /// The verdict of its name.
    pub(crate) verdict: String,
    pub(crate) case: Result<Case, String>,
}

/// All files, in a fixed order.
pub(crate) fn corpus() -> Vec<Read> {
    let mut paths = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels");
    for topic in entries(&root) {
        if topic.is_dir() {
            paths.extend(entries(&topic));
        }
    }
    paths.sort();
    let source = |path: &PathBuf| path.extension().is_some_and(|it| it == "cu" || it == "cl");
    paths.into_iter().filter(source).map(read).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("tests/kernels is there");
    entries.flatten().map(|it| it.path()).collect()
}

fn read(path: PathBuf) -> Read {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let verdict = name.split('_').next().unwrap_or_default().to_owned();
    let text = std::fs::read_to_string(&path).expect("a kernel");
    let language = if name.ends_with(".cl") { Language::OpenCl } else { Language::Cuda };
    let case = read_case(&text, language, &name);
    Read { path, verdict, case }
}

/// Conditions on what arrays hold.
const ARRAY_RULES: [&str; 4] = ["injective(", "range(", "sorted(", "ascending("];

/// A case from a text with a `launch:` line.
pub(crate) fn read_case(text: &str, language: Language, origin: &str) -> Result<Case, String> {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("// launch:"));
    let line = line.ok_or("no launch")?;
    let program = parse(text, language)?;
    let mut case = Case {
        program,
        grid: Size::Known([1; 3]),
        block: Size::Known([1; 3]),
        args: Vec::new(),
        assumed: Vec::new(),
        origin: origin.to_owned(),
    };
    for token in tokens(line) {
        let (name, value) = token.split_once('=').ok_or(format!("launch {token}"))?;
        match name {
            "grid" => case.grid = Size::parse(value).ok_or("grid")?,
            "block" => case.block = Size::parse(value).ok_or("block")?,
            // What arrays hold is not made up by the runs.
            "assume" if ARRAY_RULES.iter().any(|it| value.contains(it)) => {
                return Err(format!("launch {name}"));
            }
            "assume" => case.assumed.push(condition(value)?),
            "passes" if value.contains("race") => {}
            "passes" | "cluster" | "blocks" | "assume-progress" | "global-offset" => {
                return Err(format!("launch {name}"));
            }
            _ => case.args.push((name.to_owned(), value.parse().map_err(|_| "arg")?)),
        }
    }
    Ok(case)
}

/// A condition as on the command line.
pub(crate) fn condition(text: &str) -> Result<Expr, String> {
    let program = parse(&format!("__global__ void k() {{ ({text}); }}"), Language::Cuda)?;
    match program.kernel.body.first() {
        Some(crate::syntax::Stmt::Expr(expr)) => Ok(expr.clone()),
        _ => Err("condition".to_owned()),
    }
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut token = String::new();
    let mut quoted = false;
    for c in text.chars().chain([' ']) {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => tokens.push(std::mem::take(&mut token)),
            c => token.push(c),
        }
    }
    tokens.retain(|it| !it.is_empty());
    tokens
}
