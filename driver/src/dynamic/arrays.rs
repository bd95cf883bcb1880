//! Whether the buffers of a run hold what arrays are said to hold when a launch begins.
//!
//! **What**: the contracts of the source (`heddle_injective`) and of `--assume`, looked at element
//! by element in what the buffers start with; one that does not hold is bad input, with the two
//! elements that show it.
//! **Promises**: a run that is done keeps each of them. **Does not**: look at other conditions on
//! launches.

use std::collections::BTreeMap;

use heddle_diagnostics::{Finding, SourceMap};
use heddle_execute::jit::{Parameter, ParameterKind};
use heddle_frontend::compile::Compiler;
use heddle_ir::{
    ArrayContract, ArrayRule, ExprId, ExprKind, Kernel, ObjectKind, ParamKind, Special,
};
use heddle_passes::condition::parse_condition;
use heddle_solver::{Model, Value};

use super::arguments::scalar;
use super::buffer::Buffer;
use super::{RunOptions, bad};
use crate::contracts::required;
use crate::load::load;
use crate::options::{CheckOptions, Replay};
use crate::source::Source;

/// Refuses a run whose buffers do not hold what is said of them. `stated` is whether the source has
/// contracts.
pub(super) fn check_arrays(
    source: &Source,
    (options, compiler): (&RunOptions, &dyn Compiler),
    stated: bool,
    name: &str,
    (parameters, contents): (&[Parameter], &[Buffer]),
) -> Result<(), Finding> {
    if !stated && options.assumptions.is_empty() {
        return Ok(());
    }
    let check = CheckOptions {
        compile: options.compile.clone(),
        replay: Replay::None,
        ..CheckOptions::default()
    };
    let base = std::env::current_dir().unwrap_or_default();
    let loaded = load(source, &check, compiler, &SourceMap::new(base)).map_err(|it| *it)?;
    let kernel = loaded.kernels.into_iter().map(|it| it.kernel).find(|it| it.name == name);
    let Some(mut kernel) = kernel else {
        return Err(bad(&format!("what `{name}` requires could not be read")));
    };
    let mut said = required(&kernel).map_err(|it| *it)?;
    for text in &options.assumptions {
        let condition = parse_condition(&mut kernel, text).map_err(|error| {
            bad(&format!("`--assume '{text}'`, column {}: {}", error.column, error.message))
        })?;
        said.push((condition, text.clone()));
    }
    for (condition, text) in said {
        for contract in ArrayContract::all_of(&kernel.exprs, condition) {
            let of = Looked { kernel: &kernel, options, parameters, contents };
            if let Some(why) = of.broken(&contract)? {
                let message = format!("`{text}` does not hold in this run: {why}");
                return Err(bad(&message).help("give other buffers, or take back what is said"));
            }
        }
    }
    Ok(())
}

/// A launch whose buffers are looked at.
struct Looked<'a> {
    kernel: &'a Kernel,
    options: &'a RunOptions,
    parameters: &'a [Parameter],
    contents: &'a [Buffer],
}

