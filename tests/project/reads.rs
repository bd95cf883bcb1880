//! A kept answer is never one about another program: each way in which clang can come to read
//! something else is tried, and the cached run must say what a run without a cache says.

use std::process::Command;

use crate::Project;

/// A race if `RACE` is defined, whoever defines it.
const KERNEL: &str = "__global__ void k(int *p) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
#ifdef RACE
  p[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x ^ 1];
#endif
}
void host(int *p) { k<<<2, 64>>>(p); }
";

/// A source with `before` in front of the kernel.
fn source(before: &str) -> String {
    format!("{before}\n{KERNEL}")
}

impl Project {
    /// Checks `k.cu` with the cache; the exit code, which is that of a run without it.
    fn kept_code(&self, arguments: &[&str]) -> i32 {
        let after: &[&str] = if arguments.is_empty() { &[] } else { &["--"] };
        let plain = self.heddle(&[&["check", "k.cu"], after, arguments].concat());
        let kept = self.heddle(&[&["check", "k.cu", "--cache", "kept"], after, arguments].concat());
        assert_eq!((&kept.out, kept.code), (&plain.out, plain.code), "{arguments:?}");
        kept.code
    }

    /// Proved twice, the second time from the cache; then `change` makes it a race.
    fn turns(&self, arguments: &[&str], change: impl FnOnce(&Project)) {
        assert_eq!(self.kept_code(arguments), 0, "{arguments:?}");
        assert_eq!(self.kept_code(arguments), 0, "{arguments:?}");
        let known = self.heddle(
            &[&["check", "k.cu", "--cache", "kept", "--timings", "--"], arguments].concat(),
        );
        assert!(known.err.contains("cache: 1 sources known"), "{arguments:?}: {}", known.err);
        change(self);
        assert_eq!(self.kept_code(arguments), 1, "{arguments:?}");
    }
}

#[test]
fn a_response_file_is_part_of_the_question() {
    let project = Project::new("reads-response");
    project.file("k.cu", KERNEL);
    project.file("f.rsp", "-DNOTHING");
    project.turns(&["@f.rsp"], |it| it.file("f.rsp", "-DRACE"));
}

#[test]
fn a_configuration_file_of_clang_is_part_of_the_question() {
    let project = Project::new("reads-config");
    project.file("k.cu", KERNEL);
    project.file("c.cfg", "-DNOTHING\n");
    project.turns(&["--config=./c.cfg"], |it| it.file("c.cfg", "-DRACE\n"));
}

#[test]
fn an_overlay_is_read_and_is_part_of_the_question() {
    let project = Project::new("reads-overlay");
    project.file("k.cu", &source("#include \"v.h\""));
    project.file("none.h", "");
    project.file("race.h", "#define RACE\n");
    let root = project.root.display().to_string();
    let overlay = |real: &str| {
        format!(
            "{{ 'version': 0, 'roots': [ {{ 'type': 'file', 'name': '{root}/v.h', \
             'external-contents': '{root}/{real}' }} ] }}\n"
        )
    };
    project.file("o.yaml", &overlay("none.h"));
    project.turns(&["-ivfsoverlay", "o.yaml"], |it| it.file("o.yaml", &overlay("race.h")));
    // And the file behind it.
    project.file("o.yaml", &overlay("none.h"));
    assert_eq!(project.kept_code(&["-ivfsoverlay", "o.yaml"]), 0);
    project.file("none.h", "#define RACE\n");
    assert_eq!(project.kept_code(&["-ivfsoverlay", "o.yaml"]), 1);
}

#[test]
fn what_was_looked_for_in_vain_is_part_of_the_question() {
    for (name, before, appears) in [
        ("include", "#if __has_include(\"late.h\")\n#define RACE\n#endif", "late.h"),
        ("folder", "#if __has_include(\"sub/late.h\")\n#define RACE\n#endif", "sub/late.h"),
        ("system", "#if __has_include(<late.h>)\n#define RACE\n#endif", "inc/late.h"),
        ("embed", "#if __has_embed(\"late.bin\")\n#define RACE\n#endif", "late.bin"),
    ] {
        let project = Project::new(&format!("reads-vain-{name}"));
        project.file("k.cu", &source(before));
        project.turns(&["-Iinc", "-w"], |it| it.file(appears, "x"));
    }
}

