//! Conditions mean what C says, and what is no condition is refused at its column.

use super::*;
use heddle_ir::{Family, KernelBuilder, Param, Target, mask};
use heddle_solver::{Model, Value};

const PARAMS: [(&str, u8); 5] = [("n", 32), ("m", 64), ("c", 8), ("flag", 1), ("cfg.rows", 32)];

fn kernel() -> Kernel {
    let target =
        Target { family: Family::Nvptx, sm: 80, warp_size: 32, opencl: false, flushes: false };
    let mut builder = KernelBuilder::new("k", target);
    for (name, width) in PARAMS {
        builder.param(Param::new(name, ParamKind::Scalar { width }));
    }
    builder.finish()
}

/// Whether the condition holds with these values; the rest is zero.
fn holds(text: &str, values: &[(&str, i64)]) -> bool {
    holds_in(kernel(), text, values)
}

/// The same where the source declares all numbers so.
fn holds_declared(sign: Sign, text: &str, values: &[(&str, i64)]) -> bool {
    holds_in(declared(sign), text, values)
}

fn declared(sign: Sign) -> Kernel {
    let mut kernel = kernel();
    kernel.params.iter_mut().for_each(|it| it.sign = Some(sign));
    kernel
}

fn holds_in(mut kernel: Kernel, text: &str, values: &[(&str, i64)]) -> bool {
    let condition = parse_condition(&mut kernel, text).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(kernel.exprs.width(condition), 1, "{text}");
    let mut model = Model::new();
    for (index, (name, width)) in PARAMS.into_iter().enumerate() {
        let value = values.iter().find(|(it, _)| *it == name).map_or(0, |(_, value)| *value);
        let leaf = kernel.exprs.param(index as u32, width);
        model.set_leaf(leaf, mask(value as u128, width));
    }
    for (name, special) in [("blockDim.x", Special::Ntid(0)), ("gridDim.y", Special::Nctaid(1))] {
        let value = values.iter().find(|(it, _)| *it == name).map_or(0, |(_, value)| *value);
        let leaf = kernel.exprs.special(special);
        model.set_leaf(leaf, value as u128);
    }
    model.evaluate(&kernel.exprs, condition) == Value::Known(1)
}

fn message(text: &str) -> String {
    parse_condition(&mut kernel(), text).expect_err(text).to_string()
}

#[test]
fn arithmetic_is_that_of_c() {
    for truth in [
        "2 + 3 * 4 == 14",
        "(2 + 3) * 4 == 20",
        "7 / -2 == -3 && 7 % -2 == 1 && -7 % 2 == -1",
        "10 - 4 - 3 == 3",
        "1 << 2 + 1 == 8",
        "-8 >> 1 == -4",
        "~0 == -1",
        "!0 && !!7",
        "(6 & 3) == 2 && (6 | 3) == 7 && (6 ^ 3) == 5",
        "1 | 0 && 0 | 0 || 1",
        "0x10 == 16 && 0b101 == 5",
        "(3 < 4) + (4 <= 4) + (5 > 4) + (4 >= 4) == 4",
        "1 < 2 == 1",
        "4294967296 > 4294967295",
        "2147483647 + 1 == 2147483648",
        "-2147483648 - 1 < 0 && -(-2147483648) > 0",
        "65536 * 65536 == 4294967296",
        "9223372036854775807 * 4 > 9223372036854775807",
        "1 << 40 == 1099511627776",
        "- - 3 == + 3",
    ] {
        assert!(holds(truth, &[]), "{truth}");
        assert!(!holds(&format!("!({truth})"), &[]), "{truth}");
    }
}

#[test]
fn parameters_are_signed_and_widen_with_their_sign() {
    assert!(holds("n % 16 == 0", &[("n", 1024)]));
    assert!(!holds("n % 16 == 0", &[("n", 1023)]));
    assert!(holds("n < 0 && n == m", &[("n", -5), ("m", -5)]));
    assert!(holds("c + 1 == -127", &[("c", 128)]));
    assert!(holds("flag + flag == 2", &[("flag", 1)]));
    assert!(holds("cfg.rows * n > 0", &[("cfg.rows", 3), ("n", 2)]));
    assert!(holds("n", &[("n", 2)]));
    assert!(holds("blockDim.x <= 256 && gridDim.y == 7", &[("blockDim.x", 256), ("gridDim.y", 7)]));
}

#[test]
fn what_is_computed_of_parameters_does_not_wrap_around() {
    let large = [("n", 256), ("gridDim.y", 1_073_741_826), ("m", i64::MAX)];
    assert!(!holds("n == gridDim.y * 128", &large));
    assert!(holds("m + m > m && m * m > m && m * 4 - m == m + m + m", &large));
    assert!(message("m * m * m > 0").contains("may need 192 bits"));
}

