//! Options of clang that a project gives, drawn from clang's own list: none that is left loads code
//! or writes a file.
//!
//! Clang prints each option that its driver and its compiler proper know. Each is written in each
//! spelling (alone; its value joined, after `=`, in the next word; with other dashes; cut short;
//! behind `-Xclang` and its like; in a response file) into a command of `compile_commands.json`,
//! with a plugin that leaves a file when it is loaded, or a path that can be written, as its value.
//! What Heddle gives clang of such a command is then checked for real, in a folder in which no file
//! may appear.
//!
//! A plain run reads all commands and checks some of those of which something is left.
//! `HEDDLE_FUZZ_SECONDS=1800` (`make fuzz`) goes on with drawn ones until the time is over, from a
//! seed that the clock gives, or `HEDDLE_FUZZ_SEED`.

use std::collections::BTreeSet;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use crate::Project;
use crate::hostile::KERNEL;

/// Units of one run of Heddle.
const BATCH: usize = 48;

/// Options that any command may have beside the drawn ones.
const SOUND: [&str; 6] = ["-DA", "-I.", "-std=c++17", "-Wall", "-fno-exceptions", "-Xclang"];

/// What brings another option to clang.
const BEARERS: [&str; 8] = [
    "-Xclang",
    "-Xarch_device",
    "-Xpreprocessor",
    "-Xcompiler",
    "-mllvm",
    "-Xassembler",
    "-Xlinker",
    "-Xcuda-ptxas",
];

struct Draw(u64);

impl Draw {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % count as u64).expect("below the count")
    }

    fn one<'a>(&mut self, list: &'a [String]) -> &'a str {
        &list[self.below(list.len())]
    }
}

/// The options that clang says it knows.
fn known(of: &str) -> Vec<String> {
    let done = Command::new("clang++-22").arg(format!("--autocomplete={of}")).output();
    let text = String::from_utf8(done.expect("clang is installed").stdout).expect("UTF-8");
    text.lines().filter_map(|it| it.split('\t').next()).map(str::to_owned).collect()
}

/// An option with a value in one spelling.
fn spelt(option: &str, value: &str, spelling: usize, root: &str) -> Vec<String> {
    let with_equals = match option.ends_with('=') {
        true => format!("{option}{value}"),
        false => format!("{option}={value}"),
    };
    let bare = option.trim_start_matches('-');
    let words: Vec<String> = match spelling {
        0 => vec![option.to_owned()],
        1 => vec![with_equals],
        2 => vec![option.to_owned(), value.to_owned()],
        3 => vec![format!("{option}{value}")],
        4 => vec![format!("-{with_equals}")],
        5 => vec![format!("--{bare}"), value.to_owned()],
        6 => vec![format!("-{}", with_equals.trim_start_matches('-'))],
        // Cut short, as some drivers take an option.
        7 => vec![option[..option.len() - option.len().min(3)].to_owned(), value.to_owned()],
        8 => vec![format!("-Wp,{option},{value}")],
        9 => vec![format!("-Xarch_device={with_equals}"), format!("-Xclang={with_equals}")],
        10 => vec!["--config".to_owned(), format!("{root}/p.cfg"), option.to_owned()],
        11 => {
            let name = option.trim_matches(|it: char| !it.is_ascii_alphanumeric());
            let file =
                format!("{root}/{}.rsp", name.replace(|it: char| !it.is_ascii_alphanumeric(), "_"));
            std::fs::write(&file, format!("{option} '{value}'\n\"{with_equals}\"\n"))
                .expect("writable");
            vec![format!("@{file}")]
        }
        _ => {
            let bearer = BEARERS[(spelling - 12) / 2 % BEARERS.len()];
            let words = if spelling.is_multiple_of(2) {
                vec![with_equals]
            } else {
                vec![option.to_owned(), value.to_owned()]
            };
            words.into_iter().flat_map(|it| [bearer.to_owned(), it]).collect()
        }
    };
    words.into_iter().filter(|it| !it.is_empty()).collect()
}

/// How many spellings there are.
const SPELLINGS: usize = 12 + 2 * BEARERS.len();

/// A project in which commands are tried: each of its files has the same text.
struct Range {
    project: Project,
    root: String,
    files: String,
}

impl Range {
    fn new(name: &str) -> Range {
        let project = Project::with_plugin(name);
        for unit in 0..BATCH {
            project.file(&format!("k{unit}.cu"), KERNEL);
        }
        for folder in ["build", "tmp", "home"] {
            std::fs::create_dir_all(project.root.join(folder)).expect("writable");
        }
        let root = project.root.display().to_string();
        Range { project, root, files: String::new() }
    }

    /// The commands, each of another file.
    fn database(&self, lists: &[Vec<String>]) {
        let build = self.project.root.join("build");
        let entries = lists.iter().enumerate().map(|(n, words)| {
            let file = format!("../k{}.cu", n % BATCH);
            let compiler = if n % 4 == 3 { "nvcc" } else { "clang++" };
            let arguments: Vec<&str> = [compiler]
                .into_iter()
                .chain(words.iter().map(String::as_str))
                .chain(["-c", &file])
                .collect();
            serde_json::json!({ "directory": build, "file": file, "arguments": arguments })
        });
        let text = serde_json::Value::from(entries.collect::<Vec<_>>()).to_string();
        self.project.file("build/compile_commands.json", &text);
    }

