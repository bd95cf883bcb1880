//! `heddle.toml`: what a project says once instead of on each command line.
//!
//! ```toml
//! fail-on = "unknown"              # never, launched, refuted, unknown or warning
//! arch = "sm_90"
//! passes = ["intra-block-race"]    # all but `bounds` if left out
//! check-bounds = true              # `bounds` as well
//! benign = "error"                 # or note
//! include = ["include"]            # folders, from where this file is
//! clang-args = ["-DTILE=32"]
//! exclude = ["third_party/**"]     # files, from where this file is
//! baseline = "heddle-baseline.json"
//!
//! [severity]
//! HD0103 = "error"                 # ignore, note, warning or error; a code, its name, or `unknown`
//!
//! [launch]                         # all kernels
//! block = 256                      # or [16, 16], or "any"
//! assume = ["n % 16 == 0"]
//!
//! [[kernel]]                       # those whose name fits; a later table counts more
//! name = "matmul*"
//! block = [16, 16]
//! grid = 64
//! args = { n = 1024 }
//! dynamic-shared = 4096
//! global-offset = 64               # OpenCL's, or "any"
//! sizes = { out = "n * m" }        # elements of buffers; checks `bounds`
//! ```
//!
//! **Promises**: a key that is not known is an error with its line and with what is known. The
//! command line counts more.
//! **Does not**: follow other files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glob::Pattern;
use heddle_diagnostics::FailOn;
use heddle_diagnostics::policy::Levels;
use heddle_passes::launch::GlobalOffset;
use serde::Deserialize;
use toml::Spanned;

use crate::names;
use crate::options::{Argument, BufferElements, CheckOptions, LaunchOptions, LaunchRule, Size};
use crate::project::NOT_ALLOWED;
use crate::project::allowed;
use crate::visible::Visible;

/// The name of the file.
const NAME: &str = crate::home::SETTINGS;

/// A project's file, read.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Where it is; relative paths in it start at its folder.
    pub path: PathBuf,
    /// Severities by code.
    pub levels: Levels,
    /// What makes a run fail.
    pub fail_on: Option<FailOn>,
    /// The passes to run.
    pub passes: Vec<String>,
    /// The pass `bounds` runs as well.
    pub check_bounds: bool,
    /// Several threads that store the same value race.
    pub benign_is_error: Option<bool>,
    /// The NVIDIA architecture.
    pub arch: Option<String>,
    /// A CUDA toolkit.
    pub cuda_path: Option<PathBuf>,
    /// Arguments for clang, folders of headers among them.
    pub clang_args: Vec<String>,
    /// Arguments that a project may not give, which clang does not get.
    not_allowed: Vec<String>,
    /// The baseline.
    pub baseline: Option<PathBuf>,
    /// Files that are left out.
    exclude: Vec<(String, Pattern)>,
    /// What is named and not there.
    absent: Vec<String>,
    /// Launches by kernel.
    pub rules: Vec<LaunchRule>,
}

