//! Whose lines a report may show.
//!
//! A source is not trusted: `#line 1 "/etc/passwd"` names a file that nobody compiled, `#include
//! "/etc/shadow"` one that is not the project's. A report goes where its reader is, which may be
//! further than the files of the machine should go.
//!
//! A file's lines are shown if the compiler read it as source and it is **the project's** (in the
//! repository or folder of the input, or with a name of source code in the current folder), or a
//! **header** (by its name) in a folder that is searched for headers: one of the include options,
//! the toolkit, the system's. Where a file is, its links say, followed to their end. Of IR the
//! compiler read nothing here, so the files that its debug info names stand for those.
//!
//! **Does not**: keep such files from being read, or what they define from being used; hide names.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use heddle_diagnostics::SourceMap;
use heddle_frontend::CompileOptions;

use crate::home::{real, top};
use crate::source::Source;

/// Whose lines may be shown of what one source is made of.
#[derive(Clone, Debug, Default)]
pub struct Visible {
    /// Folders in which every file counts.
    own: Vec<PathBuf>,
    /// Folders in which files count that are named as source code is.
    sources: Vec<PathBuf>,
    /// The folder that relative names belong to.
    here: PathBuf,
    /// Folders whose files may be embedded: the project's, or where a text has no file the current
    /// one.
    embeds: Vec<PathBuf>,
    /// The compiler that runs is the user's own, and so are all its sources.
    all_sources: bool,
}

/// Where compilers and distributions keep headers.
const SYSTEM: [&str; 5] =
    ["/usr/include", "/usr/lib", "/usr/local/include", "/usr/local/cuda", "/opt"];

/// The options that name a folder of headers.
const FOLDERS: [&str; 5] = ["-isystem", "-iquote", "-idirafter", "-cxx-isystem", "-I"];

impl Visible {
    /// What counts for this source, compiled in this way.
    pub(crate) fn of(source: &Source, options: &CompileOptions) -> Visible {
        let current = std::env::current_dir().unwrap_or_default();
        let here = options.directory.clone().unwrap_or_else(|| current.clone());
        let (file, all_sources) = match source {
            Source::File(path) => (Some(current.join(path)), false),
            // The file of a unit was named by the project, and counts where its name is that of a
            // source.
            Source::Unit(unit) => (Some(unit.path.clone()).filter(|it| is_source(it)), false),
            Source::Text { .. } => (None, false),
            Source::Host { .. } => (None, true),
        };
        let mut own = Vec::new();
        if let Some(file) = file.and_then(|it| it.canonicalize().ok())
            && let Some(folder) = file.parent()
        {
            own.push(top(folder));
        }
        let mut embeds = own.clone();
        if let Source::Text { .. } = source {
            embeds.push(current.clone());
        }
        let mut sources: Vec<_> = SYSTEM.iter().map(PathBuf::from).collect();
        sources.push(current);
        sources.extend(options.cuda_path.iter().map(|it| here.join(it)));
        sources.extend(include_folders(&options.clang_args).map(|it| here.join(it)));
        let (own, sources, embeds) = (real(own), real(sources), real(embeds));
        Visible { own, sources, here, embeds, all_sources }
    }

    /// The same, with more arguments for clang.
    pub(crate) fn also_in(&mut self, arguments: &[OsString]) {
        let folders = include_folders(arguments).map(|it| self.here.join(it)).collect();
        self.sources.extend(real(folders));
    }

    /// What counts of files that nobody here compiled: those of the project of this folder.
    pub fn of_folder(folder: &Path) -> Visible {
        let own = folder.canonicalize().map(|it| top(&it)).into_iter().collect();
        Visible { own: real(own), here: folder.to_owned(), ..Visible::default() }
    }

    /// Whether lines of this file may be shown.
    pub(crate) fn shows(&self, path: &Path) -> bool {
        let Ok(file) = self.here.join(path).canonicalize() else { return false };
        let within = |folders: &[PathBuf]| folders.iter().any(|it| file.starts_with(it));
        within(&self.own) || (is_source(&file) && (self.all_sources || within(&self.sources)))
    }

    /// The same options, where only files of the project may be embedded.
    pub(crate) fn embedding(&self, options: &CompileOptions) -> CompileOptions {
        CompileOptions { embeds: Some(self.embeds.clone()), ..options.clone() }
    }

    /// Lets the map read those of the files whose lines may be shown, and tells it of all that they
    /// were read.
    pub fn admit(&self, files: &[PathBuf], map: &SourceMap) {
        self.tell_read(files, map);
        for path in files.iter().filter(|path| self.shows(path)) {
            map.admit(self.here.join(path));
        }
    }

    /// Tells the map of files that they were read.
    pub(crate) fn tell_read(&self, files: &[PathBuf], map: &SourceMap) {
        files.iter().for_each(|path| map.was_read(self.here.join(path)));
    }

    /// A text of clang's without lines of files that do not count. What it says about a place in
    /// such a file goes too, for it quotes the file's words. Lines of source look like anything, a
    /// place or a message too: where one file does not count, only what surely is none stays.
    pub(crate) fn redacted(&self, text: &str) -> String {
        let hides = |line: &str| match self.line(line) {
            Line::Hidden(..) | Line::Unknown => true,
            Line::Shown | Line::Nowhere | Line::Message | Line::Count | Line::Source => false,
        };
        if !text.lines().any(hides) {
            return text.to_owned();
        }
        let (mut out, mut is_hidden) = (String::new(), false);
        for line in text.lines() {
            match self.line(line) {
                Line::Hidden(path, place) => {
                    let kind = ["fatal error: ", "error: ", "warning: ", "note: "];
                    let kind = kind.iter().find(|kind| line.contains(**kind)).unwrap_or(&"");
                    out += &format!("{path}{place}: {kind}not shown: {OUTSIDE}\n");
                    is_hidden = true;
                }
                Line::Shown => {
                    out += &format!("{line}\n");
                    is_hidden = false;
                }
                Line::Count => out += &format!("{line}\n"),
                Line::Message if !is_hidden => out += &format!("{line}\n"),
                Line::Nowhere if !is_hidden && line.starts_with('<') => out += &format!("{line}\n"),
                Line::Message | Line::Nowhere | Line::Unknown | Line::Source => {}
            }
        }
        out
    }

