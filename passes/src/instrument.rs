//! Which accesses of a kernel a dynamic run checks, and which it need not, with the reason: a plan,
//! as data.
//!
//! The front end applies it (`heddle_frontend::instrument`), the text shows it. An access is left
//! out only where checking it can find nothing: all races of the kernel were proved absent, the
//! memory is the thread's own, or constant.
//!
//! **Promises**: an instruction is skipped only if each access that was lifted from it is; what the
//! IR does not know is checked. **Does not**: look at barriers and atomics, which are always
//! followed; find out what is proved.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use heddle_diagnostics::{Property, Verdict};
use heddle_ir::{AccessKind, Kernel, OpKind, Space};

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
}

/// Whether the verdicts leave no race to be found: all are proofs, and none is missing but those on
/// named barriers and copies, which a kernel without such does not have.
pub fn is_race_free(verdicts: &BTreeMap<Property, Verdict>) -> bool {
    // Whether blocks end, or where they trap, says nothing of what they touch together.
    let mut concerned = Property::ALL.iter().filter(|it| it.is_about_threads_together());
    concerned.all(|property| match (property, verdicts.get(property)) {
        (_, Some(Verdict::Proved(_))) => true,
        (Property::NamedBarriers | Property::AsyncCopies, None) => true,
        (_, Some(Verdict::Refuted(_) | Verdict::Unknown(_)) | None) => false,
    })
}

/// Makes the plan. `race_free` says that all properties of the kernel are proved for the launch at
/// hand.
pub fn plan(kernel: &Kernel, race_free: bool) -> Plan {
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
            Space::Global | Space::Shared | Space::Generic if race_free && !atomic => {
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
    Plan { kernel: kernel.name.clone(), sites: sites.collect() }
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
    /// One line for each access: its line, what it does, where, how many bytes, the decision.
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
        Ok(())
    }
}
