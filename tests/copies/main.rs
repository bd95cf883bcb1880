//! Drawn kernels with asynchronous copies, and oracles that know when each copy may land: copies of
//! threads ([`threads`]) and of work-groups ([`groups`]), and by barrier objects ([`rings`]).

mod groups;
mod rings;
mod threads;

use heddle_diagnostics::{Property, Verdict};
use heddle_driver::{CheckOptions, LaunchOptions, Progress, Size, Source, check};
use heddle_frontend::Language;

/// Numbers from a seed (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % u64::from(n)) as u32
    }
}

/// The answers for each of the texts, in their order, under a condition; the kernels are named by a
/// number.
fn verdicts(
    texts: &[String],
    language: Language,
    block: Size,
    assumed: Option<&str>,
) -> Vec<Vec<(Property, Verdict)>> {
    let source = |(number, text): (usize, &String)| Source::Text {
        name: format!("<drawn {number}>"),
        bytes: text.as_bytes().to_vec(),
        language: Some(language),
    };
    let sources: Vec<Source> = texts.iter().enumerate().map(source).collect();
    let options = CheckOptions {
        launch: LaunchOptions {
            grid: Some(Size::Known([1, 1, 1])),
            block: Some(block),
            assumptions: assumed.map(str::to_owned).into_iter().collect(),
            ..LaunchOptions::default()
        },
        ..CheckOptions::default()
    };
    let outcome = check(&sources, &options, &heddle_clang::Embedded, &Progress::default());
    let outcome = outcome.expect("drawn kernels are checked");
    let mut all = vec![Vec::new(); texts.len()];
    for kernel in outcome.report.kernels() {
        let number = kernel.name.strip_prefix('k').and_then(|it| it.parse::<usize>().ok());
        let number = number.expect("the name that was given");
        all[number].extend(kernel.verdicts.iter().map(|(of, said)| (*of, said.clone())));
    }
    all
}
