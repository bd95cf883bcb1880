//! Launches from four sides: the options of a run, rules by kernel (`heddle.toml`), annotations in
//! the source (`HEDDLE_LAUNCH`, `heddle_requires`), and the launches that the source has
//! (`kernel<<<4, 256>>>()`).
//!
//! Where nobody says sizes or values, what the host's code says of its launches holds instead of
//! their sizes ([`host`]).
//!
//! Of sizes and values the options count most, then the last rule that fits the kernel, then the
//! annotations, then the launches. Conditions of all hold together; `passes` refuses those that no
//! launch satisfies. What a rule or an annotation says is read like the options, and refused like
//! them.
//!
//! **Promises**: `--block any` counts as said. **Does not**: mind a rule that fits no kernel of
//! this run: others may have it.

use std::collections::BTreeSet;

use heddle_diagnostics::{Code, Finding};
use heddle_frontend::host::HostLaunch;
use heddle_ir::Kernel;
use heddle_passes::condition::parse_condition;
use heddle_passes::launch::{GlobalOffset, HostFacts, LaunchRequest};

use super::bind::{self, Bound};
use super::contracts;
use super::host;
use super::launches;
use super::names;
use super::options::{LaunchOptions, Size};

/// The launch of each kernel, from all sides. As [`bind::bind`] otherwise.
///
/// # Errors
/// Findings that say what does not fit, each once.
pub(super) fn bind(
    kernels: &mut [&mut Kernel],
    launched: &[&[HostLaunch]],
    options: &LaunchOptions,
    is_part: bool,
    elsewhere: &BTreeSet<String>,
) -> Result<Bound, Vec<Finding>> {
    let mut bound = bind::bind(kernels, options, is_part, elsewhere)?;
    let mut refused: Vec<Finding> = Vec::new();
    for (index, (kernel, request)) in kernels.iter_mut().zip(&mut bound.requests).enumerate() {
        let rules = options
            .rules
            .iter()
            .rev()
            .filter(|rule| names::means(&rule.name, &kernel.name, &kernel.display_name));
        let mut layers: Vec<_> =
            rules.map(|rule| (rule.launch.clone(), rule.origin.clone())).collect();
        match stated(kernel) {
            Ok(stated) => layers.push((stated, "an annotation of the kernel".to_owned())),
            Err(finding) => refused.push(*finding),
        }
        let mut open = Open::after(options);
        for (launch, origin) in layers {
            let launch = LaunchOptions {
                grid: launch.grid.filter(|_| open.grid),
                block: launch.block.filter(|_| open.block),
                cluster: launch.cluster.filter(|_| open.cluster),
                ..launch
            };
            open.close(&launch);
            match bind::bind(&mut [kernel], &launch, true, &BTreeSet::new()) {
                Ok(more) => more.requests.into_iter().for_each(|more| add(request, more)),
                Err(findings) => refused.extend(
                    findings.into_iter().map(|it| it.note(format!("this is said by {origin}"))),
                ),
            }
        }
        match contracts::required(kernel) {
            Ok(conditions) => request.assumptions.extend(conditions),
            Err(finding) => refused.push(*finding),
        }
        if open.grid && open.block && request.args.is_empty() {
            let launches = launched.get(index).copied().unwrap_or_default();
            let host::Found { each, sharing, given_twice } = host::facts(kernel, launches);
            // Constant sizes alone are the same in each unit that has such a launch.
            let seen = &kernel.launch.launches;
            let says_more = each.iter().any(|it| host::says_more(it, seen));
            request.hosts = if says_more { each } else { Vec::new() };
            let one = |it: HostFacts| LaunchRequest { hosts: vec![it], ..request.clone() };
            request.beside = sharing.into_iter().map(one).collect();
            request.given_twice = given_twice;
        }
        if !request.hosts.is_empty() {
            continue;
        }
        if let Some(seen) = launches::seen(kernel, open.grid, open.block) {
            request.source = Some(seen.sizes);
            let choice = seen.condition.map(|text| (parse_condition(kernel, &text), text));
            if let Some((Ok(condition), text)) = choice {
                request.assumptions.push((condition, text));
            }
        }
    }
    refused.dedup_by(|a, b| (&a.message, &a.notes) == (&b.message, &b.notes));
    if refused.is_empty() { Ok(bound) } else { Err(refused) }
}

/// The sizes that nobody has said anything of yet.
struct Open {
    grid: bool,
    block: bool,
    cluster: bool,
}

impl Open {
    fn after(options: &LaunchOptions) -> Open {
        let mut open = Open { grid: true, block: true, cluster: true };
        open.close(options);
        open
    }

    fn close(&mut self, launch: &LaunchOptions) {
        self.grid &= launch.grid.is_none();
        self.block &= launch.block.is_none();
        self.cluster &= launch.cluster.is_none();
    }
}

/// What the kernel's annotations say.
fn stated(kernel: &Kernel) -> Result<LaunchOptions, Box<Finding>> {
    let size = |name: &str, sizes: Option<[u32; 3]>| {
        let Some([x, y, z]) = sizes else { return Ok(None) };
        let size: Result<Size, _> = format!("{x},{y},{z}").parse();
        size.map(Some).map_err(|error| {
            let message =
                format!("`{name}` of the kernel `{}` is {x},{y},{z}", kernel.display_name);
            Box::new(Finding::new(Code::BadInput, message).help(error.to_string()))
        })
    };
    Ok(LaunchOptions {
        grid: size("HEDDLE_GRID", kernel.launch.stated_grid)?,
        block: size("HEDDLE_BLOCK", kernel.launch.stated_block)?,
        assumptions: kernel.launch.assumptions.clone(),
        ..LaunchOptions::default()
    })
}

/// Adds what counts less.
fn add(request: &mut LaunchRequest, more: LaunchRequest) {
    let LaunchRequest {
        grid,
        block,
        cluster,
        global_offset,
        dynamic_shared,
        barriers,
        warp_size,
        source,
        hosts,
        beside,
        given_twice,
        args,
        assumptions,
        sizes,
    } = more;
    request.grid = request.grid.or(grid);
    request.block = request.block.or(block);
    request.cluster = request.cluster.or(cluster);
    if request.global_offset == GlobalOffset::Unsaid {
        request.global_offset = global_offset;
    }
    request.dynamic_shared = request.dynamic_shared.or(dynamic_shared);
    request.barriers = request.barriers.or(barriers);
    request.warp_size = request.warp_size.or(warp_size);
    request.source = request.source.take().or(source);
    request.hosts.extend(hosts);
    request.beside.extend(beside);
    request.given_twice = request.given_twice.take().or(given_twice);
    for (index, value) in args {
        if !request.args.iter().any(|(known, _)| *known == index) {
            request.args.push((index, value));
        }
    }
    for size in sizes {
        if request.sizes.iter().all(|known| known.object != size.object) {
            request.sizes.push(size);
        }
    }
    for (condition, text) in assumptions {
        if !request.assumptions.iter().any(|(_, known)| *known == text) {
            request.assumptions.push((condition, text));
        }
    }
}
