//! The device library on this machine: the same source, compiled for the host, with threads that
//! are only numbers.

#![allow(unsafe_code, reason = "the library is C, and is called as such")]

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use heddle_runtime::abi::{Access, MemoryOrder, Scope, VALUE, access_flags};
use heddle_runtime::gpu::{Block, Counters, Launch, MOST_REGIONS, Pair, Region, Report, Wait};
use libloading::{Library, Symbol};

/// Who runs: `struct Here` of `platform.h`.
#[repr(C)]
struct Here {
    thread: u32,
    threads: u32,
    block: u32,
    ended: u32,
    shared: u64,
    shared_bytes: u64,
}

/// What a thread does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Touches four bytes: a word of shared or global memory, by a site.
    Access { word: u32, shared: bool, flags: u32, site: u32 },
    /// Stores four bytes, a value that its code knows, to a word of global memory.
    Store { word: u32, value: u64, site: u32 },
    /// `__threadfence`.
    Fence,
    /// Comes to a barrier of the block.
    Barrier,
    /// Goes on after it.
    BarrierDone,
    /// Comes to a barrier of the warp.
    WarpBarrier,
    /// Goes on after it.
    WarpBarrierDone,
    /// Comes to barrier 1, for 32 threads.
    PartBarrier,
    /// Goes on after it.
    PartBarrierDone,
}

/// Bytes of shared memory of a block, and where a block's lies.
const SHARED: u64 = 256;
const SHARED_AT: u64 = 0x10_0000;
const GLOBAL_AT: u64 = 0x20_0000;
const GLOBAL: u64 = 256;
const CELL_WORDS: usize = 3;
const RING: usize = 1 << 12;

/// A launch on the simulated device, and all its memory.
pub(crate) struct Device {
    blocks: Vec<Block>,
    waits: Vec<Wait>,
    /// As `Stored`, which is read and written in one.
    stores: Vec<u128>,
    pairs: Vec<Pair>,
    ring: Vec<Report>,
    taken: Box<u64>,
    counters: Vec<u64>,
    shared: Vec<u64>,
    global: Vec<u64>,
    threads: Vec<[u64; 8]>,
    of_block: u32,
}

/// One library, and its globals, for all tests of the process: they take turns.
static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());

fn library() -> &'static Library {
    static LOADED: OnceLock<Library> = OnceLock::new();
    LOADED.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let path = folder.join(format!("heddle_device_{}.so", std::process::id()));
        let built = Command::new("clang-22")
            .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "runtime/device/heddle.c", "-o"])
            .arg(&path)
            .status()
            .expect("clang 22 is installed");
        assert!(built.success(), "the library compiles for the host");
        // SAFETY: the library runs nothing when it is loaded.
        let library = unsafe { Library::new(&path) }.expect("it was just built");
        std::fs::remove_file(&path).expect("it is ours");
        library
    })
}

fn entry<T>(name: &str) -> Symbol<'static, T> {
    // SAFETY: each use names a function or variable with the type that the header gives it.
    unsafe { library().get(name) }.unwrap_or_else(|error| panic!("{name}: {error}"))
}

impl Device {
    /// Runs `steps` in their order: (block, thread, what it does). Gives what was reported.
    pub(crate) fn run(
        grid: u32,
        block: u32,
        steps: &[(u32, u32, Step)],
    ) -> (Vec<Report>, Counters) {
        let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut device = Device {
            blocks: vec![Block::default(); grid as usize],
            waits: vec![Wait::default(); (grid * block.div_ceil(32)) as usize],
            stores: vec![0; (grid * block) as usize],
            pairs: vec![Pair::default(); 1024],
            ring: vec![Report::default(); RING],
            taken: Box::new(0),
            counters: vec![0; size_of::<Counters>() / 8 + grid as usize],
            shared: vec![0; SHARED as usize / 4 * CELL_WORDS * grid as usize],
            global: vec![0; GLOBAL as usize / 4 * CELL_WORDS],
            threads: vec![[0; 8]; (grid * block) as usize],
            of_block: block,
        };
        device.hand_over(grid);
        for number in 0..grid * block {
            device.call::<unsafe extern "C" fn(*mut [u64; 8], u64)>(
                number / block,
                number % block,
                "__heddle_gpu_enter",
                // SAFETY: the state is that of a thread of this launch.
                |enter, state| unsafe { enter(state, 0) },
            );
        }
        for (of, thread, step) in steps {
            device.step(*of, *thread, *step);
        }
        for number in 0..grid * block {
            device.call::<unsafe extern "C" fn(*mut [u64; 8])>(
                number / block,
                number % block,
                "__heddle_gpu_leave",
                // SAFETY: as above.
                |leave, state| unsafe { leave(state) },
            );
        }
        // SAFETY: the counters stand at the start of the allocation, which is large enough and
        // aligned.
        let counters = unsafe { *device.counters.as_ptr().cast::<Counters>() };
        assert!(device.blocks.iter().all(|it| it.left == block), "all threads ended");
        assert!(device.waits.iter().all(|it| it.lanes == 0), "nobody waits");
        let count = counters.next as usize;
        assert!(
            device.ring[..count].iter().zip(1..).all(|(it, n)| it.sequence & Report::COUNTS == n)
        );
        (device.ring[..count].to_vec(), counters)
    }