#[test]
fn an_integer_that_no_signed_number_is_makes_its_parameter_unsigned() {
    assert!(holds("c != 200", &[("c", 100)]) && !holds("c != 200", &[("c", 200)]));
    assert!(holds("200 <= c && c <= 255", &[("c", 255)]));
    assert!(holds("n < 3000000000", &[("n", 2_999_999_999)]));
    assert!(!holds("n < 3000000000", &[("n", -1)]));
    assert!(holds("c < 127", &[("c", -1)]), "a signed number is");
    assert!(holds("c < 256", &[("c", -1)]), "no number of eight bits is");
    let said = |text: &str| {
        let mut kernel = kernel();
        let condition = parse_condition(&mut kernel, text).expect(text);
        condition_text(&kernel, condition, text)
    };
    assert_eq!(said("n < 3000000000"), "n < 3000000000 (of unsigned numbers)");
    assert_eq!(
        said("n < 3000000000 && n > m"),
        "n < 3000000000 && n > m (of signed numbers, but of unsigned ones where no signed one compares)"
    );
}

#[test]
fn a_parameter_without_a_sign_is_the_number_that_the_source_has() {
    let unsigned = |text, values| holds_declared(Sign::Unsigned, text, values);
    let large = [("n", -2), ("c", -1), ("m", 5)];
    for text in [
        "n == 4294967294",
        "n > 2147483647",
        "n > -1",
        "n > c && c == 255",
        "n / 2 == 2147483647",
        "n % 5 == 4",
        "-n < 0",
        "n + n == 8589934588",
        "n * n > 4611686018427387904",
        "n - c == 4294967039",
        "n > m",
        "c * 2 == 510",
        "c % 16 == 15 && c / 16 == 15",
        "(n & 15) == 14",
        "n >> 31 == 1",
    ] {
        assert!(unsigned(text, &large), "{text}");
    }
    for text in ["n < 0", "n < m", "n == -2", "c < 0", "n == -n", "n + 2 == 0", "n < c"] {
        assert!(!unsigned(text, &large), "{text}");
    }
    assert!(holds_declared(Sign::Signed, "n == -2 && c == -1 && n < c", &large));
    assert!(!holds_declared(Sign::Signed, "c == 255", &large), "no signed byte is");
    assert!(unsigned("n == gridDim.y * 4", &[("n", 12), ("gridDim.y", 3)]));
}

#[test]
fn an_answer_speaks_of_signs_only_where_the_source_does_not() {
    let said = |mut kernel: Kernel, text: &str| {
        let condition = parse_condition(&mut kernel, text).expect(text);
        condition_text(&kernel, condition, text)
    };
    for text in ["n > 4", "n > c", "n / 3 == 2", "c != 200", "n < 3000000000"] {
        assert_eq!(said(declared(Sign::Unsigned), text), text);
        assert_eq!(said(declared(Sign::Signed), text), text);
    }
    assert_eq!(said(kernel(), "n > 4"), "n > 4 (of signed numbers)");
    let wide = said(declared(Sign::Unsigned), "m > 4");
    assert_eq!(wide, "m > 4 (of signed numbers)", "64 bits are read with a sign");
}

#[test]
fn what_is_no_condition_is_refused_at_its_column() {
    let parameters = "those that are numbers: `n`, `m`, `c`, `flag`, `cfg.rows`";
    for (text, expected) in [
        ("", "column 1: expected a number, a parameter or a launch size, not the end".to_owned()),
        ("n %", "column 4: expected a number, a parameter or a launch size, not the end".to_owned()),
        ("n = 4", "column 3: `=` compares nothing; write `==`".to_owned()),
        ("(n == 4", "column 8: expected `)`, not the end".to_owned()),
        ("n == 4)", "column 7: expected an operator or the end, not `)`".to_owned()),
        ("n 4", "column 3: expected an operator or the end, not `4`".to_owned()),
        ("2 * k", format!("column 5: the kernel `k` has no parameter `k`; {parameters}")),
        (
            "threadIdx.x < 3",
            "column 1: `threadIdx.x` differs between threads; a condition is over parameters, `blockDim` and `gridDim`"
                .to_owned(),
        ),
        ("n @ 2", "column 3: `@` has no meaning in a condition".to_owned()),
        (
            "n == 010",
            "column 6: `010` is not an integer below 2^63; write it as `42` or `0x2a`, without suffix".to_owned(),
        ),
    ] {
        assert_eq!(message(text), expected);
    }
    assert!(message(&"(".repeat(5000)).contains("nested deeper"));
    assert!(message(&"-".repeat(5000)).contains("nested deeper"));
}

#[test]
fn no_text_makes_it_panic() {
    let words = [
        "n",
        "blockDim.x",
        "4",
        "0x",
        "(",
        ")",
        "&&",
        "<<",
        "!",
        "-",
        "é",
        "%",
        " ",
        "99999999999999999999",
    ];
    let mut state = 7u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..8 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text += words[(state >> 40) as usize % words.len()];
        }
        if let Err(error) = parse_condition(&mut kernel(), &text) {
            assert!(
                error.column >= 1 && error.column <= text.chars().count() + 1,
                "{text}: {error}"
            );
        }
    }
}