impl Config {
    /// The file that holds for `start`, a file or a folder: the first one on the way up.
    pub fn find(start: &Path) -> Option<PathBuf> {
        let start = std::path::absolute(start).ok()?;
        start.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file())
    }

    /// Reads it.
    ///
    /// # Errors
    /// What is wrong, with the line and what would be right.
    pub fn read(path: &Path) -> Result<Config, String> {
        let text = heddle_diagnostics::source::read_text(path)
            .map_err(|error| format!("`{}` cannot be read: {error}", path.display()))?;
        Config::parse(path, &text).map_err(|error| {
            let shown = path.display();
            match is_own(path) {
                true => format!("{shown}: {}", error.trim_end()),
                false => format!("{shown}: {}{OUTSIDE}", place_of_error(&text)),
            }
        })
    }

    fn parse(path: &Path, text: &str) -> Result<Config, String> {
        let document: Document = toml::from_str(text)
            .map_err(|error| error.to_string().trim_end().to_owned() + &meant(&error))?;
        let Document {
            fail_on,
            passes,
            check_bounds,
            benign,
            arch,
            cuda_path,
            include,
            clang_args,
            exclude,
            baseline,
            severity,
            launch,
            kernel,
        } = document;
        let absolute = real(path).map_err(|error| error.to_string())?;
        let root = absolute.parent().unwrap_or(Path::new("/")).to_owned();
        let mut levels = Levels::default();
        for (code, level) in &severity {
            let set = level.parse().and_then(|level| levels.set(code.get_ref(), level));
            set.map_err(|error| {
                let line = text[..code.span().start].matches('\n').count() + 1;
                format!("line {line}, `{}` in [severity]: {error}", code.get_ref())
            })?;
        }
        let shown = path.display().to_string();
        let mut rules = Vec::new();
        if let Some(launch) = launch {
            let launch = launch.options().map_err(|error| format!("[launch]: {error}"))?;
            let origin = format!("{shown}, [launch]");
            rules.push(LaunchRule { name: "*".to_owned(), launch, origin });
        }
        for it in kernel {
            let line = text[..it.span().start].matches('\n').count() + 1;
            let mut launch = it.into_inner();
            let name = launch.name.take();
            let name = name.ok_or(format!("line {line}, [[kernel]]: missing field `name`"))?;
            let launch =
                launch.options().map_err(|error| format!("[[kernel]] of `{name}`: {error}"))?;
            let origin = format!("{shown}, [[kernel]] of `{name}`");
            rules.push(LaunchRule { name, launch, origin });
        }
        let absent = include.iter().filter(|folder| !root.join(folder).is_dir());
        let absent = absent.map(|it| format!("`include`: there is no folder `{}`", it.display()));
        let absent = absent.collect();
        let include = include.iter().map(|folder| format!("-I{}", root.join(folder).display()));
        let (clang_args, not_allowed) = allowed::sorted(&clang_args);
        Ok(Config {
            path: path.to_owned(),
            levels,
            fail_on: fail_on.map(FailOnWord::meaning),
            passes,
            check_bounds,
            benign_is_error: benign.map(|it| it == BenignWord::Error),
            arch,
            cuda_path: cuda_path.map(|it| root.join(it)),
            clang_args: include.chain(clang_args).collect(),
            not_allowed,
            baseline: baseline.map(|it| root.join(it)),
            exclude: exclude
                .iter()
                .map(|it| match pattern(&root, it) {
                    Ok(pattern) => Ok((it.clone(), pattern)),
                    Err(error) => Err(format!("`exclude`: {error}")),
                })
                .collect::<Result<_, _>>()?,
            rules,
            absent,
        })
    }

    /// The same without a baseline.
    #[must_use]
    pub fn without_baseline(self) -> Config {
        Config { baseline: None, ..self }
    }

    /// Whether a file is left out.
    pub fn excludes(&self, file: &Path) -> bool {
        let Ok(file) = real(file) else { return false };
        self.exclude.iter().any(|(_, pattern)| pattern.matches_path_with(&file, SEPARATED))
    }

    /// What of it clang does not get, in words.
    pub fn not_allowed(&self) -> Vec<String> {
        let gone = self.not_allowed.iter();
        gone.map(|it| format!("`clang-args`: `{it}` is left out: {NOT_ALLOWED}")).collect()
    }

    /// What is named and not there, in words.
    pub fn absent(&self) -> &[String] {
        &self.absent
    }

    /// What of it fits nothing in a whole project of these files, in words.
    pub fn idle_exclusions<'a>(&self, files: impl Iterator<Item = &'a Path>) -> Vec<String> {
        let files: Vec<_> = files.filter_map(|file| real(file).ok()).collect();
        let fits =
            |pattern: &Pattern| files.iter().any(|file| pattern.matches_path_with(file, SEPARATED));
        let idle = self.exclude.iter().filter(|(_, pattern)| !fits(pattern));
        idle.map(|(text, _)| format!("`exclude`: `{text}` is no file of the project")).collect()
    }

    /// The same of launches, for a whole project of these kernels: symbol and readable name.
    pub fn idle_rules(&self, kernels: &[(&str, &str)]) -> Vec<String> {
        let fits = |rule: &&LaunchRule| {
            kernels.iter().any(|(symbol, name)| names::means(&rule.name, symbol, name))
        };
        let idle = self.rules.iter().filter(|rule| rule.name != "*" && !fits(rule));
        idle.map(|rule| format!("[[kernel]]: `{}` is no kernel of the project", rule.name))
            .collect()
    }
}

