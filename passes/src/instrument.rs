//! Which accesses of a kernel a dynamic run checks, and which it need not, with the reason: a plan,
//! as data.
//!
//! It is applied by `heddle_execute::instrument`, the text shows it. An access is left
//! out only where checking it can find nothing: all races of the kernel were proved absent, under
//! what is kept where the plan is used ([`rests_on`]), the memory is the thread's own, or constant.
//!
//! **Promises**: an instruction is skipped only if each access that was lifted from it is; what the
//! IR does not know is checked. **Does not**: look at barriers and atomics, which are always
//! followed; find out what is proved.

mod kept;

use std::collections::BTreeSet;
use std::fmt;

use heddle_diagnostics::Assumption;
use heddle_ir::{AccessKind, Kernel, OpKind, Space};

pub use kept::{Run, Use, rests_on};

/// What happens to one access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// It is checked.
    Check,
    /// The kernel has no race, whatever it is launched with that the proof covers.
    Proved,
    /// Only its own thread sees the memory.
    Private,
    /// Nobody writes the memory.
    Constant,
}

impl Decision {
    /// A word or two for the plan's text.
    pub fn name(self) -> &'static str {
        match self {
            Decision::Check => "check",
            Decision::Proved => "skip: no race, proved",
            Decision::Private => "skip: the thread's own",
            Decision::Constant => "skip: constant",
        }
    }
}

/// An access with its decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The instruction's number in the function that it was written in.
    pub ordinal: Option<u32>,
    /// Its line.
    pub line: Option<u32>,
    /// `load`, `store` or `atomic`.
    pub does: &'static str,
    /// The object it goes to.
    pub object: String,
    /// Bytes, where they are constant.
    pub bytes: Option<u64>,
    /// What happens to it.
    pub decision: Decision,
}

/// The accesses of a kernel with their decisions, in the order of its operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The kernel's symbol.
    pub kernel: String,
    /// Its accesses.
    pub sites: Vec<Planned>,
    /// What is taken for granted where accesses are left out as proved.
    pub rests_on: Vec<Assumption>,
}

/// Makes the plan. `race_free` is what [`rests_on`] says of the kernel.
pub fn plan(kernel: &Kernel, race_free: Option<BTreeSet<Assumption>>) -> Plan {
    let sites = kernel.ops.values().filter_map(|op| {
        let OpKind::Access(access) = &op.kind else { return None };
        let object = &kernel.objects[access.address.object];
        let does = match &access.kind {
            AccessKind::Load => "load",
            AccessKind::Store(_) => "store",
            AccessKind::Atomic(..) => "atomic",
        };
        let atomic = does == "atomic" || access.order.is_some() || access.volatile;
        let decision = match object.space {
            Space::Local => Decision::Private,
            Space::Constant => Decision::Constant,
            Space::Global | Space::Shared | Space::Generic if race_free.is_some() && !atomic => {
                Decision::Proved
            }
            Space::Global | Space::Shared | Space::Generic => Decision::Check,
        };
        let origin = &kernel.origins[op.origin];
        Some(Planned {
            ordinal: origin.ordinal,
            line: origin.span.map(|it| it.line),
            does,
            object: object.name.clone(),
            bytes: kernel.exprs.as_const(access.size).and_then(|it| u64::try_from(it).ok()),
            decision,
        })
    });
    let sites: Vec<_> = sites.collect();
    let is_used = sites.iter().any(|it| it.decision == Decision::Proved);
    let rests_on = race_free.filter(|_| is_used).into_iter().flatten().collect();
    Plan { kernel: kernel.name.clone(), sites, rests_on }
}

impl Plan {
    /// The numbers of the instructions that are skipped.
    pub fn skipped(&self) -> BTreeSet<u32> {
        let of = |keep: &dyn Fn(&Planned) -> bool| -> BTreeSet<u32> {
            self.sites.iter().filter(|it| keep(it)).filter_map(|it| it.ordinal).collect()
        };
        let checked = of(&|it| it.decision == Decision::Check);
        of(&|it| it.decision != Decision::Check).difference(&checked).copied().collect()
    }
}

impl fmt::Display for Plan {
    /// One line for each access: its line, what it does, where, how many bytes, the decision. And
    /// one for each thing that is taken for granted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let checked = self.sites.iter().filter(|it| it.decision == Decision::Check).count();
        writeln!(
            f,
            "plan for {}: {checked} of {} accesses are checked",
            self.kernel,
            self.sites.len()
        )?;
        for Planned { ordinal, line, does, object, bytes, decision } in &self.sites {
            let place = line.map_or_else(|| "-".to_owned(), |line| format!("line {line}"));
            let number = ordinal.map_or_else(|| "-".to_owned(), |it| it.to_string());
            let bytes = bytes.map_or_else(|| "?".to_owned(), |it| it.to_string());
            writeln!(
                f,
                "  {place:>9}  %{number:<4} {does:6} {bytes:>3} bytes of {object:12} {}",
                decision.name()
            )?;
        }
        for assumption in &self.rests_on {
            writeln!(f, "  what is skipped as proved rests on: {assumption}")?;
        }
        Ok(())
    }
}
