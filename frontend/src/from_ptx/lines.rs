//! Locations: those of `.loc`, with what was inlined where, or lines of the file itself.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use super::body::{Body, Line, Step, What};
use super::file::{File, Function};
use heddle_lift::symbol::demangled;

/// A chain of inlined calls deeper than this is cut.
const DEEPEST: usize = 64;

/// Metadata of a module while its functions are written.
pub(super) struct Lines<'a> {
    file: &'a File,
    /// Where each line of the text starts: characters, from 1.
    starts: &'a [usize],
    text: String,
    next: usize,
    /// By path.
    files: FxHashMap<String, usize>,
    /// By name: functions that were inlined.
    inlined: FxHashMap<String, usize>,
    /// By text of the node.
    known: FxHashMap<String, usize>,
    subprograms: Vec<usize>,
    /// Of the present function.
    own: Own,
}

#[derive(Default)]
struct Own {
    subprogram: usize,
    file: usize,
    /// The scope of lines of the text, where `.loc` says others.
    text_scope: usize,
    /// `.loc`s so far.
    met: Vec<Line>,
    current: Option<usize>,
    has_lines: bool,
}

/// Where each line starts: characters, from 1.
pub(super) fn starts(text: &str) -> Vec<usize> {
    let mut starts = vec![1];
    starts.extend(text.chars().enumerate().filter(|(_, c)| *c == '\n').map(|(n, _)| n + 2));
    starts
}

