//! A run in parts: put together, the parts are the run, to the byte and to the exit code.

use crate::Project;

const FORMATS: [&str; 7] = ["human", "short", "json", "jsonl", "sarif", "github", "junit"];

impl Project {
    /// Checks each part into a record, and gives the records' names.
    fn in_parts(&self, count: u32, more: &[&str]) -> Vec<String> {
        let part = |index: u32| {
            let (shard, record) = (format!("{index}/{count}"), format!("{index}-of-{count}.json"));
            let format = format!("record={record}");
            let arguments =
                ["check", "-p", "build", "--shard", &shard, "--format", &format, "--quiet"];
            self.heddle(&[&arguments[..], more].concat());
            record
        };
        (1..=count).map(part).collect()
    }

    fn merged(&self, records: &[String], format: &str) -> (String, i32) {
        let records: Vec<_> = records.iter().map(String::as_str).collect();
        let ran = self.heddle(&[&["merge", "--format", format], &records[..]].concat());
        assert_eq!(ran.err, "");
        (ran.out, ran.code)
    }
}

#[test]
fn parts_put_together_are_the_run() {
    let project = Project::with_database("parts");
    // Of three units: some in each part, and parts without any.
    for count in [1, 2, 5] {
        let mut records = project.in_parts(count, &[]);
        records.reverse();
        for format in FORMATS {
            let whole = project.heddle(&["check", "-p", "build", "--format", format]);
            assert_eq!(
                project.merged(&records, format),
                (whole.out, whole.code),
                "{count} parts as {format}"
            );
        }
    }
}

#[test]
fn a_part_ends_with_its_own_exit_code() {
    let project = Project::with_database("codes");
    let code = |shard: &str| project.heddle(&["check", "-p", "build", "--shard", shard]).code;
    assert_eq!(["1/3", "2/3", "3/3"].map(code), [0, 0, 1]);
    assert_eq!(code("4/4"), 0, "no unit is in this part");
    assert_eq!(code("4/3"), 2);
}

#[test]
fn a_part_that_lacks_or_does_not_belong_is_said() {
    let project = Project::with_database("lacks");
    let records = project.in_parts(2, &[]);
    let (out, code) = project.merged(&records[..1], "short");
    assert!(code == 2 && out.contains("HD0901]: part 2 of 2 is missing"), "{out}");
    let (out, code) = project.merged(&[records[0].clone(), records[0].clone()], "short");
    assert!(
        code == 2 && out.contains("this is part 1 again") && out.contains("part 2 of 2"),
        "{out}"
    );
    project.file("wrong.json", "{}");
    let (out, code) =
        project.merged(&[records[0].clone(), records[1].clone(), "wrong.json".to_owned()], "short");
    assert!(code == 2 && out.contains("wrong.json: this is no part of a run"), "{out}");
    let other = project.in_parts(2, &["--block", "32"]);
    project.in_parts(1, &[]);
    project
        .file("first.json", &std::fs::read_to_string(project.root.join(&other[0])).expect("there"));
    let again = project.in_parts(2, &[]);
    let (out, code) = project.merged(&["first.json".to_owned(), again[1].clone()], "short");
    assert!(code == 2 && out.contains("not of the same run"), "{out}");
    assert_eq!(project.heddle(&["merge", "none.json"]).code, 2);
}

/// Units, commands and options are the same, and a header that two parts include is not.
#[test]
fn parts_that_read_another_text_of_a_header_are_refused() {
    let project = Project::with_database("headers");
    for cache in [&[][..], &["--cache", "kept"]] {
        let records = project.in_parts(3, cache);
        let (whole, code) = project.merged(&records, "short");
        assert!(code == 1 && !whole.contains("HD0901"), "{whole}");
        let scan = std::fs::read_to_string(project.root.join("include/scan.cuh")).expect("there");
        project.file("include/scan.cuh", &format!("{scan}// changed\n"));
        let last = ["check", "-p", "build", "--shard", "3/3", "--format", "record=late.json"];
        project.heddle(&[&last[..], &["--quiet"], cache].concat());
        let mixed = [records[0].clone(), records[1].clone(), "late.json".to_owned()];
        let (out, code) = project.merged(&mixed, "short");
        assert_eq!(code, 2, "{out}");
        let why = "late.json: this is not of the same run as 2-of-3.json: `include/scan.cuh` was another one there";
        assert!(out.contains(why), "{out}");
        // All of the parts again, and they fit.
        let (out, code) = project.merged(&project.in_parts(3, cache), "short");
        assert!(code == 1 && !out.contains("HD0901"), "{out}");
        project.file("include/scan.cuh", &scan);
    }
}

#[test]
fn an_option_must_meet_a_kernel_of_some_part() {
    let project = Project::with_database("unmet");
    let n = project.in_parts(3, &["--arg", "n=4"]);
    let whole = project.heddle(&["check", "-p", "build", "--arg", "n=4"]);
    assert_eq!(project.merged(&n, "human"), (whole.out, whole.code));
    let m = project.in_parts(3, &["--arg", "m=4", "--kernel", "nobody*"]);
    let (out, code) = project.merged(&m, "short");
    assert!(code == 2 && out.contains("`--arg m`: no kernel of any part"), "{out}");
    assert!(out.contains("`--kernel nobody*`: no kernel of any part"), "{out}");
}

