//! The border to C++: what the host calls, what the shim calls, and what the shim offers.
//!
//! **Promises**: nothing unwinds into the host; each call from it ends here in `catch_unwind`. The
//! only global state is what the host's command line said and which module was checked last, since
//! the host offers no other place for either.

#![allow(
    unsafe_code,
    reason = "the host speaks C++; each pointer is used for the length of the call it came with"
)]

use std::any::Any;
use std::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use heddle_driver::table::Takes;
use heddle_llvm::{HostModule, HostModuleMut};

use crate::check;
use crate::instrument::instrument_module;
use crate::options::{self, Options};

/// `llvm/Plugins/PassPlugin.h`: `LLVM_PLUGIN_API_VERSION`.
const API_VERSION: u32 = 2;

/// `PassPluginLibraryInfo`, by which the host knows a plugin.
#[repr(C)]
pub struct PluginInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: Option<unsafe extern "C" fn(*mut c_void)>,
    before_codegen:
        Option<unsafe extern "C" fn(*mut c_void, *mut c_void, c_int, *mut c_void) -> bool>,
}

type Write = unsafe extern "C" fn(sink: *mut c_void, data: *const c_char, size: usize);

/// `HeddleCalls` of the shim.
#[repr(C)]
struct Calls {
    accepts: unsafe extern "C" fn(*const c_char, usize, *mut c_void, Write) -> bool,
    given: unsafe extern "C" fn(*const c_char, usize),
    check: unsafe extern "C" fn(*mut c_void, *const c_char, usize, bool),
    instrument: unsafe extern "C" fn(*mut c_void, bool) -> bool,
}

static CALLS: Calls = Calls { accepts, given, check: check_host_module, instrument };

unsafe extern "C" {
    fn heddle_shim_is_taken(name: *const c_char, size: usize) -> bool;
    fn heddle_shim_start(calls: *const Calls);
    fn heddle_shim_option(
        name: *const c_char,
        name_size: usize,
        help: *const c_char,
        help_size: usize,
        takes: *const c_char,
        takes_size: usize,
    );
    fn heddle_shim_register(builder: *mut c_void);
    fn heddle_shim_before_codegen(
        module: *mut c_void,
        machine: *mut c_void,
        kind: c_int,
        out: *mut c_void,
    ) -> bool;
}

/// What this process said on its command line, and did.
struct Process {
    /// Whether the options are registered.
    started: bool,
    /// Parameters from the command line, in order.
    given: Vec<String>,
    /// The module that was checked last: its address and its name.
    checked: Option<(usize, String)>,
}

static PROCESS: Mutex<Process> =
    Mutex::new(Process { started: false, given: Vec::new(), checked: None });