impl<'a> Lines<'a> {
    /// For a text of this name.
    pub(super) fn new(name: &str, starts: &'a [usize], file: &'a File) -> Lines<'a> {
        let mut lines = Lines {
            file,
            starts,
            // 0 to 2 are the unit, the version and the flag; 3 is the text itself.
            text: String::new(),
            next: 3,
            files: FxHashMap::default(),
            inlined: FxHashMap::default(),
            known: FxHashMap::default(),
            subprograms: Vec::new(),
            own: Own::default(),
        };
        lines.path(name);
        lines
    }

    /// The metadata of the module.
    pub(super) fn finish(self) -> String {
        format!(
            "!llvm.dbg.cu = !{{!0}}\n!llvm.module.flags = !{{!1}}\n\
             !0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !3, \
             producer: \"ptx\", isOptimized: true, runtimeVersion: 0, \
             emissionKind: LineTablesOnly)\n\
             !1 = !{{i32 2, !\"Debug Info Version\", i32 3}}\n!2 = !DISubroutineType(types: !{{}})\n{}",
            self.text
        )
    }

    fn node(&mut self, text: &str) -> usize {
        let n = self.next;
        self.next += 1;
        // Writing into a text cannot fail.
        let _written = writeln!(self.text, "!{n} = {text}");
        n
    }

    fn shared_node(&mut self, text: &str) -> usize {
        if let Some(known) = self.known.get(text) {
            return *known;
        }
        let n = self.node(text);
        self.known.insert(text.to_owned(), n);
        n
    }

    fn path(&mut self, path: &str) -> usize {
        if let Some(known) = self.files.get(path) {
            return *known;
        }
        let n = self.node(&format!("!DIFile(filename: \"{}\", directory: \"\")", quoted(path)));
        self.files.insert(path.to_owned(), n);
        n
    }

    /// The file of a number, or the text.
    fn numbered(&mut self, number: u64) -> usize {
        match self.file.files.get(&number).cloned() {
            Some(path) => self.path(&path),
            None => 3,
        }
    }

    fn line_of(&self, at: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|it| *it <= at).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(1);
        (line, at.saturating_sub(start) + 1)
    }

    /// Starts a function: what its definition says of its lines.
    pub(super) fn function(&mut self, function: &Function, body: &Body) -> String {
        let first = body.steps.iter().find_map(|it| match &it.what {
            What::Line(line) if line.inlined_at.is_none() => Some(line.spot),
            What::Line(_) | What::Instruction(_) | What::Nothing => None,
        });
        let (file, line) = match first {
            Some([file, line, _]) => (self.numbered(file), line as usize),
            None => (3, self.line_of(function.span.start).0),
        };
        let subprogram = self.subprogram(&function.name, file, line);
        let text_scope = match file {
            3 => subprogram,
            _ => self.node(&format!(
                "!DILexicalBlockFile(scope: !{subprogram}, file: !3, discriminator: 0)"
            )),
        };
        let has_lines = first.is_some();
        self.own = Own { subprogram, file, text_scope, has_lines, met: Vec::new(), current: None };
        format!(" !dbg !{subprogram}")
    }

    fn subprogram(&mut self, name: &str, file: usize, line: usize) -> usize {
        let (shown, linkage) = (quoted(&demangled(name)), quoted(name));
        let node = self.node(&format!(
            "distinct !DISubprogram(name: \"{shown}\", linkageName: \"{linkage}\", scope: !{file}, \
             file: !{file}, line: {line}, type: !2, scopeLine: {line}, \
             spFlags: DISPFlagDefinition, unit: !0)"
        ));
        self.subprograms.push(node);
        node
    }

    /// What follows an instruction before all steps.
    pub(super) fn entry(&mut self) -> String {
        String::new()
    }

    /// What follows the instructions of a step.
    pub(super) fn place(&mut self, step: &Step) -> String {
        if let What::Line(line) = &step.what {
            self.own.current = Some(self.own.met.len());
            self.own.met.push(line.clone());
            return String::new();
        }
        let current = self.own.current.filter(|_| self.own.has_lines);
        let node = match current {
            Some(n) => self.location(n, 0),
            None => {
                let (line, column) = self.line_of(step.at);
                let scope = self.own.text_scope;
                self.shared_node(&location(line as u64, column as u64, scope))
            }
        };
        format!(", !dbg !{node}")
    }

    /// The location of the n-th `.loc`.
    fn location(&mut self, n: usize, depth: usize) -> usize {
        let Line { spot: [file, line, column], function, inlined_at } = self.own.met[n].clone();
        let file = self.numbered(file);
        let Some(caller) = inlined_at.filter(|_| depth < DEEPEST) else {
            let scope = self.scope(self.own.subprogram, self.own.file, file);
            return self.shared_node(&location(line, column, scope));
        };
        let name = function.map(|label| {
            let text = self.file.strings.get(&label);
            text.cloned().unwrap_or_else(|| label.trim_start_matches('$').to_owned())
        });
        let name = name.unwrap_or_else(|| "inlined".to_owned());
        let callee = match self.inlined.get(&name) {
            Some(known) => *known,
            None => {
                let made = self.subprogram(&name, file, line as usize);
                self.inlined.insert(name, made);
                made
            }
        };
        // The call was named by a `.loc` before, with where it was inlined itself.
        let before = self.own.met[..n].iter().rposition(|it| it.spot == caller);
        let at = match before {
            Some(before) => self.location(before, depth + 1),
            None => {
                let [file, line, column] = caller;
                let file = self.numbered(file);
                let scope = self.scope(self.own.subprogram, self.own.file, file);
                self.shared_node(&location(line, column, scope))
            }
        };
        let scope = self.shared_node(&format!(
            "!DILexicalBlockFile(scope: !{callee}, file: !{file}, discriminator: 0)"
        ));
        self.shared_node(&format!(
            "!DILocation(line: {line}, column: {}, scope: !{scope}, inlinedAt: !{at})",
            short(column)
        ))
    }

    /// A scope of a function whose lines are of another file.
    fn scope(&mut self, subprogram: usize, own: usize, file: usize) -> usize {
        match file == own {
            true => subprogram,
            false => self.shared_node(&format!(
                "!DILexicalBlockFile(scope: !{subprogram}, file: !{file}, discriminator: 0)"
            )),
        }
    }
}

fn location(line: u64, column: u64, scope: usize) -> String {
    let line = line.min(u64::from(u32::MAX));
    format!("!DILocation(line: {line}, column: {}, scope: !{scope})", short(column))
}

/// Columns of LLVM have 16 bits.
fn short(column: u64) -> u64 {
    if column > u64::from(u16::MAX) { 0 } else { column }
}

/// A text between the quotes of IR.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | 0..=31 | 127..=255 => {
                let _written = write!(out, "\\{byte:02X}");
            }
            _ => out.push(char::from(byte)),
        }
    }
    out
}