impl Looked<'_> {
    /// Why a contract does not hold, if it does not.
    fn broken(&self, contract: &ArrayContract) -> Result<Option<String>, Finding> {
        let ArrayContract { rule, element, object, start, count, bounds } = *contract;
        let name = &self.kernel[object].name;
        let buffer = match self.kernel[object].kind {
            ObjectKind::Param(_) => self.contents.iter().find(|it| it.name == *name),
            ObjectKind::ParamField(..)
            | ObjectKind::Pointee(_)
            | ObjectKind::Variable
            | ObjectKind::DynamicShared
            | ObjectKind::Alloca
            | ObjectKind::Unknown => None,
        };
        let Some(buffer) = buffer else {
            return Err(bad(&format!(
                "what `{name}` holds is not looked at in a run: it is no buffer of a pointer parameter"
            )));
        };
        let number = |id| self.number(id).map(|it| it as i64);
        let (start, count) = (number(start)?, number(count)?);
        let [low, high] = [number(bounds[0])?, number(bounds[1])?].map(i128::from);
        if count < 0 {
            return Ok(Some(format!("it speaks of {count} elements")));
        }
        let each = i128::from(element.bytes);
        let end = i128::from(start) + i128::from(count) * each;
        if start < 0 || end > buffer.bytes() as i128 {
            let has = buffer.bytes() as i128 / each;
            let speaks = end / each;
            return Ok(Some(format!("`{name}` has {has} elements, and it speaks of {speaks}")));
        }
        let mut bytes = vec![0; buffer.bytes()];
        buffer.write_to(&mut bytes);
        let elements = &bytes[start as usize..end as usize];
        let first = start as u64 / u64::from(element.bytes);
        let numbers = elements.chunks_exact(usize::from(element.bytes)).map(|it| {
            let bits = it.iter().rev().fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
            element.number(bits)
        });
        let mut seen: BTreeMap<i128, u64> = BTreeMap::new();
        let mut before: Option<i128> = None;
        for (index, number) in (first..).zip(numbers) {
            let last = before.replace(number);
            let broken = match rule {
                ArrayRule::Injective => seen.insert(number, index).map(|other| {
                    format!("`{name}[{other}]` and `{name}[{index}]` are both {number}")
                }),
                ArrayRule::Range => {
                    // Numbers of 64 bits are signed beside bounds.
                    let number = if each == 8 { i128::from(number as i64) } else { number };
                    let is_within = low <= number && number < high;
                    (!is_within).then(|| {
                        format!("`{name}[{index}]` is {number}, not from {low} to {}", high - 1)
                    })
                }
                ArrayRule::Sorted | ArrayRule::Ascending => last
                    .filter(|it| *it > number || *it == number && rule == ArrayRule::Ascending)
                    .map(|it| {
                        let other = index - 1;
                        format!("`{name}[{other}]` is {it}, and `{name}[{index}]` is {number}")
                    }),
            };
            if broken.is_some() {
                return Ok(broken);
            }
        }
        Ok(None)
    }

    /// A number of the launch.
    fn number(&self, id: ExprId) -> Result<u128, Finding> {
        let pool = &self.kernel.exprs;
        let (mut model, mut wrong) = (Model::new(), None);
        pool.for_each_below(id, |at| match &pool[at].kind {
            ExprKind::Special(Special::Ntid(d)) => {
                model.set_leaf(at, u128::from(self.options.block[usize::from(*d)]));
            }
            ExprKind::Special(Special::Nctaid(d)) => {
                model.set_leaf(at, u128::from(self.options.grid[usize::from(*d)]));
            }
            ExprKind::Param(index) => match self.argument(*index) {
                Ok(value) => model.set_leaf(at, value),
                Err(why) => wrong = Some(why),
            },
            _ => {}
        });
        match (wrong, model.evaluate(pool, id)) {
            (Some(why), _) => Err(why),
            (None, Value::Known(value)) => Ok(value),
            (None, Value::Poison) => Err(bad("a number of elements could not be computed")),
        }
    }

    /// The value of a parameter of the kernel.
    fn argument(&self, index: u32) -> Result<u128, Finding> {
        let param = &self.kernel.params[index as usize];
        let unknown = || {
            let name = &param.name;
            bad(&format!("what is said of an array rests on `{name}`, which is not known in a run"))
        };
        match param.kind {
            ParamKind::Scalar { .. } => {}
            ParamKind::Field { .. } | ParamKind::Pointer(_) => return Err(unknown()),
        }
        let of = self.parameters.iter().find(|it| it.name == param.name).ok_or_else(unknown)?;
        match of.kind {
            ParameterKind::Int => {}
            ParameterKind::Float
            | ParameterKind::Bytes
            | ParameterKind::Pointer
            | ParameterKind::SharedPointer => return Err(unknown()),
        }
        let bytes = scalar(of, self.options)?.ok_or_else(unknown)?;
        Ok(bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u128::from(*byte)))
    }
}