    /// What a line of clang's is. A name may hold what looks like a place, so that any part of the
    /// line may be its name.
    fn line<'a>(&self, line: &'a str) -> Line<'a> {
        if is_count(line) {
            return Line::Count;
        }
        if line.is_empty() || line.starts_with(char::is_whitespace) {
            return Line::Source;
        }
        let places: Vec<_> = places(line).collect();
        let exists = |path: &str| self.here.join(path).exists();
        let hidden = |(path, _): &&(&str, &str)| exists(path) && !self.shows(Path::new(path));
        if let Some((path, place)) = places.iter().find(hidden) {
            return Line::Hidden(path, place);
        }
        match places.first() {
            Some(_) if places.iter().any(|(path, _)| exists(path)) => Line::Shown,
            Some(_) => Line::Nowhere,
            None if MESSAGES.iter().any(|it| line.starts_with(it)) => Line::Message,
            // Of a file as a whole.
            None if of_file(line).is_some_and(|it| self.shows(Path::new(it))) => Line::Shown,
            None if of_file(line).is_some_and(|it| it == "-" || it.starts_with('<')) => {
                Line::Message
            }
            None => Line::Unknown,
        }
    }
}

/// Why a text is not shown.
const OUTSIDE: &str = "the file is neither the project's nor a header in an include folder";

/// What lines begin with that say something of no place.
const MESSAGES: [&str; 6] =
    ["clang", "fatal error: ", "error: ", "warning: ", "note: ", "remark: "];

/// What a line of clang's text is.
enum Line<'a> {
    /// Said of a place in a file that does not count: the file, and the rest of the place.
    Hidden(&'a str, &'a str),
    /// Said of a place in a file that counts.
    Shown,
    /// Said of a place in no file that is there: the command line, what `#line` makes up.
    Nowhere,
    /// Said of no place.
    Message,
    /// How many messages there are.
    Count,
    /// A line of source with its number, or marks under one: clang indents both.
    Source,
    /// Anything else: a line of source without a number, the rest of a name with a line break.
    Unknown,
}

/// What may be a file and the rest of the place, of a line that begins with one: `k.cu:3:7: error:
/// …`, `In file included from k.cu:3:`.
fn places(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let text = line.strip_prefix("In file included from ").unwrap_or(line);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    text.match_indices(':').filter_map(move |(colon, _)| {
        let (path, rest) = (&text[..colon], &text[colon + 1..]);
        let row = digits(rest);
        if row == 0 || path.is_empty() || !rest[row..].starts_with([':', ',']) {
            return None;
        }
        let column = rest[row..].strip_prefix(':').map_or(0, digits);
        let end = colon + 1 + row + if column > 0 { 1 + column } else { 0 };
        Some((path, &text[colon..end]))
    })
}

/// The file that a message without a line is about.
fn of_file(line: &str) -> Option<&str> {
    let kinds = ["warning: ", "error: ", "fatal error: ", "note: "];
    let at = kinds.iter().filter_map(|kind| line.find(&format!(": {kind}"))).min()?;
    Some(&line[..at])
}

/// `1 warning and 2 errors generated.`
fn is_count(line: &str) -> bool {
    let Some(counted) = line.strip_suffix(" generated.").or_else(|| {
        // Of a compilation for several targets.
        let (counted, target) =
            line.strip_suffix('.')?.split_once(" generated when compiling for ")?;
        target.chars().all(|it| it.is_alphanumeric() || it == '_').then_some(counted)
    }) else {
        return false;
    };
    counted.split(" and ").all(|it| {
        it.split_once(' ').is_some_and(|(count, what)| {
            count.bytes().all(|it| it.is_ascii_digit())
                && ["warning", "warnings", "error", "errors"].contains(&what)
        })
    })
}

fn include_folders(arguments: &[OsString]) -> impl Iterator<Item = &str> {
    let mut words = arguments.iter().filter_map(|it| it.to_str());
    std::iter::from_fn(move || {
        loop {
            let word = words.next()?;
            let Some(name) = FOLDERS.into_iter().find(|name| word.starts_with(name)) else {
                continue;
            };
            let joined = &word[name.len()..];
            return if joined.is_empty() { words.next() } else { Some(joined) };
        }
    })
}

/// Whether a file's name is one of source code. Headers of the C++ library have names without a
/// dot, in folders that say so.
fn is_source(path: &Path) -> bool {
    const NAMES: [&str; 24] = [
        "c", "cc", "cl", "clcpp", "clh", "cpp", "cu", "cuh", "cxx", "def", "h", "hh", "hip", "hpp",
        "hu", "hxx", "i", "impl", "inc", "inl", "ipp", "tcc", "tpp", "ll",
    ];
    match path.extension().and_then(|it| it.to_str()) {
        Some(name) => NAMES.contains(&name),
        None => {
            let of_library = |it: &Path| it.starts_with("/usr/include/c++");
            of_library(path) || path.components().any(|it| it.as_os_str() == "cuda_wrappers")
        }
    }
}