    fn run(&self, arguments: &[&str]) -> std::process::Output {
        let mut command = self.project.command(arguments);
        command
            .env("TMPDIR", self.project.root.join("tmp"))
            .env("HOME", self.project.root.join("home"));
        command.output().expect("it starts")
    }

    /// What clang is given of the commands that it is given something of, each list once.
    fn left_of(&self, lists: &[Vec<String>]) -> Vec<Vec<String>> {
        self.database(lists);
        let done = self.run(&["units", "-p", "build"]);
        assert!(
            done.status.code().is_some_and(|it| it != 4),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        let lines = text.lines().filter_map(|it| it.strip_prefix("  clang     "));
        let found: BTreeSet<&str> = lines.collect();
        found.into_iter().map(|it| it.split(' ').map(str::to_owned).collect()).collect()
    }

    /// Checks each of at most [`BATCH`] commands.
    fn check(&mut self, lists: &[Vec<String>]) {
        self.database(lists);
        self.files = self.project.listed();
        let done = self.run(&["check", "-p", "build", "--format", "short"]);
        if self.is_unharmed(&done) {
            return;
        }
        for list in lists {
            self.repair();
            self.database(std::slice::from_ref(list));
            self.files = self.project.listed();
            let done = self.run(&["check", "-p", "build", "--format", "short"]);
            assert!(
                self.is_unharmed(&done),
                "{list:?}: {:?}: {}",
                done.status,
                self.project.listed()
            );
        }
        panic!("one of these alone does nothing, all together do: {lists:?}");
    }

    /// The same by `heddle.toml`.
    fn check_by_configuration(&mut self, list: &[String]) {
        let words: Vec<_> = list.iter().map(|it| format!("{it:?}")).collect();
        self.project.file("heddle.toml", &format!("clang-args = [{}]\n", words.join(", ")));
        self.files = self.project.listed();
        let done = self.run(&["check", "k0.cu"]);
        assert!(self.is_unharmed(&done), "{list:?}: {:?}: {}", done.status, self.project.listed());
        std::fs::remove_file(self.project.root.join("heddle.toml")).expect("it is there");
    }

    /// Whether the run ended by itself and left no file.
    fn is_unharmed(&self, done: &std::process::Output) -> bool {
        done.status.code().is_some_and(|it| it <= 3) && self.project.listed() == self.files
    }

    fn repair(&self) {
        for file in
            self.project.listed().lines().filter(|it| !self.files.lines().any(|was| was == *it))
        {
            std::fs::remove_file(file).expect("the folder is ours");
        }
    }
}

#[test]
fn no_option_that_clang_knows_loads_code_or_writes_a_file_in_any_spelling() {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let end = number("HEDDLE_FUZZ_SECONDS").map(|it| Instant::now() + Duration::from_secs(it));
    let clock =
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(1, |it| it.as_secs() << 20);
    let seed = number("HEDDLE_FUZZ_SEED").unwrap_or(if end.is_some() { clock } else { 0x5eed });
    let mut draw = Draw(seed.max(1));
    let mut range = Range::new("options");
    let values = [
        format!("{}/p.so", range.root),
        format!("{}/written", range.root),
        format!("-fplugin={}/p.so", range.root),
        "1".to_owned(),
    ];
    let (driver, proper) = (known("-"), known("-Xclang,-"));
    assert!(driver.len() > 2000 && proper.len() > 2000, "{} and {}", driver.len(), proper.len());
    assert!(proper.iter().any(|it| it == "-load") && driver.iter().any(|it| it == "-fplugin="));
    let all: Vec<String> = driver.into_iter().chain(proper).collect();
    // A handful of each option's spellings in a plain run, so that it is short.
    let mut lists = Vec::new();
    for option in &all {
        for spelling in 0..SPELLINGS {
            if end.is_some() || draw.below(6) == 0 {
                lists.push(spelt(option, draw.one(&values), spelling, &range.root));
            }
        }
    }
    let mut left = range.left_of(&lists);
    assert!(left.len() > 200 && left.len() * 4 < lists.len(), "{} of {}", left.len(), lists.len());
    match end {
        None => {
            let mut some: Vec<_> =
                (0..BATCH).map(|_| left.swap_remove(draw.below(left.len()))).collect();
            range.check(&some);
            some.truncate(3);
            some.iter().for_each(|it| range.check_by_configuration(it));
        }
        Some(end) => {
            for batch in left.chunks(BATCH).take_while(|_| Instant::now() < end) {
                range.check(batch);
            }
            while Instant::now() < end {
                let lists: Vec<_> =
                    (0..4 * BATCH).map(|_| drawn(&mut draw, &all, &values, &range.root)).collect();
                let (few, _) = lists.split_at(BATCH);
                range.check(few);
                for list in lists.iter().take(4) {
                    range.check_by_configuration(list);
                }
            }
        }
    }
}

/// A list of options, sound ones among them.
fn drawn(draw: &mut Draw, all: &[String], values: &[String], root: &str) -> Vec<String> {
    let mut words = Vec::new();
    for _ in 0..=draw.below(5) {
        match draw.below(3) {
            0 => words.push(SOUND[draw.below(SOUND.len())].to_owned()),
            _ => words.extend(spelt(draw.one(all), draw.one(values), draw.below(SPELLINGS), root)),
        }
    }
    words
}
