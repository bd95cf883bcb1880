//! The CUDA driver, loaded when a run asks for it: the few of its functions that a checked launch
//! needs.
//!
//! **Promises**: nothing of CUDA is needed to build; a machine without a driver is told so, by the
//! names that were tried; an error of the driver is given with the call that gave it. **Does not**:
//! free what belongs to a kernel that hangs.

#![allow(unsafe_code, reason = "the driver is C; each function has the type that CUDA documents")]

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::fmt;
use std::mem::ManuallyDrop;
use std::path::Path;

use libloading::Library;
use serde::{Deserialize, Serialize};

use super::registers::most_registers;

/// An address on the device.
pub type Address = u64;
/// A function, module, stream or context of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Handle(*mut c_void);

/// No handle yet.
const NONE: Handle = Handle(std::ptr::null_mut());

/// Where Linux and Windows have the driver.
const NAMES: &[&str] = &["libcuda.so.1", "libcuda.so", "nvcuda.dll"];

/// The stream has not ended yet.
const NOT_READY: c_int = 600;

/// An error of the driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriverError {
    /// The call.
    pub call: &'static str,
    /// `CUDA_ERROR_…`, and what the driver says of it.
    pub text: String,
}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` gave {}", self.call, self.text)
    }
}

macro_rules! driver {
    ($($field:ident = $name:literal ($($arg:ty),*);)*) => {
        /// The driver.
        pub struct Driver {
            $($field: unsafe extern "C" fn($($arg),*) -> c_int,)*
            // Never unloaded: a kernel that hangs goes on, and the driver with it.
            _library: ManuallyDrop<Library>,
        }

        impl Driver {
            fn load(library: Library) -> Result<Driver, String> {
                Ok(Driver {
                    // SAFETY: the name has this type in the driver's documentation; it is copied
                    // while the library lives.
                    $($field: unsafe {
                        *library
                            .get($name)
                            .map_err(|error| format!("it has no `{}`: {error}", $name))?
                    },)*
                    _library: ManuallyDrop::new(library),
                })
            }
        }
    };
}

driver! {
    init = "cuInit" (c_uint);
    version = "cuDriverGetVersion" (*mut c_int);
    device_count = "cuDeviceGetCount" (*mut c_int);
    device_get = "cuDeviceGet" (*mut c_int, c_int);
    device_name = "cuDeviceGetName" (*mut c_char, c_int, c_int);
    device_attribute = "cuDeviceGetAttribute" (*mut c_int, c_int, c_int);
    device_memory = "cuDeviceTotalMem_v2" (*mut usize, c_int);
    context_retain = "cuDevicePrimaryCtxRetain" (*mut Handle, c_int);
    context_set = "cuCtxSetCurrent" (Handle);
    module_load = "cuModuleLoadDataEx" (*mut Handle, *const c_void, c_uint, *mut c_int, *mut *mut c_void);
    module_unload = "cuModuleUnload" (Handle);
    module_function = "cuModuleGetFunction" (*mut Handle, Handle, *const c_char);
    module_global = "cuModuleGetGlobal_v2" (*mut Address, *mut usize, Handle, *const c_char);
    alloc = "cuMemAlloc_v2" (*mut Address, usize);
    free = "cuMemFree_v2" (Address);
    to_device = "cuMemcpyHtoD_v2" (Address, *const c_void, usize);
    to_host = "cuMemcpyDtoH_v2" (*mut c_void, Address, usize);
    to_device_async = "cuMemcpyHtoDAsync_v2" (Address, *const c_void, usize, Handle);
    to_host_async = "cuMemcpyDtoHAsync_v2" (*mut c_void, Address, usize, Handle);
    set_bytes = "cuMemsetD8_v2" (Address, u8, usize);
    host_alloc = "cuMemHostAlloc" (*mut *mut c_void, usize, c_uint);
    host_free = "cuMemFreeHost" (*mut c_void);
    host_address = "cuMemHostGetDevicePointer_v2" (*mut Address, *mut c_void, c_uint);
    stream_create = "cuStreamCreate" (*mut Handle, c_uint);
    stream_destroy = "cuStreamDestroy_v2" (Handle);
    stream_query = "cuStreamQuery" (Handle);
    stream_wait = "cuStreamSynchronize" (Handle);
    launch_kernel = "cuLaunchKernel" (Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle,
        *mut *mut c_void, *mut *mut c_void);
    function_attribute = "cuFuncGetAttribute" (*mut c_int, c_int, Handle);
    function_set = "cuFuncSetAttribute" (Handle, c_int, c_int);
    occupancy = "cuOccupancyMaxActiveBlocksPerMultiprocessor" (*mut c_int, Handle, c_int, usize);
    error_name = "cuGetErrorName" (c_int, *mut *const c_char);
    error_text = "cuGetErrorString" (c_int, *mut *const c_char);
}

impl fmt::Debug for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Driver")
    }
}

/// Memory of the host that the device sees, until it is given back or the process ends.
#[derive(Debug)]
pub struct Pinned {
    /// On the host.
    pub host: *mut u8,
    /// On the device.
    pub device: Address,
}

/// What the driver says of a module that it does not load.
#[derive(Debug)]
pub enum LoadError {
    /// It says this of the PTX.
    Refused(DriverError, String),
    /// Something else.
    Other(DriverError),
}

/// What the driver says of itself and of its first device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The newest version of CUDA that the driver has: major, minor.
    pub driver: (u32, u32),
    /// The device's name.
    pub device: String,
    /// Its compute capability.
    pub capability: (u32, u32),
    /// Its multiprocessors.
    pub processors: u32,
    /// Bytes of its memory.
    pub memory: u64,
}

impl Driver {
    /// Loads the driver from a file, or from where systems have it.
    ///
    /// # Errors
    /// There is none, or it is not CUDA's: what was tried.
    pub fn open(path: Option<&Path>) -> Result<Driver, String> {
        let mut tried = Vec::new();
        let names: Vec<&std::ffi::OsStr> = match path {
            Some(path) => vec![path.as_os_str()],
            None => NAMES.iter().map(std::ffi::OsStr::new).collect(),
        };
        for name in names {
            // SAFETY: loading runs the library's own start-up, which is what the user asks for.
            match unsafe { Library::new(name) } {
                Ok(library) => {
                    return Driver::load(library)
                        .map_err(|why| format!("`{}`: {why}", name.to_string_lossy()));
                }
                Err(_) => tried.push(format!("`{}`", name.to_string_lossy())),
            }
        }
        Err(format!("tried {}", tried.join(", ")))
    }

    fn checked(&self, call: &'static str, result: c_int) -> Result<(), DriverError> {
        if result == 0 {
            return Ok(());
        }
        let (mut name, mut text) = (std::ptr::null(), std::ptr::null());
        // SAFETY: both give null or a text that lives as long as the driver.
        let words = unsafe {
            (self.error_name)(result, &mut name);
            (self.error_text)(result, &mut text);
            let read = |text: *const c_char| {
                (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
            };
            (read(name), read(text))
        };
        let text = match words {
            (Some(name), Some(text)) => format!("{name} ({text})"),
            (Some(name), None) => name,
            (None, _) => format!("error {result}"),
        };
        Err(DriverError { call, text })
    }

    /// Makes the first device the current one; its name, and its multiprocessors.
    ///
    /// # Errors
    /// There is none.
    pub fn start(&self) -> Result<(String, u32), DriverError> {
        let (mut count, mut device, mut context, mut processors) = (0, 0, NONE, 0);
        let mut name = [0 as c_char; 256];
        // SAFETY: each pointer is to a place of the documented type and size.
        unsafe {
            self.checked("cuInit", (self.init)(0))?;
            self.checked("cuDeviceGetCount", (self.device_count)(&mut count))?;
            if count == 0 {
                let text = "no device".to_owned();
                return Err(DriverError { call: "cuDeviceGetCount", text });
            }
            self.checked("cuDeviceGet", (self.device_get)(&mut device, 0))?;
            self.checked("cuDeviceGetName", (self.device_name)(name.as_mut_ptr(), 255, device))?;
            // The number of multiprocessors.
            let result = (self.device_attribute)(&mut processors, 16, device);
            self.checked("cuDeviceGetAttribute", result)?;
            let result = (self.context_retain)(&mut context, device);
            self.checked("cuDevicePrimaryCtxRetain", result)?;
            self.checked("cuCtxSetCurrent", (self.context_set)(context))?;
            let name = CStr::from_ptr(name.as_ptr()).to_string_lossy().into_owned();
            Ok((name, processors.max(1) as u32))
        }
    }

    /// Makes the first device the current one, and describes it.
    ///
    /// # Errors
    /// There is none.
    pub fn machine(&self) -> Result<Machine, DriverError> {
        let (device, processors) = self.start()?;
        let (mut version, mut memory, mut capability) = (0, 0, [0; 2]);
        // SAFETY: each pointer is to a place of the documented type; `start` found device 0.
        unsafe {
            self.checked("cuDriverGetVersion", (self.version)(&mut version))?;
            self.checked("cuDeviceTotalMem", (self.device_memory)(&mut memory, 0))?;
            // The major and the minor number of the compute capability.
            for (number, which) in capability.iter_mut().zip([75, 76]) {
                let result = (self.device_attribute)(number, which, 0);
                self.checked("cuDeviceGetAttribute", result)?;
            }
        }
        let version = version.unsigned_abs();
        Ok(Machine {
            driver: (version / 1000, version % 1000 / 10),
            device,
            capability: (capability[0].unsigned_abs(), capability[1].unsigned_abs()),
            processors,
            memory: memory as u64,
        })
    }

    /// Loads PTX; its kernel will run in blocks of `threads`, which divide their registers.
    ///
    /// # Errors
    /// The driver's compiler refuses it, with its log.
    pub fn load_module(&self, ptx: &str, threads: u64) -> Result<Handle, LoadError> {
        const LOG: usize = 8192;
        let text = CString::new(ptx).unwrap_or_default();
        let (mut log, mut module) = (vec![0u8; LOG], NONE);
        // The buffer for errors, its size, and registers of a thread.
        let mut options = [5, 6, 0];
        let first = log.as_mut_ptr().cast::<c_void>();
        let mut values =
            [first, LOG as *mut c_void, most_registers(threads) as usize as *mut c_void];
        // SAFETY: the text ends with NUL; the log has as many bytes as is said.
        let result = unsafe {
            let image = text.as_ptr().cast();
            (self.module_load)(&mut module, image, 3, options.as_mut_ptr(), values.as_mut_ptr())
        };
        self.checked("cuModuleLoadDataEx", result).map_err(|error| {
            let end = log.iter().position(|it| *it == 0).unwrap_or(LOG);
            match String::from_utf8_lossy(&log[..end]).trim() {
                "" => LoadError::Other(error),
                said => LoadError::Refused(error, said.to_owned()),
            }
        })?;
        Ok(module)
    }

    /// Gives a module back that no kernel runs of.
    pub fn unload(&self, module: Handle) {
        // SAFETY: a module of this driver; an error changes nothing for us.
        let _unheard = unsafe { (self.module_unload)(module) };
    }

    /// A kernel of a module.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn function(&self, module: Handle, name: &str) -> Result<Handle, DriverError> {
        let (name, mut function) = (CString::new(name).unwrap_or_default(), NONE);
        // SAFETY: the name ends with NUL.
        let result = unsafe { (self.module_function)(&mut function, module, name.as_ptr()) };
        self.checked("cuModuleGetFunction", result)?;
        Ok(function)
    }

    /// Address and size of a variable of a module.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn global(&self, module: Handle, name: &str) -> Result<(Address, usize), DriverError> {
        let (name, mut at, mut len) = (CString::new(name).unwrap_or_default(), 0, 0);
        // SAFETY: the name ends with NUL.
        let result = unsafe { (self.module_global)(&mut at, &mut len, module, name.as_ptr()) };
        self.checked("cuModuleGetGlobal", result)?;
        Ok((at, len))
    }

    /// Device memory, all zero.
    ///
    /// # Errors
    /// There is not so much.
    pub fn zeroed(&self, bytes: usize) -> Result<Address, DriverError> {
        let (mut at, bytes) = (0, bytes.max(16));
        // SAFETY: the address is written; the range was just allocated.
        unsafe {
            self.checked("cuMemAlloc", (self.alloc)(&mut at, bytes))?;
            self.checked("cuMemsetD8", (self.set_bytes)(at, 0, bytes))?;
        }
        Ok(at)
    }

    /// Gives device memory back.
    pub fn release(&self, at: Address) {
        // SAFETY: the address is one that `zeroed` gave; an error changes nothing for us.
        let _unheard = unsafe { (self.free)(at) };
    }

    /// Copies to the device.
    ///
    /// # Errors
    /// The range is none of the device.
    pub fn write(&self, at: Address, bytes: &[u8]) -> Result<(), DriverError> {
        // SAFETY: the bytes are alive for the call, which waits.
        let result = unsafe { (self.to_device)(at, bytes.as_ptr().cast(), bytes.len()) };
        self.checked("cuMemcpyHtoD", result)
    }

    /// Copies from the device.
    ///
    /// # Errors
    /// The range is none of the device, or a kernel failed.
    pub fn read(&self, at: Address, bytes: &mut [u8]) -> Result<(), DriverError> {
        // SAFETY: the bytes are alive for the call, which waits.
        let result = unsafe { (self.to_host)(bytes.as_mut_ptr().cast(), at, bytes.len()) };
        self.checked("cuMemcpyDtoH", result)
    }

    /// Starts a copy from pinned memory; the bytes stay as they are until the stream has ended.
    ///
    /// # Errors
    /// The range is none of the device.
    pub fn start_write(
        &self,
        at: Address,
        from: &Pinned,
        len: usize,
        stream: Handle,
    ) -> Result<(), DriverError> {
        // SAFETY: pinned memory lives as long as the process.
        let result = unsafe { (self.to_device_async)(at, from.host.cast(), len, stream) };
        self.checked("cuMemcpyHtoDAsync", result)
    }

    /// Starts a copy into pinned memory, from a byte of it on.
    ///
    /// # Errors
    /// The range is none of the device.
    pub fn start_read(
        &self,
        at: Address,
        (to, from_byte): (&Pinned, usize),
        len: usize,
        stream: Handle,
    ) -> Result<(), DriverError> {
        // SAFETY: pinned memory lives as long as the process, and has so many bytes.
        let result =
            unsafe { (self.to_host_async)(to.host.add(from_byte).cast(), at, len, stream) };
        self.checked("cuMemcpyDtoHAsync", result)
    }

    /// Memory of the host that the device sees, all zero.
    ///
    /// # Errors
    /// There is not so much.
    pub fn pinned(&self, bytes: usize) -> Result<Pinned, DriverError> {
        let (mut host, mut device) = (std::ptr::null_mut(), 0);
        // SAFETY: the range was just allocated. Flags: portable, mapped.
        unsafe {
            self.checked("cuMemHostAlloc", (self.host_alloc)(&mut host, bytes.max(16), 1 | 2))?;
            host.cast::<u8>().write_bytes(0, bytes);
            let result = (self.host_address)(&mut device, host, 0);
            self.checked("cuMemHostGetDevicePointer", result)?;
        }
        Ok(Pinned { host: host.cast(), device })
    }

    /// Gives memory of the host back that the device uses no more.
    pub fn release_pinned(&self, memory: Pinned) {
        // SAFETY: the memory is one that `pinned` gave, and is not looked at again.
        let _unheard = unsafe { (self.host_free)(memory.host.cast()) };
    }

    /// Gives a stream back that has ended.
    pub fn release_stream(&self, stream: Handle) {
        // SAFETY: a stream of this driver; an error changes nothing for us.
        let _unheard = unsafe { (self.stream_destroy)(stream) };
    }

    /// A stream that waits for no other.
    ///
    /// # Errors
    /// The driver has no more.
    pub fn stream(&self) -> Result<Handle, DriverError> {
        let mut stream = NONE;
        // SAFETY: the handle is written. Flag: non-blocking.
        let result = unsafe { (self.stream_create)(&mut stream, 1) };
        self.checked("cuStreamCreate", result)?;
        Ok(stream)
    }

    /// Waits until copies and fills are done that were asked for: streams do not wait for them.
    ///
    /// # Errors
    /// One of them failed.
    pub fn settle(&self) -> Result<(), DriverError> {
        // SAFETY: the driver's own stream.
        let result = unsafe { (self.stream_wait)(NONE) };
        self.checked("cuStreamSynchronize", result)
    }

    /// Whether all that was put into a stream has ended.
    ///
    /// # Errors
    /// It failed.
    pub fn has_ended(&self, stream: Handle) -> Result<bool, DriverError> {
        // SAFETY: a stream of this driver.
        match unsafe { (self.stream_query)(stream) } {
            NOT_READY => Ok(false),
            result => self.checked("cuStreamQuery", result).map(|()| true),
        }
    }

    /// Bytes of shared memory that a kernel has for each block, without the dynamic.
    ///
    /// # Errors
    /// It is no kernel.
    pub fn shared_bytes(&self, function: Handle) -> Result<u32, DriverError> {
        let mut bytes = 0;
        // SAFETY: the number is written.
        let result = unsafe { (self.function_attribute)(&mut bytes, 1, function) };
        self.checked("cuFuncGetAttribute", result)?;
        Ok(bytes as u32)
    }

    /// Blocks of a multiprocessor at one time.
    ///
    /// # Errors
    /// No block of this size fits.
    pub fn resident(
        &self,
        function: Handle,
        threads: u32,
        dynamic: u32,
    ) -> Result<u32, DriverError> {
        let mut blocks = 0;
        // SAFETY: the numbers are written.
        unsafe {
            // Static and dynamic shared memory together may be more than a kernel has unasked.
            if dynamic > 0 {
                let result = (self.function_set)(function, 8, dynamic as c_int);
                self.checked("cuFuncSetAttribute", result)?;
            }
            let result =
                (self.occupancy)(&mut blocks, function, threads as c_int, dynamic as usize);
            self.checked("cuOccupancyMaxActiveBlocksPerMultiprocessor", result)?;
        }
        Ok(blocks.max(1) as u32)
    }

    /// Starts a kernel; each argument as its bytes.
    ///
    /// # Errors
    /// The launch is not possible.
    pub fn launch(
        &self,
        function: Handle,
        (grid, block, dynamic): ([u32; 3], [u32; 3], u32),
        stream: Handle,
        arguments: &mut [Vec<u8>],
    ) -> Result<(), DriverError> {
        let mut pointers: Vec<*mut c_void> =
            arguments.iter_mut().map(|it| it.as_mut_ptr().cast()).collect();
        let ([gx, gy, gz], [bx, by, bz]) = (grid, block);
        // SAFETY: the arguments are copied before the call returns; each has the bytes of its
        // parameter.
        let result = unsafe {
            let (params, none) = (pointers.as_mut_ptr(), std::ptr::null_mut());
            (self.launch_kernel)(function, gx, gy, gz, bx, by, bz, dynamic, stream, params, none)
        };
        self.checked("cuLaunchKernel", result)
    }
}

impl Pinned {
    /// Writes a number at its start.
    pub fn set(&self, number: u32) {
        // SAFETY: pinned memory has 16 bytes at least, aligned.
        unsafe { self.host.cast::<u32>().write_volatile(number) };
    }

    /// Its first bytes, copied.
    pub fn bytes(&self, len: usize) -> Vec<u8> {
        // SAFETY: whoever asks has allocated so many, and nobody writes them now.
        unsafe { std::slice::from_raw_parts(self.host, len) }.to_vec()
    }
}
