//! What an architecture has, and what kernels ask for: LLVM's code generator ends the process where
//! the two do not meet.

use std::collections::BTreeSet;

use crate::jit::Unsupported;
use heddle_llvm::{Function, Module};

/// Functions that the CUDA driver defines for each module.
const SYSTEM: &[&str] = &[
    "vprintf",
    "malloc",
    "free",
    "__assertfail",
    "__cudaCGGetIntrinsicHandle",
    "__cudaCGSynchronize",
];

/// What the intrinsics of NVPTX need that LLVM does not select everywhere; `tools/nvptx-needs` asks
/// LLVM for it. The file says how to read it.
const TABLE: &str = include_str!("needs.txt");

/// The architectures that LLVM 22 knows, by what their own features (`a`) are a version of: a
/// family, whose features (`f`) the members share (PTX ISA, "Target architectures").
const FAMILIES: &[(u32, &[u32])] =
    &[(90, &[90]), (100, &[100, 103]), (101, &[101]), (120, &[120, 121])];

/// Those without features of their own.
const PLAIN: &[u32] = &[70, 72, 75, 80, 86, 87, 89];

/// An architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arch {
    number: u32,
    features: Features,
}

/// Which features code for an architecture may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Features {
    /// Those that later ones have too.
    Lasting,
    /// Those of its family too (`sm_100f`).
    Family,
    /// Those that it alone has too (`sm_90a`).
    Own,
}

impl Arch {
    /// Reads `sm_90a`; none if LLVM knows no such architecture.
    fn read(text: &str) -> Option<Arch> {
        let text = text.strip_prefix("sm_")?;
        let (digits, features) = match text.as_bytes().last()? {
            b'a' => (text.strip_suffix('a')?, Features::Own),
            b'f' => (text.strip_suffix('f')?, Features::Family),
            _ => (text, Features::Lasting),
        };
        let number = digits.parse().ok()?;
        let arch = Arch { number, features };
        let is_known = match features {
            Features::Lasting => PLAIN.contains(&number) || arch.family().is_some(),
            Features::Own => arch.family().is_some(),
            Features::Family => arch.family().is_some_and(|it| it >= 100),
        };
        is_known.then_some(arch)
    }

    /// The architecture that its family is named after.
    fn family(self) -> Option<u32> {
        let (family, _) = FAMILIES.iter().find(|(_, members)| members.contains(&self.number))?;
        Some(*family)
    }

    /// Whether code for it may use what is there from, or by the own features of, another.
    fn has(self, other: Arch) -> bool {
        match other.features {
            Features::Lasting => self.number >= other.number,
            Features::Family => {
                self.features != Features::Lasting
                    && self.family() == other.family()
                    && self.number >= other.number
            }
            Features::Own => self == other,
        }
    }
}

/// What an intrinsic needs.
struct Need {
    /// One of these; none where no architecture has it.
    archs: Vec<&'static str>,
    /// This version of PTX (`80` is 8.0).
    ptx: u32,
}

/// What an intrinsic needs, by its name after `llvm.nvvm.`; none where each architecture has it.
fn need(name: &str) -> Option<Need> {
    let mut words = "";
    // Names may end in types (`.p3.i32`).
    let is_type = |it: &str| {
        it.strip_prefix(['p', 'i', 'f', 'v'])
            .is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()))
    };
    for line in TABLE.lines().filter(|it| !it.starts_with('#')) {
        if let Some(list) = line.strip_prefix('[') {
            words = list.trim_end_matches(']');
        } else if !line.is_empty()
            && let Some(rest) = name.strip_prefix(line)
            && (rest.is_empty()
                || rest.strip_prefix('.').is_some_and(|it| it.split('.').all(is_type)))
        {
            let ptx = words.split(' ').find_map(|it| it.strip_prefix("ptx")?.parse().ok());
            let archs = words.split(' ').filter(|it| it.starts_with("sm_")).collect();
            return Some(Need { archs, ptx: ptx.unwrap_or(OLDEST_PTX) });
        }
    }
    None
}

/// The version of PTX that is written at least: drivers of CUDA 12.0 read it.
const OLDEST_PTX: u32 = 80;

/// Intrinsics of NVPTX that a module calls, by their names after `llvm.nvvm.`, and what they need.
fn needs(module: &Module) -> impl Iterator<Item = (String, Need)> + '_ {
    let called = module.functions().filter(|it| it.is_declaration() && !it.users().is_empty());
    called.map(Function::name).filter_map(|name| {
        let need = need(name.strip_prefix("llvm.nvvm.")?)?;
        Some((name, need))
    })
}

/// Reads an architecture.
///
/// # Errors
/// Threads of a warp do not advance by themselves before `sm_70`, and the library relies on it; or
/// LLVM knows no such architecture.
pub(super) fn known(arch: &str) -> Result<Arch, Unsupported> {
    Arch::read(arch).ok_or_else(|| {
        Unsupported::new(format!(
            "checks on a GPU need sm_70 or later, of those that LLVM 22 makes PTX 8.8 for, and `{arch}` is not: \
             choose another with `--arch`"
        ))
    })
}

/// The version of PTX for a module and an architecture, in LLVM's words: the oldest that has all of
/// it, which most drivers read.
pub(super) fn features(module: &Module, arch: Arch) -> String {
    let least = if arch.number > 90 { 88 } else { OLDEST_PTX };
    format!("+ptx{}", needs(module).map(|(_, it)| it.ptx).fold(least, u32::max))
}

