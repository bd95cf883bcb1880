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
