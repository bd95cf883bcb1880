//! The examples in `docs/codes/` do what their page says: the first shows its finding, the repaired
//! one has none. The page of HD0999 is the only one without. Each command of `docs/debugging.md` is
//! run, and prints what the page shows.

mod harness;

use std::path::PathBuf;

use harness::{Case, fail_with, on_all_cores, overall};
use heddle_diagnostics::{Code, Example, ExitCode, Finding, Report, examples};

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

#[test]
fn only_the_page_of_our_own_faults_has_no_example() {
    let bare: Vec<_> =
        Code::ALL.iter().filter(|code| examples(code.page()).is_empty()).copied().collect();
    assert_eq!(bare, [Code::InternalError], "no input shows a fault that is known: it is repaired");
    let page = Code::InternalError.page();
    for said in ["no example to run", "Report it", "`heddle --version`", "`heddle lift`"] {
        assert!(page.contains(said), "docs/codes/HD0999.md says why, and how to report it: {said}");
    }
}

/// Input that clang refuses has no kernel for a finding to stand in: the line is in what clang
/// says.
fn refused(case: &Case, report: &Report) -> Vec<String> {
    let findings: Vec<_> = report.open_findings().collect();
    let mut lines = Vec::new();
    for (line, code) in &case.markers {
        let says = format!(":{line}:");
        let told = |it: &Finding| it.code == *code && it.notes.iter().any(|it| it.contains(&says));
        if !findings.iter().any(|it| told(it)) {
            lines.push(format!("line {line}: no {code} whose note names it"));
        }
    }
    if !report.kernels().is_empty() || findings.len() != case.markers.len() {
        lines.push(format!("more was said than that it is refused: {findings:?}"));
    }
    if report.exit_code() != ExitCode::Input {
        lines.push(format!("it ends with {:?}", report.exit_code()));
    }
    lines
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
    if code == Code::BadInput && example.expects_finding {
        return Ok(refused(&case, &outcome.report));
    }
    let mut lines = case.disagreements(&outcome.report);
    if !example.expects_finding && overall(&outcome.report) != "proved" {
        lines.push(format!("the repaired example is {}", overall(&outcome.report)));
    }
    Ok(lines)
}

/// A command of a page, and the lines that it shows of what is printed.
fn commands(page: &str) -> Vec<(String, Vec<String>)> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match (line, line.strip_prefix("$ ")) {
            ("```console", _) => inside = true,
            ("```", _) => inside = false,
            (_, Some(command)) if inside => all.push((command.to_owned(), Vec::new())),
            (shown, None) if inside && shown != "…" => {
                let (_, lines) = all.last_mut().expect("a command is first");
                lines.push(shown.to_owned());
            }
            _ => {}
        }
    }
    all
}

#[test]
fn every_command_of_the_page_on_debugging_prints_what_it_shows() {
    let page = std::fs::read_to_string("docs/debugging.md").expect("the page is there");
    let commands = commands(&page);
    assert_eq!(page.matches("\n$ ").count(), commands.len(), "commands stand in console blocks");
    assert!(commands.len() >= 6, "the page has commands");
    for (command, shown) in commands {
        let given = command.strip_prefix("heddle ").expect("commands are heddle's");
        // Words in quotes are one.
        let mut words: Vec<String> = Vec::new();
        for (index, part) in given.split('\'').enumerate() {
            match index % 2 {
                0 => words.extend(part.split_whitespace().map(str::to_owned)),
                _ => words.push(part.to_owned()),
            }
        }
        words.retain(|word| word != "2>&1");
        if let Some(folder) = words.iter_mut().find(|word| *word == "queries") {
            *folder = format!("{}/debugging_queries", env!("CARGO_TARGET_TMPDIR"));
        }
        let run = std::process::Command::new(env!("CARGO_BIN_EXE_heddle"))
            .args(&words)
            .output()
            .expect("the binary starts");
        let said = [run.stderr, run.stdout].concat();
        let said = String::from_utf8(said).expect("output is UTF-8");
        let mut lines = said.lines();
        for line in shown {
            assert!(
                lines.any(|it| it == line),
                "`{command}` does not print, in its place:\n{line}\n{said}"
            );
        }
    }
}
