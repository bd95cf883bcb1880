//! The examples in `docs/codes/` do what their page says: the first shows its finding, the repaired one has none.

mod harness;

use std::path::PathBuf;

use harness::{Case, fail_with, on_all_cores, overall};
use heddle_diagnostics::{Code, Example, examples};

#[test]
fn every_example_of_every_page_answers_as_marked() {
    let cases: Vec<_> = Code::ALL
        .iter()
        .flat_map(|&code| {
            let checked = examples(code.page()).into_iter().filter(|it| !it.dynamic);
            (1..).zip(checked).map(move |(number, example)| (code, number, example))
        })
        .collect();
    assert!(cases.len() >= 2, "the pages have examples");
    let wrong = on_all_cores(&cases, |(code, number, example)| {
        let lines = disagreements(*code, *number, example).unwrap_or_else(|error| vec![error]);
        lines
            .into_iter()
            .map(|line| format!("docs/codes/{code}.md, example {number}: {line}"))
            .collect::<Vec<_>>()
    });
    fail_with(
        &wrong.concat(),
        "correct the example, or the check: a page says what its reader will see",
    );
}

fn disagreements(code: Code, number: u32, example: &Example) -> Result<Vec<String>, String> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("{code}_{number}.{}", example.lang.extension()));
    let head = "// An example.\n";
    let head =
        if example.lang.extension() == "ll" { head.replace("//", ";") } else { head.to_owned() };
    std::fs::write(&path, head + &example.code).map_err(|error| error.to_string())?;
    let case = Case::read(&path)?;
    let outcome = case.answer();
    let mut lines = case.disagreements(&outcome.report);
    if !example.expects_finding && overall(&outcome.report) != "proved" {
        lines.push(format!("the repaired example is {}", overall(&outcome.report)));
    }
    Ok(lines)
}
