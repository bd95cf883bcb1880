//! `heddle passes`: what `check` runs, in order.

use std::io::Write;

use heddle_passes::PASSES;

/// One line per pass: name, codes, summary.
pub(super) fn run(out: &mut dyn Write) -> anyhow::Result<u8> {
    let codes = |pass: &dyn heddle_passes::Pass| {
        let numbers: Vec<_> = pass.codes().iter().map(|code| code.number()).collect();
        numbers.join(" ")
    };
    let wide = |text: &dyn Fn(&dyn heddle_passes::Pass) -> usize| {
        PASSES.iter().map(|pass| text(*pass)).max().unwrap_or(0)
    };
    let (names, numbers) = (wide(&|pass| pass.name().len()), wide(&|pass| codes(pass).len()));
    for pass in PASSES {
        writeln!(out, "{:names$}  {:numbers$}  {}", pass.name(), codes(*pass), pass.summary())?;
    }
    Ok(0)
}
