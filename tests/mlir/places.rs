//! Findings stand where MLIR's locations say: in files, under names, in parts that were fused, and
//! at calls that were inlined.

use crate::{file, heddle};

/// A kernel in which all threads store to one element, at this location.
fn kernel(location: &str) -> String {
    format!(
        "gpu.module @m {{
  gpu.func @k(%out: memref<?xindex>) kernel {{
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    memref.store %t, %out[%c0] : memref<?xindex> {location}
    gpu.return
  }}
}}
"
    )
}

/// The report on a text, as JSON in one line.
fn said(name: &str, text: &str) -> String {
    let path = file(name, text.as_bytes());
    let arguments = ["check", "--grid", "1", "--block", "64", "--format", "json"];
    let output = heddle(&[&arguments[..], &[&*path.to_string_lossy()]].concat());
    let report: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("a report in JSON");
    report.to_string()
}

#[test]
fn each_kind_of_location_gives_its_place() {
    for (name, location, parts) in [
        ("none", "", &[r#""column":5"#, r#""line":5,"path":"target/tmp/place_none.mlir""#][..]),
        ("file", r#"loc("lib/x.py":7:3)"#, &[r#""column":3"#, r#""line":7,"path":"lib/x.py""#]),
        ("name", r#"loc("sum"("x.py":8:3))"#, &[r#""line":8,"path":"x.py""#]),
        ("fused", r#"loc(fused["x.py":9:1, "y.py":2:2])"#, &[r#""line":9,"path":"x.py""#]),
        ("meta", r#"loc(fused<"m">["x.py":10:1])"#, &[r#""line":10,"path":"x.py""#]),
        (
            "call",
            r#"loc(callsite("f"("lib.py":30:4) at "user.py":7:2))"#,
            &[
                r#""line":30,"path":"lib.py""#,
                r#""inlined_at":[{"column":2,"function":"k","line":7,"path":"user.py"}]"#,
            ],
        ),
        (
            "calls",
            r#"loc(callsite(callsite("a.py":1:1 at "b.py":2:2) at "c.py":3:3))"#,
            &[
                r#""line":1,"path":"a.py""#,
                r#""inlined_at":[{"column":2,"function":"k","line":2,"path":"b.py"},{"column":3,"function":"k","line":3,"path":"c.py"}]"#,
            ],
        ),
    ] {
        let said = said(&format!("place_{name}.mlir"), &kernel(location));
        assert!(said.contains("HD0101"), "{name}: {said}");
        for part in parts {
            assert!(said.contains(part), "{name}: `{part}` is not in {said}");
        }
    }
}

#[test]
fn a_location_that_is_not_known_costs_the_place_and_not_the_finding() {
    let said = said("place_unknown.mlir", &kernel("loc(unknown)"));
    assert!(said.contains("HD0101"), "{said}");
}

#[test]
fn what_a_function_does_is_shown_with_the_call() {
    let text = "gpu.module @m {
  func.func private @put(%to: memref<?xindex>, %what: index) {
    %c0 = arith.constant 0 : index
    memref.store %what, %to[%c0] : memref<?xindex>
    return
  }
  gpu.func @k(%out: memref<?xindex>) kernel {
    %t = gpu.thread_id x
    func.call @put(%out, %t) : (memref<?xindex>, index) -> ()
    gpu.return
  }
}
";
    let said = said("place_function.mlir", text);
    let place = r#""function":"put","inlined_at":[{"column":5,"function":"k","line":9"#;
    assert!(said.contains(place), "{said}");
}
