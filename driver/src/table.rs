//! The options of a check, as one table: the command line (`--block 256`), the plugin's pass
//! parameters (`heddle<block=256>`) and clang's `-mllvm -heddle-block=256` all come from it.
//!
//! A row says what an option is called, what it takes, what it means, and how its text changes
//! [`CheckOptions`]. In pass parameters the name of a pass or of a group of passes (`races`) stands
//! for itself.
//!
//! **Promises**: the same text means the same wherever it is given. **Does not**: know of files,
//! compilers' arguments or outputs, which belong to the command line alone.

use heddle_passes::PASSES;
use heddle_passes::launch::BarrierModel;
use heddle_passes::progress::{MOST_BLOCKS, criterion};

use crate::names::suggestion;
use crate::options::{
    BadOption, CheckOptions, Host, Replay, ResourceLimit, global_offset, scaled, seconds,
};

/// What an option is about: its heading in help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Which kernels.
    Input,
    /// What is said of the launch.
    Launch,
    /// How the check works.
    Method,
}

/// What follows the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// One value of this kind; given again, the last counts.
    One(&'static str),
    /// One value of this kind each time it is given.
    Each(&'static str),
}

/// An option.
#[derive(Debug)]
pub struct Row {
    /// Its name, without dashes.
    pub name: &'static str,
    /// Another name that means the same.
    pub alias: Option<&'static str>,
    /// Its heading.
    pub group: Group,
    /// What follows it.
    pub takes: Takes,
    /// What it means, for help: a phrase.
    pub help: &'static str,
    apply: fn(&mut CheckOptions, &str) -> Result<(), BadOption>,
}

/// Sets the option of this name.
///
/// # Errors
/// The text does not fit it, or no option is called so.
pub fn set(options: &mut CheckOptions, name: &str, text: &str) -> Result<(), BadOption> {
    let row = OPTIONS.iter().find(|row| row.name == name);
    row.ok_or_else(|| bad(&format!("no option is called `{name}`")))?.apply(options, text)
}

/// All options of a check, in the order of the help.
pub static OPTIONS: &[Row] = &[
    Row {
        name: "kernel",
        alias: None,
        group: Group::Input,
        takes: Takes::Each("NAME"),
        help: "Take these kernels only, by source name or symbol; `*` and `?` stand for other characters (repeatable)",
        apply: |options, text| {
            options.kernels.push(text.to_owned());
            Ok(())
        },
    },
    Row {
        name: "allow-missing",
        alias: None,
        group: Group::Method,
        takes: Takes::Nothing,
        help: "Say nothing of kernels in a source that its module lacks: templates that nothing instantiates",
        apply: |options, _| {
            options.allow_missing = true;
            Ok(())
        },
    },
    Row {
        name: "grid",
        alias: None,
        group: Group::Launch,
        takes: Takes::One("SIZE"),
        help: "Blocks in the grid: `64`, `8,8` or `8x8`, or `any`",
        apply: |options, text| {
            options.launch.grid = Some(text.parse()?);
            Ok(())
        },
    },
    Row {
        name: "block",
        alias: Some("launch"),
        group: Group::Launch,
        takes: Takes::One("SIZE"),
        help: "Threads in a block: `256`, `16,16` or `16x16`, or `any`",
        apply: |options, text| {
            options.launch.block = Some(text.parse()?);
            Ok(())
        },
    },
    Row {
        name: "cluster",
        alias: None,
        group: Group::Launch,
        takes: Takes::One("SIZE"),
        help: "Blocks in a cluster, where the code does not say: `2` or `2,1`",
        apply: |options, text| {
            options.launch.cluster = Some(text.parse()?);
            Ok(())
        },
    },
    Row {
        name: "global-offset",
        alias: None,
        group: Group::Launch,
        takes: Takes::One("OFFSET"),
        help: "What OpenCL adds to global ids: `464`, `8,8` or `8x8`, or `any` [default: any, and 0 where an answer needs it, which it then names]",
        apply: |options, text| {
            options.launch.global_offset = global_offset(text)?;
            Ok(())
        },
    },
    Row {
        name: "arg",
        alias: None,
        group: Group::Launch,
        takes: Takes::Each("NAME=VALUE"),
        help: "The value of a kernel argument: `n=1024`, `n=-3`, `n=0x400` (repeatable)",
        apply: |options, text| {
            options.launch.args.push(text.parse()?);
            Ok(())
        },
    },
    Row {
        name: "assume",
        alias: None,
        group: Group::Launch,
        takes: Takes::Each("CONDITION"),
        help: "Take a condition on signed numbers for granted: `n % 16 == 0 && blockDim.x <= 256`; or on what an array of integers holds: `injective(perm, n)`, `range(idx, n, low, high)`, `sorted(rows, n)`, `ascending(keys, n)` (repeatable)",
        apply: |options, text| {
            options.launch.assumptions.push(text.to_owned());
            Ok(())
        },
    },
    Row {
        name: "size",
        alias: None,
        group: Group::Launch,
        takes: Takes::Each("NAME=ELEMENTS"),
        help: "The size of the buffer behind a pointer argument: `out=n * m`, in elements as the kernel indexes it (the answer says how many bytes each has); checks `bounds` (repeatable)",
        apply: |options, text| {
            options.launch.sizes.push(text.parse()?);
            also(options, "bounds");
            Ok(())
        },
    },
    Row {
        name: "host",
        alias: None,
        group: Group::Launch,
        takes: Takes::One("WHEN"),
        help: "Read launches and arguments from the host's code of a CUDA file: `on` or `off` [default: on]",
        apply: |options, text| {
            options.launch.host = match text {
                "on" => Host::On,
                "off" => Host::Off,
                _ => return Err(bad("say `on` or `off`")),
            };
            Ok(())
        },
    },
    Row {
        name: "dynamic-shared",
        alias: None,
        group: Group::Launch,
        takes: Takes::One("BYTES"),
        help: "Bytes of dynamic shared memory",
        apply: |options, text| {
            let bytes = text.parse().map_err(|_| bad("give a number of bytes, as in `4096`"))?;
            options.launch.dynamic_shared = Some(bytes);
            Ok(())
        },
    },
    Row {
        name: "warp-size",
        alias: None,
        group: Group::Launch,
        takes: Takes::One("N"),
        help: "Threads in a warp, where the target leaves it open",
        apply: |options, text| {
            let size = text.parse().ok().filter(|n: &u32| n.is_power_of_two() && *n <= 128);
            let size = size.ok_or_else(|| bad("a warp has 1, 2, 4, … or 128 threads"))?;
            options.launch.warp_size = Some(size);
            Ok(())
        },
    },
    Row {
        name: "barrier-model",
        alias: None,
        group: Group::Launch,
        takes: Takes::One("MODEL"),
        help: "What a block barrier waits for: all threads (`strict`), or all that have not returned (`exited-ok`) \
               [default: exited-ok for CUDA from sm_70, else strict]",
        apply: |options, text| {
            options.launch.barriers = Some(match text {
                "strict" => BarrierModel::Strict,
                "exited-ok" => BarrierModel::ExitedOk,
                _ => return Err(bad("the models are `strict` and `exited-ok`")),
            });
            Ok(())
        },
    },
    Row {
        name: "check-uninitialised",
        alias: None,
        group: Group::Method,
        takes: Takes::Nothing,
        help: "Check as well that shared memory is written before it is read (the pass `uninitialised-shared`)",
        apply: |options, _| {
            also(options, "uninitialised-shared");
            Ok(())
        },
    },
    Row {
        name: "check-bounds",
        alias: None,
        group: Group::Method,
        takes: Takes::Nothing,
        help: "Check as well that each access stays in its array (the pass `bounds`)",
        apply: |options, _| {
            also(options, "bounds");
            Ok(())
        },
    },
    Row {
        name: "passes",
        alias: None,
        group: Group::Method,
        takes: Takes::Each("NAMES"),
        help: "Run these passes only, separated by commas; `heddle passes` lists them, and `races` is all that end in `-race`",
        apply: |options, text| {
            for name in text.split(',') {
                let of_name = passes_of(name.trim());
                if of_name.is_empty() {
                    let names = pass_names();
                    let meant = suggestion(name.trim(), names.iter().copied());
                    return Err(bad(&format!(
                        "`{}` is no pass{meant}; the passes are {}",
                        name.trim(),
                        names.join(", ")
                    )));
                }
                options.passes.extend(of_name.into_iter().map(str::to_owned));
            }
            Ok(())
        },
    },
    Row {
        name: "benign",
        alias: None,
        group: Group::Method,
        takes: Takes::One("LEVEL"),
        help: "Several threads that store the same value: a `note`, or a race (`error`) [default: note]",
        apply: |options, text| {
            options.benign_is_error = match text {
                "note" => false,
                "error" => true,
                _ => return Err(bad("the levels are `note` and `error`")),
            };
            Ok(())
        },
    },
    Row {
        name: "budget",
        alias: None,
        group: Group::Method,
        takes: Takes::One("FACTOR"),
        help: "Work that one question and one kernel may cost, as a multiple of the default; more than two kernels of one source share \
               what two may cost. Or `build`: what a build has time for, by the size of the kernel. Beyond it properties are unknown \
               (HD0003) [default: 1; `build` in a compiler]",
        apply: |options, text| {
            if text == "build" {
                (options.limit, options.budget) = (ResourceLimit::Build, scaled(1.0));
                return Ok(());
            }
            let factor = text.parse().ok().filter(|factor: &f64| *factor > 0.0 && *factor <= 1e6);
            let factor = factor.ok_or_else(|| {
                bad("give a number above 0 and up to 1000000, as in `4` or `0.5`, or `build`")
            })?;
            (options.limit, options.budget) = (ResourceLimit::Full, scaled(factor));
            Ok(())
        },
    },
    Row {
        name: "max-time",
        alias: None,
        group: Group::Method,
        takes: Takes::One("SECONDS"),
        help: "Time on the clock that one kernel may take: what is open then is unknown (HD0003), by the machine's speed [default: no limit]",
        apply: |options, text| {
            options.max_time = Some(seconds(text)?);
            Ok(())
        },
    },
    Row {
        name: "infer",
        alias: None,
        group: Group::Method,
        takes: Takes::Nothing,
        help: "Look for a simple condition under which a property is proved that is unknown, or refuted for some \
               arguments, and show it as an `--assume` to give",
        apply: |options, _| {
            options.infer = true;
            Ok(())
        },
    },
    Row {
        name: "replay",
        alias: None,
        group: Group::Method,
        takes: Takes::One("WHERE"),
        help: "Where the run that refutes a property is tried before it is told: in the interpreter (`interp`), there and \
               as native code under race checks (`jit`), or nowhere (`none`) [default: interp]",
        apply: |options, text| {
            options.replay = match text {
                "interp" => Replay::Interpreter,
                "jit" => Replay::Jit,
                "none" => Replay::None,
                _ => return Err(bad("the places are `interp`, `jit` and `none`")),
            };
            Ok(())
        },
    },
    Row {
        name: "no-replay",
        alias: None,
        group: Group::Method,
        takes: Takes::Nothing,
        help: "Tell what refutes a property without trying its run, as `replay=none` does",
        apply: |options, _| {
            options.replay = Replay::None;
            Ok(())
        },
    },
    Row {
        name: "warp-sync",
        alias: None,
        group: Group::Method,
        takes: Takes::Nothing,
        help: "Take the threads of a warp to run in step, where named barriers are checked",
        apply: |options, _| {
            options.warp_sync = true;
            Ok(())
        },
    },
    Row {
        name: "assume-progress",
        alias: None,
        group: Group::Method,
        takes: Takes::One("MODEL"),
        help: "The forward progress of blocks that is guaranteed: `unfair`, `hsa`, `obe`, `hsa+obe`, `lobe-live`, `lobe`, `fair`, or \
               `strong-` and one of these [default: what the target guarantees]",
        apply: |options, text| {
            options.progress.assumed = Some(criterion(text).map_err(|names| bad(&names))?);
            Ok(())
        },
    },
    Row {
        name: "blocks",
        alias: None,
        group: Group::Method,
        takes: Takes::One("N"),
        help: "Follow forward progress for this number of blocks [default: those of the grid; if that is open 3, which proves nothing]",
        apply: |options, text| {
            let wrong = || bad(&format!("give a number from 1 to {MOST_BLOCKS}"));
            let blocks = text.parse().ok().filter(|blocks| (1..=MOST_BLOCKS).contains(blocks));
            options.progress.blocks = Some(blocks.ok_or_else(wrong)?);
            Ok(())
        },
    },
    Row {
        name: "jobs",
        alias: None,
        group: Group::Method,
        takes: Takes::One("N"),
        help: "Threads that work at the same time [default: as many as there are cores; one in a compiler]",
        apply: |options, text| {
            options.jobs = Some(text.parse().map_err(|_| bad("give a number above 0"))?);
            Ok(())
        },
    },
];

impl Row {
    /// Changes the options as the text says. `text` is empty where nothing is taken.
    ///
    /// # Errors
    /// The text is no value for this option.
    pub fn apply(&self, options: &mut CheckOptions, text: &str) -> Result<(), BadOption> {
        if self.takes == Takes::Nothing && !text.is_empty() {
            return Err(bad(&format!("`{}` takes no value", self.name)));
        }
        (self.apply)(options, text)
    }
}

/// The row of a name or an alias.
pub fn row(name: &str) -> Option<&'static Row> {
    OPTIONS.iter().find(|row| row.name == name || row.alias == Some(name))
}

