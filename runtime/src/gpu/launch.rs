//! A checked launch: memory and its shadow on the device, the kernel, reports taken while it runs,
//! and a watchdog.
//!
//! **Promises**: a module made for another version of the ABI is an error before anything runs. A
//! kernel that does not end is first asked to (its threads look at each 1,024th iteration of a
//! loop), then given up with what was reported and where warps wait; its memory is left alone, for
//! the device still uses it. **Does not**: read files, or say anything in words.

use std::time::{Duration, Instant};

use heddle_semantics::WARP;

use super::driver::{Address, Driver, DriverError, Handle, LoadError, Pinned};
use super::layout::*;
use super::ring::{RING, Ring};
use crate::abi;

/// What to run.
#[derive(Debug)]
pub struct Job<'a> {
    /// The module.
    pub ptx: &'a str,
    /// The kernel's symbol.
    pub kernel: &'a str,
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// What each buffer holds.
    pub buffers: Vec<Vec<u8>>,
    /// The arguments, in order.
    pub arguments: Vec<Argument>,
    /// Variables of the module that have a shadow.
    pub variables: Vec<String>,
    /// The bytes that a cell of the shadow stands for, as a power of two.
    pub shift: u32,
    /// Whether an address outside of all memory is an error.
    pub bounds: bool,
    /// Whether the module has the device library in it.
    pub checked: bool,
    /// Wall-clock time.
    pub timeout: Duration,
    /// A number by which checked blocks and threads are delayed, up to 24 bits; zero delays none.
    pub delays: u32,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The address of the n-th buffer.
    Buffer(usize),
    /// These bytes.
    Bytes(Vec<u8>),
}

/// Why there was no launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The driver refuses.
    Driver(DriverError),
    /// The driver's compiler refuses the PTX, and says why.
    Module(DriverError, String),
    /// The module has the device library of another version, or none.
    Version(String),
    /// The launch is beyond what the library can number.
    TooLarge(String),
}

impl From<DriverError> for Fault {
    fn from(error: DriverError) -> Fault {
        Fault::Driver(error)
    }
}

/// How a launch ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All threads returned.
    Returned,
    /// Threads were still running when the time was over, and ended when asked to.
    Stopped,
    /// Threads neither end nor look at whether they should: those that wait are in [`Done::waits`].
    Hangs,
    /// The device gave the kernel up.
    Failed(DriverError),
}

/// What a launch gave.
#[derive(Clone, Debug)]
pub struct Done {
    /// How it ended.
    pub end: End,
    /// The device's name.
    pub device: String,
    /// What each buffer holds; empty where the device cannot be asked any more.
    pub buffers: Vec<Vec<u8>>,
    /// Reports that were taken.
    pub reports: Vec<Report>,
    /// How often pairs of sites were reported.
    pub pairs: Vec<Pair>,
    /// What the device counted; none where it cannot be asked any more.
    pub counters: Option<Counters>,
    /// What each warp waits for, where the kernel hangs.
    pub waits: Vec<Wait>,
    /// The blocks, where the kernel hangs.
    pub blocks: Vec<Block>,
    /// Memory with a shadow: address and bytes of each buffer, then of each variable.
    pub regions: Vec<(u64, u64)>,
    /// Bytes of all shadows.
    pub shadow_bytes: usize,
    /// Wall-clock time of the kernel.
    pub elapsed: Duration,
}

/// Pairs of sites that are counted.
const PAIRS: usize = 1 << 12;
/// Bytes of the table of last stores, at most: of more threads none is kept, and stores of the same
/// value are told by what memory holds.
const MOST_STORES: u64 = 256 << 20;
/// Bytes at the start of shared memory that newer devices keep for themselves.
const RESERVED_SHARED: u32 = 1024;
/// How long threads that are asked to end, and copies beside a kernel that hangs, may take.
const GRACE: Duration = Duration::from_secs(2);
/// How often the ring is looked at.
const POLL: Duration = Duration::from_millis(1);

/// How long a run looks at the stream all the time, before it sleeps between looks.
const SPIN: Duration = Duration::from_millis(3);

/// A kernel that the driver has loaded.
#[derive(Debug)]
pub struct Loaded {
    module: Handle,
    function: Handle,
    device: String,
    processors: u32,
}

impl Loaded {
    /// Gives it back, where no run of it is left on the device.
    pub fn release(self, driver: &Driver) {
        driver.unload(self.module);
    }
}