/// Why it is not said what is wrong with a file.
const OUTSIDE: &str = "this is no file of settings, or there is an error in it; it is a link to a file \
                       outside the project, so that its words are not shown";

/// Whether the file is in the project that it is found in, its links followed to their end.
fn is_own(path: &Path) -> bool {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default();
    folder.canonicalize().is_ok_and(|it| Visible::of_folder(&it).shows(Path::new(name)))
}

/// `line 3: `, where the text has an error of its form.
fn place_of_error(text: &str) -> String {
    let error = toml::from_str::<Document>(text).err();
    let start = error.and_then(|it| it.span()).and_then(|it| text.get(..it.start));
    start.map_or(String::new(), |it| format!("line {}: ", it.matches('\n').count() + 1))
}

/// What was meant by a word that toml does not know, by the list in its message.
fn meant(error: &toml::de::Error) -> String {
    let mut quoted = error.message().split('`').skip(1).step_by(2);
    match (error.message().starts_with("unknown "), quoted.next()) {
        (true, Some(given)) => names::suggestion(given, quoted),
        (true | false, _) => String::new(),
    }
}

/// The absolute path without `..` and links, where there is such a file.
fn real(path: &Path) -> std::io::Result<PathBuf> {
    path.canonicalize().or_else(|_| std::path::absolute(path))
}

/// `*` stays inside one folder; `**` goes through all.
const SEPARATED: glob::MatchOptions = glob::MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