#[test]
fn records_of_named_files_are_put_together_too() {
    let project = Project::with_sources("named");
    let files = ["src/fine.cu", "src/c.cl"];
    let options = ["--", "-Iinclude"];
    for (index, file) in files.iter().enumerate() {
        let format = format!("record={index}.json");
        project.heddle(&[&["check", file, "--format", &format, "--quiet"], &options[..]].concat());
    }
    let whole = project.heddle(&[&["check"], &files[..], &options].concat());
    assert_eq!(
        project.merged(&["0.json".to_owned(), "1.json".to_owned()], "human"),
        (whole.out, 0)
    );
}

/// A suppression of use in one unit alone, one that is of no use anywhere, and two races.
fn with_decisions(name: &str) -> Project {
    let project = Project::with_database(name);
    let allowed = crate::RACE.replace(
        "  s[threadIdx.x] = SCALE;",
        "  // heddle: allow(HD0101) the value does not matter\n  s[threadIdx.x] = SCALE;",
    );
    project.file("src/race.cu", &allowed);
    let unused = format!("// heddle: allow(HD0104) nothing here\n{}", crate::FINE);
    project.file("src/fine.cu", &unused);
    project.file("src/c.cl", "__kernel void c(__global int *o) { o[0] = get_local_id(0); }\n");
    project
}

#[test]
fn what_is_decided_holds_for_parts_as_for_the_whole() {
    let project = with_decisions("decided");
    for (toml, code) in [
        ("", 1),
        ("fail-on = \"never\"\n", 0),
        ("fail-on = \"warning\"\n[severity]\nHD0101 = \"note\"\nHD0104 = \"note\"\n", 1),
        ("[severity]\nHD0101 = \"ignore\"\nHD0104 = \"ignore\"\nHD0902 = \"error\"\n", 1),
    ] {
        project.file("heddle.toml", toml);
        for count in [1, 3] {
            let records = project.in_parts(count, &[]);
            for format in FORMATS {
                let whole = project.heddle(&["check", "-p", "build", "--format", format]);
                assert_eq!(whole.code, code, "{toml}: {}{}", whole.out, whole.err);
                assert!(format != "short" || whole.out.contains("HD0902]"), "{}", whole.out);
                assert_eq!(
                    project.merged(&records, format),
                    (whole.out, whole.code),
                    "{count} parts as {format} under\n{toml}"
                );
            }
        }
    }
}

#[test]
fn parts_of_a_selection_do_not_call_comments_useless() {
    let project = with_decisions("selection");
    let select = ["--kernel", "c"];
    let records = project.in_parts(3, &select);
    let whole = project.heddle(&[&["check", "-p", "build"], &select[..]].concat());
    assert!(!whole.out.contains("HD0902"), "{}", whole.out);
    assert_eq!(project.merged(&records, "human"), (whole.out, whole.code));
}

#[test]
fn merging_decides_anew() {
    let project = with_decisions("anew");
    let records = project.in_parts(2, &[]);
    let merge = |more: &[&str]| {
        let records = records.iter().map(String::as_str);
        project.heddle(
            &["merge"].into_iter().chain(records).chain(more.iter().copied()).collect::<Vec<_>>(),
        )
    };
    assert_eq!(merge(&[]).code, 1);
    assert_eq!(merge(&["--fail-on", "never"]).code, 0);
    let lowered = ["-W", "HD0101=note", "-W", "HD0104=note"];
    assert_eq!(merge(&lowered).code, 0, "{}", merge(&lowered).out);
    assert_eq!(merge(&[&lowered[..], &["--fail-on", "warning"]].concat()).code, 1);
    let written = project.heddle(&["baseline", "-p", "build"]);
    assert_eq!(written.code, 0, "{}", written.err);
    let known = merge(&["--baseline", "heddle-baseline.json"]);
    let whole = project.heddle(&["check", "-p", "build", "--baseline", "heddle-baseline.json"]);
    assert_eq!((known.code, known.out), (0, whole.out));
    let wrong = merge(&["--baseline", "none.json"]);
    assert!(wrong.code == 2 && wrong.err.contains("`none.json` cannot be read"), "{wrong:?}");
}

#[test]
fn parts_between_which_a_header_appears_or_goes_are_not_merged() {
    for appears in [true, false] {
        let project = Project::new(&format!("parts-late-{appears}"));
        let asks = "#if __has_include(\"late.h\")\n#define RACE\n#endif\n";
        for (name, kernel) in [("a.cu", "k1"), ("b.cu", "k2")] {
            let text = format!(
                "{asks}__global__ void {kernel}(int *p) {{\n#ifdef RACE\n  p[0] = threadIdx.x;\n#endif\n}}\n\
                 void host(int *p) {{ {kernel}<<<2, 64>>>(p); }}\n"
            );
            project.file(name, &text);
        }
        let [a, b] = ["../a.cu", "../b.cu"].map(|it| (it, format!("clang++ -c {it}")));
        project.database(&[(a.0, &a.1), (b.0, &b.1)]);
        let part = |index: &str| {
            let record = format!("record={}.json", &index[..1]);
            project.heddle(&[
                "check", "-p", "build", "--cache", "kept", "--shard", index, "--format", &record,
            ])
        };
        let late = project.root.join("late.h");
        let there = |wanted: bool| match wanted {
            true => project.file("late.h", ""),
            false => std::fs::remove_file(&late).expect("it is ours"),
        };
        if !appears {
            there(true);
        }
        part("1/2");
        part("2/2");
        let merge = || project.heddle(&["merge", "1.json", "2.json"]);
        assert_eq!(merge().code, if appears { 0 } else { 1 }, "{}", merge().out);
        // The first part again, as the cache has it, and the second with another answer.
        part("1/2");
        there(appears);
        part("2/2");
        let ran = merge();
        assert!(ran.code == 2 && ran.out.contains("late.h"), "{}", ran.out);
    }
}