/// Loads a kernel.
///
/// # Errors
/// The driver refuses, or the module is not for this version.
pub fn load(driver: &Driver, job: &Job<'_>) -> Result<Loaded, Fault> {
    let (device, processors) = driver.start()?;
    let module = driver.load_module(job.ptx, product(job.block)).map_err(|error| match error {
        LoadError::Refused(error, log) => Fault::Module(error, log),
        LoadError::Other(error) => Fault::Driver(error),
    })?;
    if job.checked {
        check_version(driver, module)?;
    }
    let function = driver.function(module, job.kernel)?;
    Ok(Loaded { module, function, device, processors })
}

/// Loads a kernel and runs it.
///
/// # Errors
/// There was no launch.
pub fn run(driver: &Driver, job: &Job<'_>) -> Result<Done, Fault> {
    numbered(job)?;
    run_loaded(driver, &load(driver, job)?, job)
}

/// The device library can number what there is.
fn numbered(job: &Job<'_>) -> Result<(), Fault> {
    let blocks = product(job.grid);
    match job.checked && blocks > MOST_BLOCKS {
        true => Err(Fault::TooLarge(format!(
            "the grid has {blocks} blocks, and the device library numbers {MOST_BLOCKS} at most"
        ))),
        false => Ok(()),
    }
}

fn product(it: [u32; 3]) -> u64 {
    it.iter().map(|n| u64::from(*n)).product()
}

/// Runs a kernel that was loaded, on fresh buffers. Variables of its module are as the last run
/// left them.
///
/// # Errors
/// There was no launch.
pub fn run_loaded(driver: &Driver, loaded: &Loaded, job: &Job<'_>) -> Result<Done, Fault> {
    numbered(job)?;
    let (blocks, threads) = (product(job.grid), product(job.block));
    let Loaded { module, function, device, processors } = loaded;
    let (module, function) = (*module, *function);
    let resident = driver.resident(function, threads as u32, job.dynamic_shared)?;
    let mut session = Session {
        driver,
        job,
        stream: driver.stream()?,
        beside: driver.stream()?,
        held: Vec::new(),
        regions: Vec::new(),
        shadow_bytes: 0,
    };
    let most = u64::from(resident * processors);
    let (tables, mut arguments) = match session.prepare(module, function, (blocks, threads, most)) {
        Ok(ready) => ready,
        Err(fault) => {
            session.held.iter().for_each(|at| driver.release(*at));
            return Err(fault);
        }
    };
    driver.settle()?;
    let start = Instant::now();
    let size = (job.grid, job.block, job.dynamic_shared);
    driver.launch(function, size, session.stream, &mut arguments)?;
    Ok(session.follow(device.clone(), start, tables))
}

/// The library in the module is the one that this is built for.
fn check_version(driver: &Driver, module: Handle) -> Result<(), Fault> {
    let none = |_| {
        Fault::Version(format!(
            "the module has no `{}`: it was made for another version of the ABI than {}, or without checks",
            abi::VERSION_SYMBOL,
            abi::VERSION
        ))
    };
    let (at, _) = driver.global(module, abi::VERSION_SYMBOL).map_err(none)?;
    let mut bytes = [0; 4];
    driver.read(at, &mut bytes)?;
    let (_, size) = driver.global(module, "__heddle_launch").map_err(none)?;
    match (u32::from_le_bytes(bytes), size == size_of::<Launch>()) {
        (abi::VERSION, true) => Ok(()),
        (version, _) => Err(Fault::Version(format!(
            "the device library in the module is of version {version} of the ABI, and this is built for version {}",
            abi::VERSION
        ))),
    }
}

/// The tables of a checked launch, on the device, and what they are read into beside a kernel that
/// hangs.
struct Tables {
    ring: Ring,
    counters: Address,
    pairs: Address,
    waits: (Address, usize),
    blocks: (Address, usize),
    rescue: Pinned,
    one: Pinned,
}

struct Session<'a> {
    driver: &'a Driver,
    job: &'a Job<'a>,
    stream: Handle,
    beside: Handle,
    held: Vec<Address>,
    regions: Vec<(u64, u64)>,
    shadow_bytes: usize,
}