    fn hand_over(&mut self, grid: u32) {
        let mut region = [Region::default(); MOST_REGIONS];
        region[0] = Region {
            base: GLOBAL_AT,
            bytes: GLOBAL,
            shadow: self.global.as_mut_ptr() as u64,
            shift: 2,
            reserved: 0,
        };
        let launch = Launch {
            abi: heddle_runtime::abi::VERSION,
            flags: heddle_runtime::gpu::CHECK_BOUNDS,
            ring: self.ring.as_mut_ptr() as u64,
            ring_taken: &raw mut *self.taken as u64,
            counters: self.counters.as_mut_ptr() as u64,
            blocks: self.blocks.as_mut_ptr() as u64,
            waits: self.waits.as_mut_ptr() as u64,
            pairs: self.pairs.as_mut_ptr() as u64,
            shared_shadow: self.shared.as_mut_ptr() as u64,
            shared_stride: SHARED / 4 * 8 * CELL_WORDS as u64,
            stores: self.stores.as_mut_ptr() as u64,
            ring_mask: RING as u32 - 1,
            pair_mask: 1023,
            shared_bytes: SHARED as u32,
            shared_shift: 2,
            slots: grid,
            regions: 1,
            region,
        };
        let place: Symbol<'_, *mut Launch> = entry("__heddle_launch");
        // SAFETY: the variable is the library's, of this type, and one test runs at a time.
        unsafe { **place = launch };
    }

    fn call<F: Copy + 'static>(
        &mut self,
        of: u32,
        thread: u32,
        name: &str,
        make: impl FnOnce(F, *mut [u64; 8]),
    ) {
        let here: Symbol<'_, *mut Here> = entry("heddle_here");
        // SAFETY: the variable is the library's, of this type, and one test runs at a time.
        unsafe {
            **here = Here {
                thread,
                threads: self.of_block,
                block: of,
                ended: 0,
                shared: SHARED_AT,
                shared_bytes: SHARED,
            };
        }
        let function: Symbol<'_, F> = entry(name);
        make(*function, &raw mut self.threads[(of * self.of_block + thread) as usize]);
    }

    fn step(&mut self, of: u32, thread: u32, step: Step) {
        type Plain = unsafe extern "C" fn(*mut [u64; 8], u32);
        type Two = unsafe extern "C" fn(*mut [u64; 8], u32, u32);
        type Touch = unsafe extern "C" fn(*mut [u64; 8], u64, u32, u32, u32, u64);
        // The signatures are those of `heddle.c`, and addresses are only compared.
        match step {
            Step::Access { word, shared, flags, site } => {
                let base = if shared { SHARED_AT } else { GLOBAL_AT };
                let address = base + u64::from(word) * 4;
                self.call::<Touch>(of, thread, "__heddle_gpu_access", |it, state| {
                    // SAFETY: see above.
                    unsafe { it(state, address, 4, site, flags, 0) }
                });
            }
            Step::Store { word, value, site } => {
                let flags = access_flags(Access::Store, MemoryOrder::Relaxed, Scope::Grid) | VALUE;
                let address = GLOBAL_AT + u64::from(word) * 4;
                self.call::<Touch>(of, thread, "__heddle_gpu_access", |it, state| {
                    // SAFETY: see above.
                    unsafe { it(state, address, 4, site, flags, value) }
                });
            }
            Step::Fence => self.call::<Plain>(of, thread, "__heddle_gpu_fence", |it, state| {
                // SAFETY: see above.
                unsafe { it(state, 1) }
            }),
            Step::Barrier => {
                self.call::<Two>(of, thread, "__heddle_gpu_barrier", |it, state| {
                    // SAFETY: see above.
                    unsafe { it(state, 0, 0) }
                });
            }
            Step::BarrierDone => {
                self.call::<Two>(of, thread, "__heddle_gpu_barrier_done", |it, state| {
                    // SAFETY: see above.
                    unsafe { it(state, 0, 0) }
                });
            }
            Step::PartBarrier => {
                self.call::<Two>(of, thread, "__heddle_gpu_barrier", |it, state| {
                    // SAFETY: see above.
                    unsafe { it(state, 1, 32) }
                });
            }
            Step::PartBarrierDone => {
                self.call::<Two>(of, thread, "__heddle_gpu_barrier_done", |it, state| {
                    // SAFETY: see above.
                    unsafe { it(state, 1, 32) }
                });
            }
            Step::WarpBarrier => {
                self.call::<Plain>(of, thread, "__heddle_gpu_warp_barrier", |it, state| {
                    // SAFETY: see above.
                    unsafe { it(state, !0) }
                });
            }
            Step::WarpBarrierDone => {
                let name = "__heddle_gpu_warp_barrier_done";
                self.call::<Plain>(of, thread, name, |it, state| {
                    // SAFETY: see above.
                    unsafe { it(state, !0) }
                });
            }
        }
    }
}
