//! Vectors of instructions (`tests/vectors/*.jsonl`): made by arithmetic of their own, they kill
//! each mutant, and what Heddle runs, interprets and folds gives them.
//!
//! `HEDDLE_VECTORS=all` interprets and folds all rows, not one in eight;
//! `HEDDLE_VECTORS=write cargo test --test vectors` writes the files anew.

mod data;
mod declared;
mod oracle;
mod run;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::json;

/// The line of a file.
fn line(row: &data::Row) -> String {
    let of: Vec<&str> = row.of.iter().map(|it| it.name).collect();
    let case = |it: &data::Case| {
        let mut text = if it.open { "~".to_owned() } else { String::new() };
        for operand in &it.operands {
            let _written = write!(text, "{operand:x} ");
        }
        text + &format!("{:x}", it.result)
    };
    let mut value = json!({
        "name": row.name, "of": of.join(" "), "gives": row.gives.name,
        "cases": row.cases.iter().map(case).collect::<Vec<_>>(),
    });
    for (key, text) in [("code", &row.code), ("ptx", &row.ptx)] {
        if let Some(text) = text {
            value[key] = json!(text);
        }
    }
    value.to_string()
}

/// The rows as they are to be, by file.
fn made() -> BTreeMap<&'static str, Vec<data::Row>> {
    let mut files: BTreeMap<&str, Vec<data::Row>> = BTreeMap::new();
    for operation in oracle::operations() {
        files.entry(operation.file).or_default().push(operation.row());
    }
    files
}

#[test]
fn the_stored_results_are_exact_and_kill_each_mutant() {
    if std::env::var("HEDDLE_VECTORS").is_ok_and(|it| it == "write") {
        for (name, rows) in made() {
            let text: String = rows.iter().map(|it| line(it) + "\n").collect();
            std::fs::write(format!("tests/vectors/{name}.jsonl"), text).expect("it can be written");
        }
    }
    let mut operations: BTreeMap<String, oracle::Operation> = BTreeMap::new();
    for it in oracle::operations() {
        let name = it.name.clone();
        assert!(operations.insert(name.clone(), it).is_none(), "two operations are called {name}");
    }
    let (mut wrong, mut cases, mut mutants) = (Vec::new(), 0, 0);
    let mut seen = BTreeSet::new();
    for file in data::files() {
        for row in file.rows {
            let Some(operation) = operations.get(&row.name) else {
                wrong.push(format!("{}: nothing says what it is", row.name));
                continue;
            };
            seen.insert(row.name.clone());
            let same = (&row.of, row.gives, &row.code, &row.ptx)
                == (&operation.of, operation.gives, &operation.code, &operation.ptx);
            if !same || file.name != operation.file || row.cases.len() > data::MOST {
                wrong.push(format!("{}: its line is that of another", row.name));
            }
            for case in &row.cases {
                let exact = operation.result(&case.operands);
                let open = (operation.open)(&case.operands);
                if (exact, open) != (case.result, case.open) || !(operation.defined)(&case.operands)
                {
                    wrong.push(format!(
                        "{} of {:x?} is {exact:x}, and {:x} is stored",
                        row.name, case.operands, case.result
                    ));
                }
            }
            for alive in operation.alive(&row.cases) {
                wrong.push(format!("{}: no case tells it from `{alive}`", row.name));
            }
            cases += row.cases.len();
            mutants += operation.mutants.len();
        }
    }
    wrong.extend(
        operations.keys().filter(|it| !seen.contains(*it)).map(|it| format!("{it}: no line")),
    );
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
    assert!(
        seen.len() > 500 && cases > 15_000 && mutants > 1_500,
        "{} {cases} {mutants}",
        seen.len()
    );
}