fn process<T>(work: impl FnOnce(&mut Process) -> T) -> T {
    work(&mut PROCESS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// What the host asks first. The options of the command line are registered here, which is early
/// enough for all hosts.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the host looks for this name")]
pub extern "C" fn llvmGetPassPluginInfo() -> PluginInfo {
    let active = catch_unwind(start).unwrap_or(false);
    PluginInfo {
        api_version: API_VERSION,
        name: c"heddle".as_ptr(),
        version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        register: active.then_some(heddle_shim_register as _),
        before_codegen: active.then_some(heddle_shim_before_codegen as _),
    }
}

/// Registers the options, once. `false` where another copy of the plugin did.
fn start() -> bool {
    if process(|it| it.started) {
        return true;
    }
    let probe = "heddle-refuted";
    // SAFETY: texts are given with their lengths; `CALLS` lives as long as the process.
    unsafe {
        if heddle_shim_is_taken(probe.as_ptr().cast(), probe.len()) {
            return false;
        }
        heddle_shim_start(&raw const CALLS);
        for (name, takes, help) in options::for_the_host() {
            let takes = match takes {
                Takes::Nothing => "",
                Takes::One(what) | Takes::Each(what) => what,
            };
            heddle_shim_option(
                name.as_ptr().cast(),
                name.len(),
                help.as_ptr().cast(),
                help.len(),
                takes.as_ptr().cast(),
                takes.len(),
            );
        }
    }
    report_panics_once();
    process(|it| it.started = true);
    true
}

/// A panic becomes a diagnostic; the usual message beside it is printed with `RUST_BACKTRACE` only.
/// The hook is that of this library alone, whatever the host is written in.
fn report_panics_once() {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        std::panic::set_hook(Box::new(|_| {}));
    }
}

/// # Safety
/// `data` is null or points at `size` bytes that are valid for the call.
unsafe fn text(data: *const c_char, size: usize) -> String {
    if data.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// # Safety
/// As [`text`]; `write` takes `sink` and a text with its length.
unsafe extern "C" fn accepts(
    data: *const c_char,
    size: usize,
    sink: *mut c_void,
    write: Write,
) -> bool {
    // SAFETY: the shim's promise.
    let given = unsafe { text(data, size) };
    let read = catch_unwind(|| options::read(&mut Options::default(), &given));
    let why = match read {
        Ok(Ok(())) => return true,
        Ok(Err(why)) => why,
        Err(_) => "reading the parameters failed inside Heddle".to_owned(),
    };
    // SAFETY: the shim's promise.
    unsafe { write(sink, why.as_ptr().cast(), why.len()) };
    false
}

/// # Safety
/// As [`text`].
unsafe extern "C" fn given(data: *const c_char, size: usize) {
    // SAFETY: the shim's promise.
    let item = unsafe { text(data, size) };
    process(|it| it.given.push(item));
}

/// What the command line and the pass say together.
fn options_with(parameters: &str) -> Result<Options, String> {
    let mut options = Options::default();
    for item in process(|it| it.given.clone()) {
        options::read_item(&mut options, &item)?;
    }
    options::read(&mut options, parameters)?;
    Ok(options)
}

/// # Safety
/// `raw` is a module of the host, which nothing changes during the call; the rest as [`text`].
unsafe extern "C" fn check_host_module(
    raw: *mut c_void,
    data: *const c_char,
    size: usize,
    before_codegen: bool,
) {
    // SAFETY: the shim's promise.
    let (module, parameters) = unsafe { (HostModule::borrow(raw), text(data, size)) };
    let checked = catch_unwind(AssertUnwindSafe(|| -> Result<(), String> {
        // clang comes here twice, at the start of its pipeline and before code generation; llc only
        // the second time.
        let this = (raw as usize, module.source_file_name());
        let before = process(|it| it.checked.replace(this.clone()));
        if (before_codegen && before == Some(this)) || !check::concerns(&module) {
            return Ok(());
        }
        check::check_module(&module, &options_with(&parameters)?);
        Ok(())
    }));
    match checked {
        Ok(Ok(())) => {}
        Ok(Err(why)) => tell_fault(&module, &why),
        Err(payload) => tell_fault(&module, panic_text(payload.as_ref())),
    }
}

fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&'static str>().copied());
    text.unwrap_or("a panic without a message")
}

/// Says that Heddle failed; if even that fails, nothing.
fn tell_fault(module: &HostModule, detail: &str) {
    let _untold = catch_unwind(AssertUnwindSafe(|| check::report_fault(module, detail)));
}

/// # Safety
/// `raw` is a module of the host that nobody else looks at during the call.
unsafe extern "C" fn instrument(raw: *mut c_void, always: bool) -> bool {
    // SAFETY: the shim's promise.
    let mut module = unsafe { HostModuleMut::borrow(raw) };
    let done = catch_unwind(AssertUnwindSafe(|| -> Result<bool, String> {
        if !(always || options_with("")?.instrument) || !check::concerns(&module) {
            return Ok(false);
        }
        instrument_module(&mut module)?;
        Ok(true)
    }));
    match done {
        Ok(Ok(changed)) => changed,
        Ok(Err(why)) => {
            tell_fault(&module, &why);
            false
        }
        Err(payload) => {
            tell_fault(&module, panic_text(payload.as_ref()));
            false
        }
    }
}
