//! The dialect in IRDL, written from one table of operations.
//!
//! IRDL of MLIR 22 cannot say that an operation ends a block, so each region ends with
//! `llvm.return`, which stands for nothing. Nor has it lists of values of several types: those are
//! wrapped (`heddle.wrap`), and unwrapped where they are results.

use std::fmt::Write;

use crate::expr::{BinOp, CastOp, CmpOp, UnOp};
use crate::kernel::Family;
use crate::object::Space;
use crate::op::{
    AsyncMechanism, AtomicOp, BarrierAction, ClaimKind, ClusterAction, CrossLaneKind, Ending,
    MemoryOrder, Proxy, Reduction, RegisterMove, Scope,
};

/// What operands and results may be.
#[derive(Clone, Copy)]
enum Value {
    /// A number of so many bits.
    Bits(u8),
    /// A number.
    Any,
    /// Memory.
    Object,
    /// A value of any type, where types must be equal.
    Wrapped,
    /// So many as there are, of one type: IRDL knows no list of several. The last one of a list.
    Rest,
}

/// What an attribute may be.
enum Attribute {
    Text,
    Number,
    Truth,
    List,
    Dictionary,
    /// One of these texts.
    OneOf(Vec<&'static str>),
}

struct Operation {
    name: &'static str,
    operands: Vec<(&'static str, Value)>,
    results: Vec<(&'static str, Value)>,
    attributes: Vec<(&'static str, Attribute)>,
    has_region: bool,
}

/// The name that stands for the absence of an order, a scope, a proxy or a reduction.
pub(super) const NONE: &str = "none";

/// The text of `heddle.irdl`.
pub fn dialect() -> String {
    let mut out = String::from(
        "// Heddle's predicated IR as a dialect: `mlir-opt --irdl-file=heddle.irdl kernel.mlir`.\n\
         // Written by Heddle's tests (tests/mlir/emit.rs). Regions end with `llvm.return`, which \
         stands for nothing:\n// IRDL cannot say that an operation ends a block.\n\
         irdl.dialect @heddle {\n  irdl.type @object {}\n  irdl.type @value {}\n",
    );
    for operation in operations() {
        text(&operation, &mut out);
    }
    out.push_str("}\n");
    out
}

fn text(operation: &Operation, out: &mut String) {
    let Operation { name, operands, results, attributes, has_region } = operation;
    let mut body = String::new();
    let mut lists = String::new();
    for (word, values) in [("operands", operands), ("results", results)] {
        let mut list = Vec::new();
        for (name, value) in values {
            let (constraint, variadic) = match value {
                Value::Bits(width) => (format!("irdl.is i{width}"), ""),
                Value::Any => ("irdl.any".to_owned(), ""),
                Value::Object => ("irdl.base @heddle::@object".to_owned(), ""),
                Value::Wrapped => ("irdl.base @heddle::@value".to_owned(), ""),
                Value::Rest => ("irdl.any".to_owned(), "variadic "),
            };
            _ = writeln!(body, "    %{name} = {constraint}");
            list.push(format!("{name}: {variadic}%{name}"));
        }
        if !list.is_empty() {
            _ = writeln!(lists, "    irdl.{word}({})", list.join(", "));
        }
    }
    let mut list = Vec::new();
    for (name, attribute) in attributes {
        let base = |it: &str| format!("irdl.base \"#builtin.{it}\"");
        let constraint = match attribute {
            Attribute::Text => base("string"),
            Attribute::Number => base("integer"),
            Attribute::Truth => one_of(name, &["true", "false"], &mut body),
            Attribute::List => base("array"),
            Attribute::Dictionary => base("dictionary"),
            Attribute::OneOf(names) => {
                let names: Vec<_> = names.iter().map(|it| format!("\"{it}\"")).collect();
                let names: Vec<_> = names.iter().map(String::as_str).collect();
                one_of(name, &names, &mut body)
            }
        };
        _ = writeln!(body, "    %of_{name} = {constraint}");
        list.push(format!("\"{name}\" = %of_{name}"));
    }
    if !list.is_empty() {
        _ = writeln!(lists, "    irdl.attributes {{ {} }}", list.join(", "));
    }
    if *has_region {
        body.push_str("    %body = irdl.region\n");
        lists.push_str("    irdl.regions(body: %body)\n");
    }
    _ = write!(out, "  irdl.operation @{name} {{\n{body}{lists}  }}\n");
}

/// Constraints for each value, and the one that any of them holds.
fn one_of(name: &str, values: &[&str], body: &mut String) -> String {
    let mut names = Vec::new();
    for (number, value) in values.iter().enumerate() {
        _ = writeln!(body, "    %{name}_{number} = irdl.is {value}");
        names.push(format!("%{name}_{number}"));
    }
    format!("irdl.any_of({})", names.join(", "))
}

macro_rules! names {
    ($of:ty) => {
        <$of>::ALL.iter().map(|it| it.name()).collect::<Vec<&'static str>>()
    };
}

fn or_none(names: Vec<&'static str>) -> Attribute {
    Attribute::OneOf([vec![NONE], names].concat())
}

/// How many operands of an operation are not in a list.
pub(super) fn fixed_operands() -> Vec<(&'static str, usize)> {
    let fixed = |it: &&(&str, Value)| !matches!(it.1, Value::Rest);
    operations().iter().map(|it| (it.name, it.operands.iter().filter(fixed).count())).collect()
}

fn operations() -> Vec<Operation> {
    [of_kernels(), of_values(), of_memory(), of_threads(), of_the_rest()]
        .into_iter()
        .flatten()
        .collect()
}

/// A pure one: no predicate.
fn pure(
    name: &'static str,
    operands: &[(&'static str, Value)],
    results: &[(&'static str, Value)],
    attributes: Vec<(&'static str, Attribute)>,
) -> Operation {
    let (operands, results) = (operands.to_vec(), results.to_vec());
    Operation { name, operands, results, attributes, has_region: false }
}

/// One that threads do: its predicate comes first.
fn done(
    name: &'static str,
    operands: &[(&'static str, Value)],
    results: &[(&'static str, Value)],
    attributes: Vec<(&'static str, Attribute)>,
) -> Operation {
    let pred = [("pred", Value::Bits(1))];
    pure(name, &[&pred, operands].concat(), results, attributes)
}

fn of_kernels() -> Vec<Operation> {
    use Attribute::{Dictionary, List, Number, OneOf, Text, Truth};
    let exits = [("results", Value::Rest)];
    let kernel = vec![
        ("sym_name", Text),
        ("display_name", Text),
        ("family", OneOf(names!(Family))),
        ("sm", Number),
        ("warp_size", Number),
        ("opencl", Truth),
        ("flushes", Truth),
        ("fetches", Truth),
        ("callees_assumed", Truth),
        ("shared_aligned", Truth),
        ("returns_written", Truth),
        ("files", List),
        ("launch", Dictionary),
    ];
    let start = [("pred", Value::Bits(1)), ("init", Value::Rest)];
    vec![
        Operation { has_region: true, ..pure("kernel", &[], &[], kernel) },
        pure(
            "param",
            &[("of", Value::Rest)],
            &exits,
            vec![("index", Number), ("name", Text), ("kind", Text)],
        ),
        pure(
            "declare",
            &[],
            &[("object", Value::Object)],
            vec![
                ("name", Text),
                ("space", OneOf(names!(Space))),
                ("kind", Text),
                ("size", Text),
                ("read_only", Truth),
                ("shape", Text),
                ("initial", Text),
            ],
        ),
        Operation { has_region: true, ..pure("loop", &start, &exits, Vec::new()) },
        pure("next", &[("cont", Value::Bits(1)), ("values", Value::Rest)], &[], Vec::new()),
    ]
}

fn of_values() -> Vec<Operation> {
    use Attribute::{Number, OneOf, Text, Truth};
    use Value::{Any, Bits, Object, Rest};
    let value = [("value", Any)];
    vec![
        pure("wrap", &[("a", Any)], &[("value", Value::Wrapped)], Vec::new()),
        pure("unwrap", &[("a", Value::Wrapped)], &value, Vec::new()),
        pure("const", &[], &value, vec![("of", Number)]),
        pure("special", &[], &[("value", Bits(32))], vec![("name", Text)]),
        pure("base", &[("object", Object)], &[("value", Bits(64))], Vec::new()),
        pure("undef", &[], &value, vec![("number", Number)]),
        pure("unary", &[("a", Any)], &value, vec![("op", OneOf(names!(UnOp)))]),
        pure(
            "binary",
            &[("a", Any), ("b", Any)],
            &value,
            vec![("op", OneOf(names!(BinOp))), ("nsw", Truth), ("nuw", Truth)],
        ),
        pure(
            "cmp",
            &[("a", Any), ("b", Any)],
            &[("value", Bits(1))],
            vec![("op", OneOf(names!(CmpOp)))],
        ),
        pure("select", &[("which", Bits(1)), ("a", Any), ("b", Any)], &value, Vec::new()),
        pure("cast", &[("a", Any)], &value, vec![("op", OneOf(names!(CastOp)))]),
        pure("pure", &[("arguments", Rest)], &value, vec![("name", Text)]),
    ]
}

fn of_memory() -> Vec<Operation> {
    use Attribute::{Number, OneOf, Truth};
    use Value::{Any, Bits, Object, Rest};
    let place = [("object", Object), ("offset", Bits(64)), ("size", Bits(64))];
    let written = [&place[..], &[("values", Rest)]].concat();
    let how = || {
        vec![
            ("order", or_none(names!(MemoryOrder))),
            ("scope", or_none(names!(Scope))),
            ("volatile", Truth),
            ("align", Number),
            ("by_warp", Truth),
        ]
    };
    let mut atomic = how();
    atomic.push(("op", OneOf(names!(AtomicOp))));
    let mechanism = || ("mechanism", OneOf(names!(AsyncMechanism)));
    let copy = [
        ("destination", Object),
        ("to", Bits(64)),
        ("source", Object),
        ("from", Bits(64)),
        ("size", Bits(64)),
        ("rest", Rest),
    ];
    vec![
        done("load", &place, &[("results", Rest)], how()),
        done("store", &written, &[], how()),
        done("atomic", &written, &[("results", Rest)], atomic),
        done("copy", &copy, &[("results", Rest)], {
            let strided = ("strided", OneOf(vec!["none", "source", "destination"]));
            let has = ["has_read", "has_mbarrier", "has_event"].map(|it| (it, Truth));
            let last = [strided, ("combines", Truth)];
            [mechanism()].into_iter().chain(has).chain(last).collect()
        }),
        done("wait_events", &[("events", Rest)], &[], vec![]),
        done("commit", &[], &[], vec![mechanism()]),
        done("wait", &[("pending", Any)], &[], vec![mechanism(), ("read_only", Truth)]),
        done(
            "fence",
            &[],
            &[],
            vec![
                ("order", OneOf(names!(MemoryOrder))),
                ("scope", OneOf(names!(Scope))),
                ("proxy", or_none(names!(Proxy))),
            ],
        ),
        done(
            "opaque",
            &[("rest", Rest)],
            &[("results", Rest)],
            vec![
                ("name", Attribute::Text),
                ("arguments", Number),
                ("reads", Number),
                ("writes", Number),
                ("reads_spaces", Attribute::List),
                ("writes_spaces", Attribute::List),
                ("synchronizes", Truth),
            ],
        ),
    ]
}

fn of_threads() -> Vec<Operation> {
    use Attribute::{OneOf, Truth};
    use Value::{Any, Bits, Object, Rest};
    let results = [("results", Rest)];
    let reduction = || ("reduction", or_none(names!(Reduction)));
    let actions = || MBARRIER_ACTIONS.to_vec();
    vec![
        done(
            "barrier_block",
            &[("orders", Bits(32)), ("rest", Rest)],
            &results,
            vec![("aligned", Truth), reduction()],
        ),
        done(
            "barrier_named",
            &[("id", Bits(32)), ("rest", Rest)],
            &results,
            vec![
                ("action", OneOf(names!(BarrierAction))),
                ("aligned", Truth),
                ("has_count", Truth),
                reduction(),
            ],
        ),
        done("barrier_warp", &[("mask", Any), ("orders", Bits(32))], &[], Vec::new()),
        done(
            "barrier_cluster",
            &[],
            &[],
            vec![
                ("action", OneOf(names!(ClusterAction))),
                ("order", OneOf(names!(MemoryOrder))),
                ("aligned", Truth),
            ],
        ),
        done("barrier_grid", &[], &[], Vec::new()),
        done(
            "mbarrier",
            &[("object", Object), ("offset", Bits(64)), ("rest", Rest)],
            &results,
            vec![("action", OneOf(actions())), ("has_transactions", Truth)],
        ),
        done(
            "cross_lane",
            &[("rest", Rest)],
            &results,
            vec![("kind", OneOf(names!(CrossLaneKind))), ("has_mask", Truth)],
        ),
    ]
}

/// What is done to a barrier object, as the textual form has it.
pub(super) const MBARRIER_ACTIONS: [&str; 13] = [
    "init",
    "invalidate",
    "arrive",
    "arrive_drop",
    "expect_tx",
    "complete_tx",
    "copies_arrive",
    "copies_arrive_extra",
    "products_arrive",
    "test_token",
    "test_parity",
    "try_wait_token",
    "try_wait_parity",
];

fn of_the_rest() -> Vec<Operation> {
    use Attribute::{OneOf, Text};
    let condition = [("condition", Value::Bits(1))];
    vec![
        done("assume", &condition, &[], Vec::new()),
        done("assert", &condition, &[], vec![("message", Text)]),
        done("claim", &condition, &[], vec![("kind", OneOf(names!(ClaimKind))), ("text", Text)]),
        done("exit", &[], &[], vec![("ending", OneOf(names!(Ending)))]),
        done("registers", &[], &[], vec![("how", OneOf(names!(RegisterMove)))]),
    ]
}