impl Session<'_> {
    fn zeroed(&mut self, bytes: usize) -> Result<Address, DriverError> {
        let at = self.driver.zeroed(bytes)?;
        self.held.push(at);
        Ok(at)
    }

    fn shadow(&mut self, bytes: u64) -> Result<Address, DriverError> {
        let len = ((bytes >> self.job.shift) + 1) * CELL_BYTES;
        self.shadow_bytes += len as usize;
        self.zeroed(len as usize)
    }

    /// Buffers, tables and arguments. `most` blocks fit on the device at one time.
    fn prepare(
        &mut self,
        module: Handle,
        function: Handle,
        (blocks, threads, most): (u64, u64, u64),
    ) -> Result<(Option<Tables>, Vec<Vec<u8>>), Fault> {
        let (driver, job) = (self.driver, self.job);
        for buffer in &job.buffers {
            let at = self.zeroed(buffer.len())?;
            driver.write(at, buffer)?;
            self.regions.push((at, buffer.len() as u64));
        }
        for name in &job.variables {
            let (at, len) = driver.global(module, name)?;
            self.regions.push((at, len as u64));
        }
        if self.regions.len() > MOST_REGIONS {
            let why = format!("buffers and variables are more than {MOST_REGIONS}");
            return Err(Fault::TooLarge(why));
        }
        let tables = match job.checked {
            true => {
                let slots = most.min(blocks) as u32;
                Some(self.hand_over(module, function, (blocks, threads, slots))?)
            }
            false => None,
        };
        let argument = |it: &Argument| match it {
            Argument::Buffer(n) => self.regions[*n].0.to_le_bytes().to_vec(),
            Argument::Bytes(bytes) => bytes.clone(),
        };
        Ok((tables, job.arguments.iter().map(argument).collect()))
    }

    fn hand_over(
        &mut self,
        module: Handle,
        function: Handle,
        (blocks, threads, slots): (u64, u64, u32),
    ) -> Result<Tables, Fault> {
        let driver = self.driver;
        let fixed = driver.shared_bytes(function)?;
        let used = fixed + self.job.dynamic_shared;
        let shared_bytes = if used == 0 { 0 } else { used + RESERVED_SHARED };
        let stride = ((u64::from(shared_bytes) >> self.job.shift) + 1) * CELL_BYTES;
        let (warps, blocks) =
            ((blocks * threads.div_ceil(u64::from(WARP))) as usize, blocks as usize);
        let waits = (self.zeroed(warps * size_of::<Wait>())?, warps);
        let blocks = (self.zeroed(blocks * size_of::<Block>())?, blocks);
        let counters = self.zeroed(size_of::<Counters>() + slots as usize * 4)?;
        let pairs = self.zeroed(PAIRS * size_of::<Pair>())?;
        let shared = self.zeroed((stride * u64::from(slots)) as usize)?;
        self.shadow_bytes += (stride * u64::from(slots)) as usize;
        let stores = u64::from(slots) * threads * size_of::<Stored>() as u64;
        let stores = match stores <= MOST_STORES {
            true => Some(self.zeroed(stores as usize)?),
            false => None,
        };
        let mut region = [Region::default(); MOST_REGIONS];
        for (n, (base, bytes)) in self.regions.clone().into_iter().enumerate() {
            let shadow = self.shadow(bytes)?;
            region[n] = Region { base, bytes, shadow, shift: self.job.shift, reserved: 0 };
        }
        let ring = Ring::new(driver.pinned(RING * size_of::<Report>())?, driver.pinned(8)?);
        let (reports, taken) = ring.addresses();
        let launch = Launch {
            abi: abi::VERSION,
            flags: (u32::from(self.job.bounds) * CHECK_BOUNDS) | (self.job.delays << DELAYS_AT),
            ring: reports,
            ring_taken: taken,
            counters,
            blocks: blocks.0,
            waits: waits.0,
            pairs,
            shared_shadow: shared,
            shared_stride: stride,
            stores: stores.unwrap_or(0),
            ring_mask: RING as u32 - 1,
            pair_mask: PAIRS as u32 - 1,
            shared_bytes,
            shared_shift: self.job.shift,
            slots,
            regions: self.regions.len() as u32,
            region,
        };
        let (at, _) = driver.global(module, "__heddle_launch")?;
        driver.write(at, launch.as_bytes())?;
        let rescue = rescue_bytes(waits.1, blocks.1);
        let (rescue, one) = (driver.pinned(rescue)?, driver.pinned(4)?);
        one.set(1);
        Ok(Tables { ring, counters, pairs, waits, blocks, rescue, one })
    }

    /// Takes reports until the kernel ends, or is given up.
    fn follow(self, device: String, start: Instant, mut tables: Option<Tables>) -> Done {
        let mut reports = Vec::new();
        let mut asked: Option<Instant> = None;
        let end = loop {
            if let Some(tables) = &mut tables {
                tables.ring.take(&mut reports);
            }
            match self.driver.has_ended(self.stream) {
                Ok(true) if asked.is_some() => break End::Stopped,
                Ok(true) => break End::Returned,
                Err(error) => break End::Failed(error),
                Ok(false) => {}
            }
            match (asked, &tables) {
                (None, _) if start.elapsed() < self.job.timeout => {}
                (None, Some(tables)) => {
                    asked = Some(Instant::now());
                    let at = tables.counters + std::mem::offset_of!(Counters, stop) as u64;
                    if self.driver.start_write(at, &tables.one, 4, self.beside).is_err() {
                        break End::Hangs;
                    }
                }
                (None, None) => break End::Hangs,
                (Some(since), _) if since.elapsed() > GRACE => break End::Hangs,
                (Some(_), _) => {}
            }
            if start.elapsed() > SPIN {
                std::thread::sleep(POLL);
            }
        };
        let elapsed = start.elapsed();
        if let Some(tables) = &mut tables {
            let mut before = usize::MAX;
            while reports.len() != before {
                before = reports.len();
                tables.ring.take(&mut reports);
            }
        }
        let Session { regions, shadow_bytes, .. } = &self;
        let mut done = Done {
            end,
            device,
            buffers: Vec::new(),
            reports,
            pairs: Vec::new(),
            counters: None,
            waits: Vec::new(),
            blocks: Vec::new(),
            regions: regions.clone(),
            shadow_bytes: *shadow_bytes,
            elapsed,
        };
        match (&done.end, &mut tables) {
            (End::Returned | End::Stopped, _) => self.collect(tables.take(), &mut done),
            (End::Hangs, Some(tables)) => self.rescue(tables, &mut done),
            (End::Hangs, None) | (End::Failed(_), _) => {}
        }
        done
    }

    /// After the kernel: everything, and the memory is given back. What cannot be read is left out.
    fn collect(self, tables: Option<Tables>, done: &mut Done) {
        for (buffer, (at, _)) in self.job.buffers.iter().zip(&self.regions) {
            let mut bytes = vec![0; buffer.len()];
            if self.driver.read(*at, &mut bytes).is_ok() {
                done.buffers.push(bytes);
            }
        }
        if let Some(tables) = &tables {
            let mut counters = vec![0; size_of::<Counters>()];
            if self.driver.read(tables.counters, &mut counters).is_ok() {
                done.counters = Some(Counters::from_bytes(&counters));
            }
            let mut pairs = vec![0; PAIRS * size_of::<Pair>()];
            if self.driver.read(tables.pairs, &mut pairs).is_ok() {
                done.pairs = pairs.chunks_exact(8).map(Pair::from_bytes).collect();
            }
        }
        self.held.iter().for_each(|at| self.driver.release(*at));
        if let Some(Tables { ring, rescue, one, .. }) = tables {
            let [reports, taken] = ring.into_memory();
            for memory in [reports, taken, rescue, one] {
                self.driver.release_pinned(memory);
            }
        }
        for stream in [self.stream, self.beside] {
            self.driver.release_stream(stream);
        }
    }

    /// Beside a kernel that hangs: what copies of another stream bring within the grace.
    fn rescue(&self, tables: &Tables, done: &mut Done) {
        let (waits, blocks) =
            (tables.waits.1 * size_of::<Wait>(), tables.blocks.1 * size_of::<Block>());
        let parts = [
            (tables.waits.0, waits),
            (tables.blocks.0, blocks),
            (tables.counters, size_of::<Counters>()),
            (tables.pairs, PAIRS * size_of::<Pair>()),
        ];
        let mut at = 0;
        for (from, len) in parts {
            if self.driver.start_read(from, (&tables.rescue, at), len, self.beside).is_err() {
                return;
            }
            at += len;
        }
        let start = Instant::now();
        while self.driver.has_ended(self.beside) != Ok(true) {
            if start.elapsed() > GRACE {
                return;
            }
            std::thread::sleep(POLL);
        }
        let bytes = tables.rescue.bytes(at);
        let (waits, rest) = bytes.split_at(waits);
        let (blocks, rest) = rest.split_at(blocks);
        let (counters, pairs) = rest.split_at(size_of::<Counters>());
        done.waits = waits.chunks_exact(size_of::<Wait>()).map(Wait::from_bytes).collect();
        done.blocks = blocks.chunks_exact(size_of::<Block>()).map(Block::from_bytes).collect();
        done.counters = Some(Counters::from_bytes(counters));
        done.pairs = pairs.chunks_exact(size_of::<Pair>()).map(Pair::from_bytes).collect();
    }
}

/// Bytes that [`Session::rescue`] reads.
fn rescue_bytes(warps: usize, blocks: usize) -> usize {
    warps * size_of::<Wait>()
        + blocks * size_of::<Block>()
        + size_of::<Counters>()
        + PAIRS * size_of::<Pair>()
}
