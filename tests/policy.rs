//! What a user decides about findings, through the binary: comments, `heddle.h`, severities,
//! baselines, `heddle.toml`, and conditions that no launch satisfies.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const RACE: &str = "tests/demo/neighbour.cu";

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn heddle_in(folder: &Path, arguments: &[&str]) -> Ran {
    let done = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the binary starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Ran { code: done.status.code().unwrap_or(-1), out: text(done.stdout), err: text(done.stderr) }
}

fn heddle(arguments: &[&str]) -> Ran {
    heddle_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments)
}

/// A kernel of `tests/policy`, checked.
fn check(file: &str, arguments: &[&str]) -> Ran {
    let path = format!("tests/policy/{file}");
    heddle(&[&["check", path.as_str()], arguments].concat())
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("policy-{name}"));
    // A folder of an earlier run may be there or not.
    let _absent = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the folder for tests is writable");
    path
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}{}", ran.out, ran.err))
}

#[test]
fn an_allowed_race_stays_refuted_and_fails_nothing() {
    for file in ["race_allowed.cu", "race_allowed.cl", "race_in_ir.ll", "race_benign.cu"] {
        let ran = check(file, &[]);
        assert_eq!(ran.code, 0, "{file}: {}{}", ran.out, ran.err);
        assert!(
            ran.out.contains("allowed in the source: any winner will do"),
            "{file}: {}",
            ran.out
        );
        assert!(
            !ran.out.contains("error[") && !ran.out.contains("warning["),
            "{file}: {}",
            ran.out
        );
        let log = json(&check(file, &["--format", "sarif"]));
        let run = &log["runs"][0];
        let suppressions = &run["results"][0]["suppressions"][0];
        assert_eq!(suppressions["kind"], "inSource", "{file}");
        assert_eq!(suppressions["justification"], "any winner will do", "{file}");
        let verdicts = run["properties"]["verdicts"].as_array().expect("verdicts");
        let race = verdicts.iter().find(|it| it["property"] == "intra-block-race");
        assert_eq!(race.map(|it| &it["verdict"]), Some(&"refuted".into()), "{file}");
    }
}

