//! Whether a launch that a run does is as it was read.

use std::collections::HashMap;

use heddle_frontend::host::HostLaunch;
use heddle_ir::{ExprId, ExprKind, flags_hold, fold_binary, fold_cast, fold_cmp, fold_unary, mask};

use crate::draw::{PARAMETERS, Program};
use crate::run::Done;

/// What is read of a launch, against one that was done.
pub(crate) struct Judge<'a> {
    launch: &'a HostLaunch,
    known: HashMap<u32, u128>,
}

impl Judge<'_> {
    /// The value, `None` where an unknown is not known; `Err` where a flag is broken.
    pub(crate) fn value(&self, expr: ExprId) -> Result<Option<u128>, ()> {
        let pool = &self.launch.pool;
        let width = pool.width(expr);
        let both = |a: ExprId, b: ExprId| Ok(self.value(a)?.zip(self.value(b)?));
        Ok(match &pool[expr].kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Param(unknown) => self.known.get(unknown).copied(),
            ExprKind::Unary(op, a) => self.value(*a)?.map(|a| fold_unary(*op, a, width)),
            ExprKind::Cast(op, a) => {
                self.value(*a)?.map(|it| fold_cast(*op, it, pool.width(*a), width))
            }
            ExprKind::Cmp(op, a, b) => {
                let of = pool.width(*a);
                both(*a, *b)?.map(|(a, b)| u128::from(fold_cmp(*op, a, b, of)))
            }
            ExprKind::Select(c, a, b) => match self.value(*c)? {
                Some(0) => self.value(*b)?,
                Some(_) => self.value(*a)?,
                None => None,
            },
            ExprKind::Binary(op, flags, a, b) => match both(*a, *b)? {
                Some((a, b)) if !flags_hold(*op, *flags, a, b, width) => return Err(()),
                Some((a, b)) => Some(fold_binary(*op, a, b, width)),
                None => None,
            },
            _ => None,
        })
    }

    /// Takes an unknown that a number is for known.
    pub(crate) fn learn(&mut self, expr: ExprId, value: u128) {
        if let ExprKind::Param(unknown) = self.launch.pool[expr].kind {
            self.known.entry(unknown).or_insert(value);
        }
    }

    pub(crate) fn agrees(&self, expr: ExprId, value: u128) -> bool {
        matches!(self.value(expr), Ok(known) if known.is_none_or(|it| it == value))
    }
}

pub(crate) fn fits(launch: &HostLaunch, program: &Program, inputs: &[i128], done: &Done) -> bool {
    let (_, [grid, block], args) = done;
    let mut judge = Judge { launch, known: HashMap::new() };
    for (n, unknown) in (0..).zip(&launch.unknowns) {
        let parameter = unknown.name.strip_prefix('v').and_then(|it| it.parse::<usize>().ok());
        // Of a join, a name is that of the variable.
        if let Some(v) =
            parameter.filter(|v| *v < PARAMETERS && launch.unknowns[n as usize].is_parameter)
        {
            judge.known.insert(n, mask(inputs[v] as u128, program.types[v].bits));
        }
    }
    let sizes = [(launch.grid[0], *grid), (launch.block[0], *block)];
    let mut numbers: Vec<(ExprId, u128)> =
        sizes.into_iter().map(|(expr, value)| (expr, u128::from(value))).collect();
    for (index, value) in args.iter().enumerate() {
        numbers.extend(launch.args[index + 1].map(|expr| (expr, u128::from(*value))));
    }
    numbers.iter().for_each(|(expr, value)| judge.learn(*expr, *value));
    numbers.iter().all(|(expr, value)| judge.agrees(*expr, *value))
        && launch.facts.iter().all(|it| judge.agrees(*it, 1))
}
