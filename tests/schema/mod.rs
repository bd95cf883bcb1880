//! The SARIF 2.1.0 schema by OASIS, as the crate that our types are made from carries it, and the
//! one of our own JSON.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

const ID: &str = "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json";

/// Reads the schema. What it does not refuse here it refuses nowhere.
pub(crate) fn validator() -> jsonschema::Validator {
    // Packages of other systems need not be here.
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--format-version", "1", "--filter-platform", &platform])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    let said = String::from_utf8_lossy(&metadata.stderr);
    let metadata: Value = serde_json::from_slice(&metadata.stdout)
        .unwrap_or_else(|error| panic!("cargo's metadata: {error}: {said}"));
    let packages = metadata["packages"].as_array().expect("packages");
    let of = packages.iter().find(|it| it["name"] == "serde-sarif").expect("serde-sarif is used");
    let manifest = Path::new(of["manifest_path"].as_str().expect("a path"));
    let schema = std::fs::read(manifest.with_file_name("src").join("schema.json"));
    // As published, one pattern (of a run's `language`, which no log of ours has) is no regular
    // expression of ECMA-262: it closes a bracket that it never opened.
    let schema = String::from_utf8(schema.expect("the schema")).expect("UTF-8");
    let mended = schema.replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}?$");
    let schema: Value = serde_json::from_str(&mended).expect("JSON");
    assert_eq!(schema["$id"], ID);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let no_tool = r#"{"version": "2.1.0", "runs": [{"results": []}]}"#;
    assert!(!errors(&validator, no_tool).is_empty(), "a run without a tool is not valid");
    validator
}

/// What is wrong with a log.
pub(crate) fn errors(validator: &jsonschema::Validator, log: &str) -> Vec<String> {
    let log: Value = serde_json::from_str(log).expect("JSON");
    validator.iter_errors(&log).map(|it| format!("{}: {it}", it.instance_path())).collect()
}

/// A validator for the documents (`document`) or the lines (`line`) of `docs/outputs.schema.json`.
/// The published schema lets readers meet new fields; here each field must be in it.
pub(crate) fn ours(name: &str) -> jsonschema::Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/outputs.schema.json");
    let text = std::fs::read(path).expect("the schema is there");
    let mut schema: Value = serde_json::from_slice(&text).expect("JSON");
    close(&mut schema);
    schema.as_object_mut().expect("an object").remove("anyOf").expect("both of them");
    schema["$ref"] = format!("#/$defs/{name}").into();
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    assert!(
        !errors(&validator, r#"{"type": "end", "schema": 1}"#).is_empty(),
        "something is refused"
    );
    validator
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if map.contains_key("required") {
                map.insert("additionalProperties".to_owned(), false.into());
            }
            map.values_mut().for_each(close);
        }
        Value::Array(list) => list.iter_mut().for_each(close),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