/// The passes that a name means: a pass, or a group of them. Empty where it means nothing.
pub fn passes_of(name: &str) -> Vec<&'static str> {
    let meant = |pass: &&str| *pass == name || (name == "races" && pass.ends_with("-race"));
    PASSES.iter().map(|pass| pass.name()).filter(meant).collect()
}

/// All names that [`passes_of`] knows.
pub(crate) fn pass_names() -> Vec<&'static str> {
    PASSES.iter().map(|pass| pass.name()).chain(["races"]).collect()
}

/// That there is no option of this name, and which there are: the table's, the names of passes, and
/// `more`.
pub fn no_option(name: &str, more: &[&'static str]) -> BadOption {
    let passes = pass_names();
    let options: Vec<_> = OPTIONS.iter().map(|row| row.name).chain(more.iter().copied()).collect();
    let meant = suggestion(name, passes.iter().chain(&options).copied());
    bad(&format!(
        "`{name}` is no option{meant}; the passes are {}, the options {}",
        passes.join(", "),
        options.join(", ")
    ))
}

/// Reads `block=256`, `warp-sync` or `races`: one parameter of a pass.
///
/// # Errors
/// There is no such option, or the value does not fit it.
pub fn apply_item(options: &mut CheckOptions, item: &str) -> Result<(), BadOption> {
    let (name, value) = item.split_once('=').unwrap_or((item, ""));
    let (name, value) = (name.trim(), value.trim());
    if value.is_empty() && !passes_of(name).is_empty() {
        options.passes.extend(passes_of(name).into_iter().map(str::to_owned));
        return Ok(());
    }
    let row = row(name).ok_or_else(|| no_option(name, &[]))?;
    row.apply(options, value).map_err(|error| bad(&format!("`{item}`: {error}")))
}

/// Runs a pass besides the others.
fn also(options: &mut CheckOptions, pass: &str) {
    if options.also.iter().all(|name| name != pass) {
        options.also.push(pass.to_owned());
    }
}

fn bad(message: &str) -> BadOption {
    BadOption(message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_passes::launch::GlobalOffset;

    #[test]
    fn items_are_read_as_documented() {
        let mut options = CheckOptions::default();
        let all = ["races", "launch=16x16", "arg=n=7", "warp-sync", "assume=n > 0"];
        for item in all.into_iter().chain(["global-offset=8x4"]) {
            apply_item(&mut options, item).expect(item);
        }
        assert_eq!(options.passes.len(), 3);
        assert_eq!(options.launch.block, "16,16".parse().ok());
        assert_eq!(options.launch.global_offset, GlobalOffset::Given([8, 4, 0]));
        assert_eq!(options.launch.args, ["n=7".parse().expect("an argument")]);
        apply_item(&mut options, "assume-progress=strong-lobe").expect("a model");
        assert!(options.progress.assumed.is_some());
        assert!(options.warp_sync && options.launch.assumptions == ["n > 0"]);
        for (item, part) in [
            ("race", "the passes are"),
            ("block=x", "one to three numbers"),
            ("warp-sync=1", "takes no value"),
            ("block", "one to three numbers"),
            ("global-offset=-1", "one to three numbers"),
            ("assume-progress=x", "the models are unfair, hsa"),
            ("blocks=17", "from 1 to 16"),
            ("passes=a", "the passes are"),
            ("max-time=0", "seconds above 0"),
        ] {
            let message = apply_item(&mut options, item).expect_err(item).to_string();
            assert!(message.contains(part), "{item}: {message}");
        }
    }

    #[test]
    fn names_are_unique_and_help_is_a_phrase() {
        let mut names: Vec<_> =
            OPTIONS.iter().flat_map(|it| [Some(it.name), it.alias]).flatten().collect();
        names.extend(pass_names());
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "two options, or an option and a pass, have one name");
        assert!(OPTIONS.iter().all(|it| !it.help.is_empty() && !it.help.ends_with('.')));
    }
}
