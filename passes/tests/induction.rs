//! What induction proves for all values of an argument holds for each that is run, on random small
//! kernels.

use std::fmt::Write as _;

use heddle_diagnostics::{Property, SourceMap};
use heddle_passes::launch::LaunchRequest;
use heddle_passes::{Options, Places, check};

/// A small generator (xorshift), so that a seed is a kernel for ever.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}

/// A condition on the round, of the role with this variable.
fn condition(kind: u64, number: u64, of: u64, i: &str) -> String {
    match kind {
        0 => format!("ule({number}:i32, {i})"),
        1 => format!("ult({i}, {number}:i32)"),
        2 => format!("eq(urem({i}, {of}:i32), {}:i32)", number % of),
        3 => format!("not(eq({i}, {number}:i32))"),
        4 => format!("slt(add({i}, {}:i32), param(n))", 1 + number % 4),
        5 => format!("eq(urem(param(n), {of}:i32), {}:i32)", number % of),
        6 => format!("eq(and(xor({i}, lshr({i}, {}:i32)), 1:i32), 0:i32)", 1 + number % 2),
        7 => format!("ult(mul({i}, {of}:i32), add(param(n), {number}:i32))"),
        _ => "1:i1".to_owned(),
    }
}

/// Two roles with a loop each: steps in which one waits for the other, under conditions that mostly
/// agree, and accesses between.
fn kernel(dice: &mut Dice) -> String {
    let mut bodies = [String::new(), String::new()];
    let steps = 2 + dice.below(2);
    for step in 0..steps {
        let kind = dice.below(20);
        let (number, of) = (dice.below(50), 2 + dice.below(3));
        let number = if dice.below(2) == 0 { number % 4 } else { number };
        let ids = 1 + dice.below(3);
        let waiting = (step % 2) as usize;
        let forgets = if dice.below(7) == 0 { dice.below(2) as usize } else { 2 };
        for (role, body) in bodies.iter_mut().enumerate() {
            let i = format!("%i{role}");
            let when = match forgets == role {
                true => "1:i1".to_owned(),
                false => condition(kind, number, of, &i),
            };
            let word = if role == waiting { "sync" } else { "arrive" };
            let id = format!("add({}:i32, urem({i}, {ids}:i32))", 1 + 4 * step);
            let _ = writeln!(
                body,
                "    [and(%go{role}, {when})] barrier.named.{word}.aligned({id}, 64) @at0"
            );
            if dice.below(3) > 0 {
                let slots = 1 + dice.below(3);
                let place =
                    format!("mul(zext.i64(add(lane, mul(urem({i}, {slots}:i32), 32:i32))), 4)");
                let what = match (role + step as usize) % 2 {
                    0 => format!("store s[{place} +: 4] (lane) @at0"),
                    _ => format!("%v{role}x{step}: i32 = load s[{place} +: 4] @at0"),
                };
                let _ = writeln!(body, "    [%go{role}] {what}");
            }
        }
    }
    let mut text = "kernel k
target nvptx sm 80 warp 32
param n: i32 ; 0
object s: shared variable size 512 shape [128, stride 4] scalar 4
{
  %n = param(n)
"
    .to_owned();
    for (role, body) in bodies.iter().enumerate() {
        let mine = if role == 0 { "ult(tid.x, 32:i32)" } else { "ule(32:i32, tid.x)" };
        let _ = write!(
            text,
            "  loop @r{role} if {mine} {{ @at0
    var %i{role}: i32 = 0
    %go{role} = slt(%i{role}, param(n))
{body}    next %i{role} = add(%i{role}, 1)
    while %go{role}
  }}
"
        );
    }
    text.push_str("}\nat0 in k ordinal 0\n");
    text
}

fn verdicts(text: &str, args: Vec<(u32, u128)>) -> [&'static str; 2] {
    let kernel = heddle_ir::parse_kernel(text).expect("the generated kernel parses");
    let sources = SourceMap::new(".");
    let places = Places::new(&sources, &kernel, None);
    let (grid, block) = (Some([1; 3]), Some([64, 1, 1]));
    let request = LaunchRequest { grid, block, args, ..LaunchRequest::default() };
    let options = Options { request, ..Options::default() };
    let report = check(&kernel, &options, &places);
    [Property::NamedBarriers, Property::IntraBlockRace].map(|it| report.verdicts[&it].name())
}

#[test]
fn what_is_proved_for_all_values_holds_for_each() {
    let (mut proved, mut refuted, mut unknown) = (0, 0, 0);
    for seed in 1..=120u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let text = kernel(&mut dice);
        let all = verdicts(&text, Vec::new());
        match all[0] {
            "proved" => proved += 1,
            "refuted" => refuted += 1,
            _ => unknown += 1,
        }
        if all[0] != "proved" {
            continue;
        }
        let values = (0..14).map(|it| it * 5 + seed % 5).chain([100 + seed, u64::from(u32::MAX)]);
        for value in values {
            let one = verdicts(&text, vec![(0, u128::from(value))]);
            assert_eq!(one[0], "proved", "seed {seed}, n = {value}: {text}");
            if all[1] == "proved" {
                assert_eq!(one[1], "proved", "races, seed {seed}, n = {value}: {text}");
            }
        }
    }
    assert!(proved > 20 && refuted > 20, "proved {proved}, refuted {refuted}, unknown {unknown}");
}