#[test]
fn a_file_that_was_empty_is_another_one() {
    let project = Project::new("reads-empty");
    let asks = "#if __has_embed(\"late.bin\") == __STDC_EMBED_FOUND__\n#define RACE\n#endif";
    project.file("k.cu", &source(asks));
    project.file("late.bin", "");
    project.turns(&["-w"], |it| it.file("late.bin", "x"));
}

#[test]
fn the_environment_of_clang_is_part_of_the_question() {
    let project = Project::new("reads-environment");
    project.file("k.cu", &source(""));
    project.file("u/clang.cfg", "-DRACE\n");
    project.file("u/clang++.cfg", "-DRACE\n");
    let check = ["check", "k.cu", "--cache", "kept", "--", "--config-user-dir=u"];
    let without = project.command(&check).env("CLANG_NO_DEFAULT_CONFIG", "1").output();
    assert_eq!(without.expect("it starts").status.code(), Some(0));
    assert_eq!(project.heddle(&check).code, 1, "the file of options counts now");
}

#[test]
fn a_header_in_front_of_another_is_found() {
    let project = Project::new("reads-front");
    project.file("k.cu", &source("#include <v.h>"));
    project.file("late/v.h", "");
    // The first folder is not there when it is first looked at.
    project.turns(&["-Iearly", "-Ilate"], |it| it.file("early/v.h", "#define RACE\n"));
}

#[test]
fn what_goes_past_the_files_is_not_kept_and_is_said() {
    let project = Project::new("reads-past");
    project.file("k.cu", &source("__device__ const char *when = __TIME__;"));
    let check = ["check", "k.cu", "--cache", "kept", "--timings"];
    for _ in 0..2 {
        let ran = project.heddle(&check);
        assert_eq!(ran.code, 0, "{}", ran.out);
        let said = "warning: `k.cu` is compiled at each run: it depends on the time of day";
        assert!(ran.err.contains(said), "{}", ran.err);
        assert!(ran.err.contains("0 sources known and 1 read"), "{}", ran.err);
    }
    project.file("k.cu", KERNEL);
    let clang = || project.command(&check).env("HEDDLE_CLANG", "clang-22").output();
    for _ in 0..2 {
        let ran = clang().expect("the binary starts");
        let err = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(err.contains("it depends on a clang in a process of its own"), "{err}");
        assert!(err.contains("0 sources known and 1 read"), "{err}");
    }
}

#[test]
fn entries_that_are_links_or_pipes_are_not_opened() {
    let project = Project::new("reads-entries");
    project.file("k.cu", KERNEL);
    assert_eq!(project.kept_code(&[]), 0);
    let entries = [project.kept("unit"), project.kept("kernel")].concat();
    assert_eq!(entries.len(), 2);
    for entry in &entries {
        std::fs::remove_file(entry).expect("it is there");
        let made = Command::new("mkfifo").arg(entry).status().expect("`mkfifo` is there");
        assert!(made.success());
    }
    let ran = project.heddle(&["check", "k.cu", "--cache", "kept"]);
    assert_eq!((ran.code, ran.err.matches(" is damaged ").count()), (0, 2), "{}", ran.err);
    // The pipes were replaced. A link, even to a good entry, is not followed.
    for entry in &entries {
        let aside = entry.with_extension("aside");
        std::fs::rename(entry, &aside).expect("it is there");
        std::os::unix::fs::symlink(&aside, entry).expect("writable");
    }
    let ran = project.heddle(&["check", "k.cu", "--cache", "kept"]);
    assert_eq!((ran.code, ran.err.matches(" is damaged ").count()), (0, 2), "{}", ran.err);
    // A source that became a pipe is an error at once.
    std::fs::remove_file(project.root.join("k.cu")).expect("it is there");
    let path = project.root.join("k.cu");
    assert!(Command::new("mkfifo").arg(&path).status().expect("`mkfifo` is there").success());
    let ran = project.heddle(&["check", "k.cu", "--cache", "kept"]);
    assert!(ran.code == 2 && ran.out.contains("k.cu: "), "{}", ran.out);
}

#[test]
fn names_that_are_one_file_are_part_of_the_question() {
    let project = Project::new("reads-hard-links");
    project.file("k.cu", &source("#include \"a.h\"\n#include \"b.h\""));
    let once = "#pragma once\n#ifdef ONCE\n#define RACE\n#endif\n#define ONCE\n";
    project.file("a.h", once);
    let b = project.root.join("b.h");
    std::fs::hard_link(project.root.join("a.h"), &b).expect("writable");
    project.turns(&["-w"], |it| {
        std::fs::remove_file(&b).expect("it is ours");
        it.file("b.h", once);
    });
}