#[test]
fn without_a_reason_nothing_is_allowed() {
    let ran = check("race_without_reason.cu", &[]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(
        ran.out.contains("warning[HD0902]") && ran.out.contains("gives no reason"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("error[HD0101]"), "{}", ran.out);
}

#[test]
fn a_comment_that_allows_nothing_is_told() {
    let ran = check("suppression_unused.cu", &[]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("warning[HD0902]: this comment allows HD0101"), "{}", ran.out);
    let partial = check("suppression_unused.cu", &["--passes", "barrier-divergence"]);
    assert!(!partial.out.contains("HD0902"), "not all was checked: {}", partial.out);
    assert_eq!(check("suppression_unused.cu", &["--fail-on", "warning"]).code, 1);
}

#[test]
fn annotations_state_the_launch_and_options_count_more() {
    for file in ["launch_annotated.cu", "launch_annotated.cl"] {
        let ran = check(file, &[]);
        assert_eq!(ran.code, 0, "{file}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("grid=1 block=") && ran.out.contains("`n >= "), "{}", ran.out);
        let other = check(file, &["--block", "128"]);
        assert_eq!(other.code, 1, "{file}: {}{}", other.out, other.err);
        let any = check(file, &["--block", "any"]);
        assert_eq!(any.code, 1, "{file}: `any` counts as said: {}", any.out);
    }
    let header = heddle(&["header"]);
    assert!(header.code == 0 && header.out.contains("#define HEDDLE_LAUNCH(grid, block)"));
}

#[test]
fn other_compilers_see_no_annotations() {
    let folder = folder("header");
    std::fs::write(folder.join("heddle.h"), heddle(&["header"]).out).expect("writable");
    let text = "#include \"heddle.h\"\nHEDDLE_LAUNCH(64, 256) HEDDLE_ASSUME(n > 0)\nvoid k(int *p, int n) {\n  HEDDLE_BENIGN(\"x\") p[0] = n;\n}\n";
    std::fs::write(folder.join("k.c"), text).expect("writable");
    for compiler in ["cc", "clang-22"] {
        let done = Command::new(compiler)
            .args(["-Wall", "-Wextra", "-Werror", "-c", "k.c", "-o", "k.o"])
            .current_dir(&folder)
            .output()
            .expect("the compiler starts");
        assert!(done.status.success(), "{compiler}: {}", String::from_utf8_lossy(&done.stderr));
    }
}

#[test]
fn what_no_launch_satisfies_proves_nothing() {
    for (file, arguments, part) in [
        ("launch_annotated.cu", ["--assume", "n > 4 && n < 3"], "no launch of `k` satisfies"),
        ("launch_annotated.cu", ["--arg", "n=3"], "no launch of `k` satisfies"),
        ("launch_annotated.cl", ["--assume", "blockDim.x == 32"], "no launch of `k` satisfies"),
        ("suppression_unused.cu", ["--assume", "blockDim.x > 4096"], "no launch of `k` satisfies"),
        ("assumed_by_program.cu", ["--arg", "n=3"], "satisfies what the program assumes"),
    ] {
        let ran = check(file, &arguments);
        assert_eq!(ran.code, 2, "{file} {arguments:?}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("error[HD0901]") && ran.out.contains(part), "{file}: {}", ran.out);
        assert!(ran.out.contains("0 properties proved"), "{file} {arguments:?}: {}", ran.out);
    }
    assert_eq!(check("assumed_by_program.cu", &["--arg", "n=5"]).code, 0);
}

#[test]
fn what_is_said_of_arrays_is_refused_where_nothing_follows_from_it() {
    let permuted = "tests/kernels/contracts/proved_scatter_assumed.cu";
    for (condition, part) in [
        ("!injective(perm, n)", "stands alone"),
        ("injective(perm, n) || n > 3", "stands alone"),
        ("injective(perm, n) + 1", "stands alone"),
        ("injective(perm, range(perm, n, 0, 1))", "stands alone"),
        ("injective(perm)", "expected `,`"),
        ("range(perm, n, 0)", "expected `,`"),
        ("injective(n, n)", "has no pointer argument `n`"),
        ("permuted(perm, n)", "is nothing that arrays keep"),
        ("range(perm, n, n, 0)", "no array has an element and keeps"),
        ("injective(perm, n) && range(perm, n, 0, n - 1)", "no array has an element and keeps"),
    ] {
        let ran = heddle(&["check", permuted, "--assume", condition]);
        assert_eq!(ran.code, 2, "{condition}: {}{}", ran.out, ran.err);
        let text = [ran.out, ran.err].concat();
        assert!(text.contains("error[HD0901]") && text.contains(part), "{condition}: {text}");
    }
}

#[test]
fn severities_and_what_fails_are_the_users() {
    let unknown = "tests/kernels/llvm/unknown_indirect_call.ll";
    for (arguments, code) in [
        ([RACE].as_slice(), 1),
        (&[RACE, "--fail-on", "never"], 0),
        (&[RACE, "-W", "HD0101=warning"], 0),
        (&[RACE, "-W", "HD0101=warning", "--fail-on", "warning"], 1),
        (&[RACE, "-W", "intra-block-race=ignore"], 0),
        (&[unknown], 3),
        (&[unknown, "--fail-on", "refuted"], 0),
        (&[unknown, "-W", "unknown=note"], 0),
        (&[unknown, "-W", "unknown=ignore"], 0),
        (&[unknown, "-W", "unknown=error"], 3),
        (&[unknown, "-W", "unknown=error", "--fail-on", "refuted"], 3),
        (&["no/such.cu", "--fail-on", "never"], 2),
        (&[RACE, "-W", "HD0901=ignore"], 2),
        (&[RACE, "-W", "HD0101=loud"], 2),
        (&[RACE, "-W", "HD0101"], 2),
    ] {
        let ran = heddle(&[&["check"], arguments].concat());
        assert_eq!(ran.code, code, "{arguments:?}: {}{}", ran.out, ran.err);
    }
    let lowered = heddle(&["check", RACE, "-W", "HD0101=warning"]).out;
    assert!(lowered.contains("warning[HD0101]") && lowered.contains("refuted"), "{lowered}");
    let ignored = heddle(&["check", RACE, "-W", "HD0101=ignore"]).out;
    assert!(!ignored.contains("[HD0101]") && ignored.contains("ignored by option"), "{ignored}");
}

/// What fails, how serious a finding is, and how it was accepted, each with each: the exit code.
#[test]
fn every_decision_meets_every_other() {
    let folder = folder("matrix");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("writable");
    let race = "__global__ void k(int *p) {\n  p[0] = threadIdx.x;\n}\n";
    let open = "__global__ void k(int *p) {\n  asm volatile(\"frob;\" ::: \"memory\");\n  \
                 p[blockIdx.x * blockDim.x + threadIdx.x] = 1;\n}\n";
    for (file, text, code, fails) in
        [("race.cu", race, "HD0101", 1), ("open.cu", open, "unknown", 3)]
    {
        write(file, text);
        let known = heddle_in(&folder, &["baseline", file, "-o", "known.json"]);
        assert_eq!(known.code, 0, "{}", known.err);
        let reason = "  // heddle: allow(HD0001, HD0002, HD0101, HD0104) known\n";
        let allowed = format!("allowed_{file}");
        write(&allowed, &text.lines().map(|line| format!("{reason}{line}\n")).collect::<String>());
        for when in ["never", "refuted", "unknown", "warning"] {
            for level in [None, Some("ignore"), Some("note"), Some("warning"), Some("error")] {
                let raised = level.map(|level| format!("{code}={level}"));
                let mut options = vec!["check", file, "--fail-on", when, "--quiet"];
                options.extend(raised.iter().flat_map(|it| ["-W", it.as_str()]));
                // A race is an error where nothing is said, an unknown a warning.
                let level = level.unwrap_or(if fails == 1 { "error" } else { "warning" });
                let counts = match (level, when) {
                    ("error", _) => when != "never",
                    ("warning", "warning") => true,
                    ("warning", "unknown") => fails == 3,
                    _ => false,
                };
                let ran = heddle_in(&folder, &options);
                assert_eq!(ran.code, if counts { fails } else { 0 }, "{options:?}: {}", ran.out);
                let ran =
                    heddle_in(&folder, &[&options[..], &["--baseline", "known.json"]].concat());
                assert_eq!(ran.code, 0, "{options:?} and a baseline: {}", ran.out);
                options[1] = &allowed;
                // Comments that allow nothing are warnings of their own.
                options.extend(["-W", "HD0902=ignore"]);
                let ran = heddle_in(&folder, &options);
                assert_eq!(ran.code, 0, "{options:?}: {}", ran.out);
            }
        }
    }
    // A file that moved keeps its findings; a second race of the kind does not hide behind the
    // first.
    std::fs::create_dir_all(folder.join("moved")).expect("writable");
    write("moved/race.cu", race);
    heddle_in(&folder, &["baseline", "race.cu", "-o", "known.json"]);
    let known = |file: &str| heddle_in(&folder, &["check", file, "--baseline", "known.json"]);
    assert_eq!(known("moved/race.cu").code, 1, "a copy is another file");
    std::fs::remove_file(folder.join("race.cu")).expect("it is there");
    assert_eq!(known("moved/race.cu").code, 0, "{}", known("moved/race.cu").out);
    write("moved/race.cu", &race.replace("}\n", "  p[0] = threadIdx.x;\n}\n"));
    assert_eq!(known("moved/race.cu").code, 1, "{}", known("moved/race.cu").out);
}

#[test]
fn a_benign_race_can_be_made_an_error() {
    let file = folder("benign").join("k.cu");
    std::fs::write(&file, "__global__ void k(int *flag) { flag[0] = 1; }\n").expect("writable");
    let path = file.display().to_string();
    assert_eq!(heddle(&["check", &path]).code, 0);
    let ran = heddle(&["check", &path, "-W", "HD0103=error"]);
    assert!(ran.code == 1 && ran.out.contains("error[HD0103]"), "{}", ran.out);
}

#[test]
fn a_baseline_leaves_what_is_new() {
    let folder = folder("baseline");
    let text = std::fs::read_to_string(RACE).expect("the demo");
    let write = |text: &str| std::fs::write(folder.join("k.cu"), text).expect("writable");
    let run = |arguments: &[&str]| heddle_in(&folder, arguments);
    write(&text);
    let taken = run(&["baseline", "k.cu"]);
    assert_eq!((taken.code, taken.out.as_str()), (0, "1 finding in heddle-baseline.json\n"));
    let known = ["check", "k.cu", "--baseline", "heddle-baseline.json"];
    let same = run(&known);
    assert!(same.code == 0 && same.out.contains("known from the baseline"), "{}", same.out);
    assert!(same.out.contains("refuted"), "it stays refuted: {}", same.out);
    write(&format!(
        "// A line above.\n{text}__global__ void other(int *out) {{ out[0] = threadIdx.x; }}\n"
    ));
    let more = run(&known);
    assert!(more.code == 1 && more.out.contains("`out`"), "{}", more.out);
    assert_eq!(more.out.matches("error[").count(), 1, "the old one counts no more: {}", more.out);
    write(&text.replace("// __syncthreads();", "__syncthreads();"));
    let gone = run(&known);
    assert!(gone.code == 0 && gone.out.contains("gone since the baseline: HD0101"), "{}", gone.out);
    std::fs::write(folder.join("bad.json"), "{}").expect("writable");
    for (file, part) in [("bad.json", "heddle baseline"), ("none.json", "cannot be read")] {
        let ran = run(&["check", "k.cu", "--baseline", file]);
        assert!(ran.code == 2 && ran.err.contains(part), "{}", ran.err);
    }
}

/// Written in one folder and used in others: the files that it means are the same.
#[test]
fn a_baseline_means_its_files_from_any_folder() {
    let folder = folder("baseline-folders");
    for inner in ["a", "b/a"] {
        std::fs::create_dir_all(folder.join(inner)).expect("writable");
    }
    let text = std::fs::read_to_string(RACE).expect("the demo");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("writable");
    write("a/k.cu", &text);
    let run = |from: &str, arguments: &[&str]| heddle_in(&folder.join(from), arguments);
    assert_eq!(run("a", &["baseline", "k.cu", "-o", "../known.json"]).code, 0);
    let kept = std::fs::read_to_string(folder.join("known.json")).expect("written");
    assert!(kept.contains("\"file\":\"a/k.cu\""), "{kept}");
    for (from, file, known) in [
        (".", "a/k.cu", "known.json"),
        ("a", "k.cu", "../known.json"),
        ("b/a", "../../a/k.cu", "../../known.json"),
    ] {
        let ran = run(from, &["check", file, "--baseline", known]);
        assert_eq!(ran.code, 0, "{from}: {}", ran.out);
        assert!(ran.out.contains("known from the baseline"), "{from}: {}", ran.out);
    }
    // The same code in a file of the same name is a new finding, wherever it is checked from.
    write("b/a/k.cu", &text);
    for (from, file, known) in [
        (".", "b/a/k.cu", "known.json"),
        ("b", "a/k.cu", "../known.json"),
        ("b/a", "k.cu", "../../known.json"),
    ] {
        let ran = run(from, &["check", file, "--baseline", known]);
        assert_eq!(ran.code, 1, "{from}: {}", ran.out);
    }
    // What is gone is told by the name that the file has from here.
    write("a/k.cu", &text.replace("// __syncthreads();", "__syncthreads();"));
    for (from, file, known) in [(".", "a/k.cu", "known.json"), ("b", "../a/k.cu", "../known.json")]
    {
        let ran = run(from, &["check", file, "--baseline", known]);
        assert!(
            ran.code == 0 && ran.out.contains("gone since the baseline: HD0101"),
            "{}",
            ran.out
        );
        assert!(ran.out.contains(file), "{from}: {}", ran.out);
    }
}

#[test]
fn comments_in_other_words_are_told() {
    let folder = folder("other-words");
    for comment in [
        "// NOLINT(HD0104)",
        "// heddle-ignore HD0104: checked by hand",
        "/// heddle: allow(HD0104) checked by hand",
        "// allow(HD0104) checked by hand",
        "/*\n * heddle: allow(HD0104) checked by hand\n */",
    ] {
        let text = format!("__global__ void k(int *p) {{\n{comment}\np[0] = threadIdx.x;\n}}\n");
        std::fs::write(folder.join("k.cu"), text).expect("writable");
        let ran = heddle_in(&folder, &["check", "k.cu", "--block", "64"]);
        assert_eq!(ran.code, 1, "{comment}: {}", ran.out);
        assert!(ran.out.contains("warning[HD0902]: this comment speaks to Heddle"), "{}", ran.out);
        assert!(ran.out.contains("write `heddle: allow(HD0103) reason`"), "{}", ran.out);
    }
}

#[test]
fn a_project_says_once_what_holds() {
    let folder = folder("config");
    let deep = folder.join("src");
    std::fs::create_dir_all(folder.join("third_party")).expect("writable");
    std::fs::create_dir_all(&deep).expect("writable");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("writable");
    let kernel = "#if SHIFT == 7\n__global__ void shifted(int *out, int n) {\n  out[threadIdx.x] = 1;\n  out[threadIdx.x + n] = 2;\n}\n#endif\n";
    write("src/k.cu", kernel);
    write("third_party/other.cu", "__global__ void bad(int *out) { out[0] = threadIdx.x; }\n");
    write(
        "heddle.toml",
        "clang-args = [\"-DSHIFT=7\"]\nexclude = [\"third_party/**\"]\n[launch]\ngrid = 1\nblock = 128\n\
         [[kernel]]\nname = \"shift*\"\nblock = 64\nassume = [\"n >= 64 && n < 1000\"]\n",
    );
    let ran = heddle_in(&deep, &["check", "k.cu", "../third_party/other.cu"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("grid=1 block=64") && ran.err.contains("1 file is left out"),
        "{}{}",
        ran.out,
        ran.err
    );
    assert_eq!(
        heddle_in(&deep, &["check", "k.cu", "--no-config"]).code,
        2,
        "no kernel without -DSHIFT=7"
    );
    assert_eq!(
        heddle_in(&deep, &["check", "k.cu", "--block", "128"]).code,
        1,
        "options count more"
    );
    write(
        "heddle.toml",
        "clang-args = [\"-DSHIFT=7\"]\nfail-on = \"never\"\nbaseline = \"known.json\"\n[severity]\nHD0102 = \"note\"\n",
    );
    let absent = heddle_in(&deep, &["check", "k.cu"]);
    assert!(absent.code == 2 && absent.err.contains("known.json"), "{}", absent.err);
    assert_eq!(heddle_in(&deep, &["baseline", "k.cu", "-o", "../known.json"]).code, 0);
    let known = heddle_in(&deep, &["check", "k.cu", "--fail-on", "unknown"]);
    assert!(known.code == 0 && known.out.contains("known from the baseline"), "{}", known.out);
    write("heddle.toml", "blocks = 64\n");
    let wrong = heddle_in(&deep, &["check", "k.cu"]);
    assert_eq!(wrong.code, 2);
    for part in ["heddle.toml", "line 1", "unknown field `blocks`", "`fail-on`"] {
        assert!(wrong.err.contains(part), "{part} is not in {}", wrong.err);
    }
    write("heddle.toml", "[[kernel]]\nname = \"shifted\"\nblock = 4096\n");
    write("src/k.cu", "__global__ void __launch_bounds__(128) shifted(int *out) { out[0] = 1; }\n");
    let bound = heddle_in(&deep, &["check", "k.cu"]);
    assert!(bound.code == 2 && bound.out.contains("at most 128"), "{}{}", bound.out, bound.err);
    assert!(bound.out.contains("heddle.toml, [[kernel]] of `shifted`"), "{}", bound.out);
}

#[test]
fn launches_that_no_device_runs_are_bad_input() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("policy-launches");
    std::fs::create_dir_all(&root).expect("writable");
    let kernel = "__global__ void k(int *p) { p[threadIdx.x] = 1; }\n";
    std::fs::write(root.join("k.cu"), kernel).expect("writable");
    for (arguments, part) in [
        (["--block", "2048"], "2048 threads, and no NVIDIA GPU runs more than 1024"),
        (["--block", "64x32"], "2048 threads"),
        (["--block", "1,1,65"], "more than 64 in z"),
        (["--grid", "1,65536"], "more than 65535 in y"),
        (["--grid", "1,1,65536"], "more than 65535 in z"),
        (["--dynamic-shared", "200000"], "166912 bytes of shared memory of sm_80"),
    ] {
        let ran = heddle_in(&root, &[&["check", "k.cu"], &arguments[..]].concat());
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.out);
        assert!(ran.out.contains("error[HD0901]") && ran.out.contains(part), "{}", ran.out);
        assert!(!ran.out.contains("proved "), "{arguments:?}: {}", ran.out);
    }
    // What the code itself asks for.
    let declared = [
        (
            "big.cu",
            "__global__ void k(int *p) { __shared__ int s[1 << 16]; s[threadIdx.x] = 1; p[0] = s[0]; }",
            "`k` declares 262144 bytes of shared memory, and a block has at most 232448",
        ),
        (
            "wide.ptx",
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n.reqntid 2048\n{ ret; }",
            "`k` requires 2048 threads in a block, and an NVIDIA GPU runs at most 1024",
        ),
        (
            "many.cu",
            "__global__ void __cluster_dims__(17) k(int *p) { p[blockIdx.x] = 1; }",
            "clusters of 17 blocks do not fit `k`: no NVIDIA GPU runs more than 16 blocks in one",
        ),
    ];
    for (name, text, part) in declared {
        std::fs::write(root.join(name), format!("{text}\n")).expect("writable");
        let ran = heddle_in(&root, &["check", name]);
        assert!(ran.code == 2 && ran.out.contains(part), "{}{}", ran.out, ran.err);
        assert!(!ran.out.contains("proved "), "{}", ran.out);
    }
    let big = heddle_in(&root, &["run", "big.cu", "--block", "64", "--buffer", "p=i32[1]"]);
    let said = [big.out, big.err].concat();
    assert!(
        big.code == 2 && said.contains("bytes of shared memory are more than a block"),
        "{said}"
    );
    // A grid has whole clusters, which those of this architecture know.
    let odd = ["check", "k.cu", "--arch", "sm_90", "--grid", "3", "--cluster", "2"];
    let ran = heddle_in(&root, &odd);
    assert!(ran.code == 2 && ran.out.contains("a grid has whole clusters"), "{}", ran.out);
    let far = heddle_in(&root, &["check", "k.cu", "--global-offset", "2147483648"]);
    assert!(far.code == 2 && far.err.contains("2^31"), "{}{}", far.out, far.err);
    for arguments in [["--block", "1024"], ["--grid", "65536"], ["--dynamic-shared", "166912"]] {
        let ran = heddle_in(&root, &[&["check", "k.cu"], &arguments[..]].concat());
        assert_ne!(ran.code, 2, "{arguments:?}: {}", ran.out);
    }
}

#[test]
fn only_a_comment_at_its_line_or_alone_before_it_allows() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("policy-comments");
    std::fs::create_dir_all(&root).expect("writable");
    let check = |before: &str, after: &str| {
        let text = format!(
            "__global__ void k(int *p) {{\n{before}\n  p[0] = threadIdx.x;{after}\n}}\n\
             void host(int *p) {{ k<<<2, 64>>>(p); }}\n"
        );
        std::fs::write(root.join("k.cu"), text).expect("writable");
        heddle_in(&root, &["check", "k.cu"])
    };
    let all = "heddle: allow(HD0101, HD0102, HD0103, HD0104) why";
    assert_eq!(check("", "").code, 1);
    for (before, after) in [("", format!(" // {all}")), (&*format!("  // {all}"), String::new())] {
        let ran = check(before, &after);
        assert_eq!(ran.code, 0, "{before}{after}: {}", ran.out);
    }
    for (before, after) in [
        (format!("  // {all}\n"), String::new()),
        (format!("  const char *s = \"// {all}\"; (void)s;"), String::new()),
        (String::new(), format!(" const char *s = \"// {all}\"; (void)s;")),
        (format!("  /*\n  // {all}\n  */"), String::new()),
        (String::new(), format!(" /* x // {all} */")),
        (format!("  // h{}", &all[2..]), String::new()),
    ] {
        let ran = check(&before, &after);
        assert_eq!(ran.code, 1, "{before}{after}: {}", ran.out);
    }
    let misspelt = check(&format!("  // hedle{}", &all[6..]), "");
    assert!(misspelt.out.contains("HD0902") && misspelt.code == 1, "{}", misspelt.out);
    assert!(misspelt.out.contains("is not understood"), "{}", misspelt.out);
}