/// Refuses functions that nothing defines.
pub(super) fn refuse_unknown(module: &Module) -> Result<(), Unsupported> {
    let unknown: BTreeSet<String> = module
        .functions()
        .filter(|it| it.is_declaration() && !it.users().is_empty())
        .map(Function::name)
        .filter(|name| !name.starts_with("llvm.") && !SYSTEM.contains(&name.as_str()))
        .map(|name| format!("`{}`", heddle_lift::symbol::demangled(&name)))
        .collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = unknown.into_iter().collect();
    Err(Unsupported::new(format!(
        "it calls {}, which nothing defines for a GPU; a mathematical function needs a CUDA toolkit's libdevice \
         (`--cuda-path`)",
        names.join(", ")
    )))
}

/// Refuses intrinsics that the architecture has not, or that LLVM selects only with `libdevice`'s
/// help.
pub(super) fn refuse_newer(module: &Module, arch: Arch) -> Result<(), Unsupported> {
    for (name, Need { archs, ptx: _ }) in needs(module) {
        let has = |it: &&str| Arch::read(it).is_some_and(|it| arch.has(it));
        if archs.iter().any(has) {
            continue;
        }
        return Err(Unsupported::new(match archs.as_slice() {
            [] => format!("it uses `{name}`, which LLVM selects for no architecture since sm_70"),
            [one] if Arch::read(one).is_some_and(|it| it.features == Features::Lasting) => {
                format!("it uses `{name}`, which needs {one}: choose it with `--arch`")
            }
            own => format!(
                "it uses `{name}`, which needs {}: features of one architecture (`a`) or family (`f`), that later ones \
                 need not have; choose it with `--arch`",
                own.join(" or ")
            ),
        }));
    }
    for function in module.functions().filter(|it| it.is_declaration() && !it.users().is_empty()) {
        let name = function.name();
        let base = name.strip_prefix("llvm.").and_then(|it| it.split('.').next());
        if base.is_some_and(super::math::is_not_selected) {
            return Err(Unsupported::new(format!(
                "it uses `{name}`, which needs a CUDA toolkit's libdevice (`--cuda-path`)"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(arch: &str, other: &str) -> bool {
        Arch::read(arch).expect(arch).has(Arch::read(other).expect(other))
    }

    #[test]
    fn features_of_one_architecture_are_no_other_s() {
        for (arch, other) in [
            ("sm_90", "sm_80"),
            ("sm_90a", "sm_90"),
            ("sm_121", "sm_100"),
            ("sm_90a", "sm_90a"),
            ("sm_100f", "sm_100f"),
            ("sm_100a", "sm_100f"),
            ("sm_103f", "sm_100f"),
            ("sm_121a", "sm_120f"),
        ] {
            assert!(has(arch, other), "{arch} {other}");
        }
        for (arch, other) in [
            ("sm_80", "sm_90"),
            ("sm_90", "sm_90a"),
            ("sm_100a", "sm_90a"),
            ("sm_103a", "sm_100a"),
            ("sm_100", "sm_100f"),
            ("sm_101a", "sm_100f"),
            ("sm_120a", "sm_100f"),
            ("sm_100f", "sm_100a"),
        ] {
            assert!(!has(arch, other), "{arch} {other}");
        }
        for unknown in
            ["sm_60", "sm_88", "sm_95", "sm_80a", "sm_90f", "sm_110", "sm_90aa", "90", "sm_"]
        {
            assert_eq!(Arch::read(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn an_intrinsic_is_found_by_its_name_with_types_behind_it_or_without() {
        let archs = |name: &str| need(name).map(|it| it.archs.join(" "));
        assert_eq!(archs("wgmma.fence.sync.aligned").as_deref(), Some("sm_90a"));
        assert_eq!(archs("mapa").as_deref(), Some("sm_90"));
        assert_eq!(archs("mapa.shared.cluster").as_deref(), Some("sm_90"));
        assert_eq!(archs("ldmatrix.sync.aligned.m8n8.x1.b16.p3").as_deref(), Some("sm_75"));
        assert_eq!(archs("redux.sync.fmax").as_deref(), Some("sm_100f"));
        assert_eq!(archs("discard.L2").as_deref(), Some("sm_80"));
        assert_eq!(archs("shfl.up.i32").as_deref(), Some(""));
        assert_eq!(
            (archs("barrier0"), archs("mapaaa"), archs("shfl.sync.up.i32")),
            (None, None, None)
        );
        assert_eq!(
            need("fence.acquire.sync_restrict.space.cluster.scope.cluster").map(|it| it.ptx),
            Some(86)
        );
    }

    #[test]
    fn each_head_of_the_table_names_what_can_be_read() {
        let heads = TABLE.lines().filter_map(|it| it.strip_prefix('[')?.strip_suffix(']'));
        let mut count = 0;
        for word in heads.flat_map(|it| it.split(' ')) {
            let ptx = word
                .strip_prefix("ptx")
                .is_some_and(|it| it.parse::<u32>().is_ok_and(|it| it > OLDEST_PTX));
            assert!(word == "none" || ptx || Arch::read(word).is_some(), "{word}");
            count += 1;
        }
        assert!(count > 10, "{count} words");
    }
}