fn pattern(root: &Path, text: &str) -> Result<Pattern, String> {
    let root = Pattern::escape(&root.display().to_string());
    Pattern::new(&format!("{root}/{text}")).map_err(|error| format!("`{text}`: {error}"))
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Document {
    fail_on: Option<FailOnWord>,
    passes: Vec<String>,
    check_bounds: bool,
    benign: Option<BenignWord>,
    arch: Option<String>,
    cuda_path: Option<PathBuf>,
    include: Vec<PathBuf>,
    clang_args: Vec<String>,
    exclude: Vec<String>,
    baseline: Option<PathBuf>,
    severity: BTreeMap<Spanned<String>, String>,
    launch: Option<LaunchTable>,
    kernel: Vec<Spanned<LaunchTable>>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum FailOnWord {
    Never,
    Launched,
    Refuted,
    Unknown,
    Warning,
}

impl FailOnWord {
    fn meaning(self) -> FailOn {
        match self {
            FailOnWord::Never => FailOn::Never,
            FailOnWord::Launched => FailOn::Launched,
            FailOnWord::Refuted => FailOn::Refuted,
            FailOnWord::Unknown => FailOn::Unknown,
            FailOnWord::Warning => FailOn::Warning,
        }
    }
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum BenignWord {
    Note,
    Error,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct LaunchTable {
    /// What the kernels are called, in `[[kernel]]`.
    name: Option<String>,
    block: Option<SizeValue>,
    grid: Option<SizeValue>,
    global_offset: Option<SizeValue>,
    args: BTreeMap<String, i64>,
    assume: Vec<String>,
    sizes: BTreeMap<String, Elements>,
    dynamic_shared: Option<u64>,
    warp_size: Option<u32>,
}

/// Elements of a buffer: a number, or an expression over parameters.
#[derive(Deserialize)]
#[serde(untagged)]
enum Elements {
    Number(u64),
    Text(String),
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "a size is a number such as 256, a list such as [16, 16], or \"any\""
)]
enum SizeValue {
    One(u32),
    Several(Vec<u32>),
    Text(String),
}

impl SizeValue {
    fn text(&self) -> String {
        match self {
            SizeValue::One(size) => size.to_string(),
            SizeValue::Several(sizes) => {
                sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
            }
            SizeValue::Text(text) => text.clone(),
        }
    }

    fn size(&self) -> Result<Size, String> {
        let text = self.text();
        text.parse().map_err(|error| format!("`{text}`: {error}"))
    }
}

impl Elements {
    fn of(self, name: String) -> BufferElements {
        let elements = match self {
            Elements::Number(count) => count.to_string(),
            Elements::Text(text) => text,
        };
        BufferElements { name, elements }
    }
}

impl LaunchTable {
    fn options(self) -> Result<LaunchOptions, String> {
        let LaunchTable {
            name,
            block,
            grid,
            global_offset,
            args,
            assume,
            sizes,
            dynamic_shared,
            warp_size,
        } = self;
        if name.is_some() {
            return Err("`name` is a key of [[kernel]]; this is for all kernels".to_owned());
        }
        let size = |size: Option<SizeValue>| size.map(|it| it.size()).transpose();
        let args = args.into_iter();
        if let Some((row, threads)) = crate::table::row("warp-size").zip(warp_size) {
            let tried = row.apply(&mut CheckOptions::default(), &threads.to_string());
            tried.map_err(|error| format!("`warp-size`: {error}"))?;
        }
        Ok(LaunchOptions {
            grid: size(grid)?,
            block: size(block)?,
            global_offset: match global_offset.map(|it| it.text()) {
                Some(text) => {
                    let read = crate::options::global_offset(&text);
                    read.map_err(|error| format!("`global-offset = {text}`: {error}"))?
                }
                None => GlobalOffset::default(),
            },
            args: args.map(|(name, value)| Argument { name, value: value.into() }).collect(),
            assumptions: assume,
            sizes: sizes.into_iter().map(|(name, it)| it.of(name)).collect(),
            dynamic_shared,
            warp_size,
            ..LaunchOptions::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, String> {
        Config::parse(Path::new("/project/heddle.toml"), text)
    }

    #[test]
    fn everything_documented_is_read() {
        let head = include_str!("config.rs");
        let lines = head.lines().skip_while(|line| *line != "//! ```toml").skip(1);
        let lines = lines.take_while(|line| *line != "//! ```");
        let text: Vec<_> = lines.map(|line| line.trim_start_matches("//!").trim_start()).collect();
        let config = parse(&text.join("\n")).expect("the documented file");
        assert_eq!(config.fail_on, Some(FailOn::Unknown));
        assert_eq!(config.clang_args, ["-I/project/include", "-DTILE=32"]);
        assert_eq!(config.rules.len(), 2);
        let Some(LaunchRule { name, launch, .. }) = config.rules.last() else { panic!("a rule") };
        assert_eq!((name.as_str(), launch.block), ("matmul*", Some(Size::Known([16, 16, 1]))));
        assert_eq!(launch.global_offset, GlobalOffset::Given([64, 0, 0]));
        assert!(config.excludes(Path::new("/project/third_party/x/y.cu")));
        assert!(!config.excludes(Path::new("/project/src/y.cu")));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place_and_a_way_out() {
        for (text, parts) in [
            ("blocks = 3\n", ["line 1", "`fail-on`"].as_slice()),
            ("[launch]\nblock = 3.5\n", &["line 2", "a number such as 256"]),
            ("[launch]\nblock = 0\n", &["[launch]", "at least 1"]),
            ("[[kernel]]\nblock = 3\n", &["line 1", "`name`"]),
            ("[launch]\nname = \"k\"\n", &["[launch]", "`name` is a key of [[kernel]]"]),
            ("[launch]\nglobal-offset = \"x\"\n", &["[launch]", "`global-offset = x`"]),
            ("[severity]\nHD0103 = \"loud\"\n", &["HD0103", "`warning`"]),
            ("[severity]\nHD7 = \"note\"\n", &["line 2", "HD7", "HD0103"]),
            ("fail-on = \"always\"\n", &["line 1", "`never`"]),
            ("fail-onn = \"never\"\n", &["line 1", "did you mean `fail-on`?"]),
            ("\nfail-on = \"refutd\"\n", &["line 2", "did you mean `refuted`?"]),
            ("[launch]\nblok = 1\n", &["line 2", "did you mean `block`?"]),
            ("[launch]\nwarp-size = 31\n", &["[launch]", "`warp-size`", "128 threads"]),
            ("exclude = \"x\"\n", &["line 1", "expected a sequence"]),
            ("exclude = [\"[\"]\n", &["`exclude`", "`[`"]),
            ("x = ", &["line 1"]),
        ] {
            let error = parse(text).expect_err(text);
            for part in parts {
                assert!(error.contains(part), "{text}: {part} is not in {error}");
            }
        }
    }
}
