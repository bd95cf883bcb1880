//! The built-in CUDA headers: what a kernel file needs in place of a toolkit.
//!
//! They live in `frontend/include` and are part of the binary. A compiler either overlays them in
//! memory or writes them to a temporary folder for as long as it runs ([`OnDisk`]).
//!
//! The first one is included before each file, as `nvcc` does with `cuda_runtime.h`; the others are
//! found by name, after everything that the user's own include path has.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Where messages and debug info say the headers are, whoever compiled: a temporary folder has
/// another name on each run.
pub const SHOWN_AT: &str = "/heddle-include";

/// What stands before each CUDA file.
pub const PRELUDE: &str = "heddle/device.h";

/// What stands before each CUDA file that is compiled against a toolkit.
pub const SUPPLEMENT: &str = "heddle/toolkit.h";

macro_rules! headers {
    ($($path:literal,)*) => {
        /// All headers: the name by which a file includes them, and their text.
        pub const ALL: &[(&str, &str)] =
            &[$(($path, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/include/", $path))),)*];
    };
}

headers! {
    "heddle.h",
    "heddle/device.h",
    "heddle/words.h",
    "heddle/vectors.h",
    "heddle/ids.h",
    "heddle/sync.h",
    "heddle/atomics.h",
    "heddle/math.h",
    "heddle/integers.h",
    "heddle/conversions.h",
    "heddle/special.h",
    "heddle/simd.h",
    "heddle/host.h",
    "heddle/libc.h",
    "heddle/texture.h",
    "heddle/async.h",
    "heddle/cuda_std.h",
    "heddle/ordered.h",
    "heddle/short_floats.h",
    "heddle/host_types.h",
    "heddle/graphs.h",
    "heddle/nv_atomics.h",
    "heddle/texture_references.h",
    "heddle/thrust.h",
    "heddle/thrust_iterators.h",
    "heddle/thrust_numbers.h",
    "heddle/thrust_sequential.h",
    "heddle/toolkit.h",
    "heddle/opencv.h",
    "heddle/opencv_values.h",
    "heddle/torch.h",
    "heddle/torch_atomics.h",
    "heddle/torch_lanes.h",
    "ATen/Type.h",
    "ATen/ops/arange.h",
    "ATen/ops/bmm.h",
    "ATen/ops/cat.h",
    "ATen/ops/empty.h",
    "ATen/ops/empty_like.h",
    "ATen/ops/full.h",
    "ATen/ops/matmul.h",
    "ATen/ops/mm.h",
    "ATen/ops/ones.h",
    "ATen/ops/stack.h",
    "ATen/ops/sum.h",
    "ATen/ops/tensor.h",
    "ATen/ops/zeros.h",
    "ATen/ops/zeros_like.h",
    "THC/THCGeneral.h",
    "cub/thread/thread_operators.cuh",
    "cutil.h",
    "cutil_inline.h",
    "cutil_math.h",
    "helper_math.h",
    "shrQATest.h",
    "shrUtils.h",
    "thrust/device_malloc_allocator.h",
    "thrust/random/linear_congruential_engine.h",
    "thrust/random/normal_distribution.h",
    "thrust/random/uniform_int_distribution.h",
    "thrust/random/uniform_real_distribution.h",
    "thrust/system/cuda/memory.h",
    "thrust/system/cuda/pointer.h",
    "thrust/system/cuda/vector.h",
    "torch/nn.h",
    "torch/nn/functional.h",
    "builtin_types.h",
    "channel_descriptor.h",
    "common_functions.h",
    "torch/version.h",
    "ATen/cuda/CUDATensorMethods.cuh",
    "cooperative_groups.h",
    "cooperative_groups/memcpy_async.h",
    "cooperative_groups/reduce.h",
    "cooperative_groups/scan.h",
    "cooperative_groups/details/coalesced_reduce.h",
    "cooperative_groups/details/coalesced_scan.h",
    "cooperative_groups/details/partitioning.h",
    "cuComplex.h",
    "cub/block/block_reduce.cuh",
    "cub/block/block_scan.cuh",
    "cub/cub.cuh",
    "cub/device/device_radix_sort.cuh",
    "cub/device/device_reduce.cuh",
    "cub/device/device_scan.cuh",
    "cub/device/device_select.cuh",
    "cub/warp/warp_reduce.cuh",
    "cub/warp/warp_scan.cuh",
    "cub/block/block_adjacent_difference.cuh",
    "cub/block/block_discontinuity.cuh",
    "cub/block/block_exchange.cuh",
    "cub/block/block_histogram.cuh",
    "cub/block/block_load.cuh",
    "cub/block/block_merge_sort.cuh",
    "cub/block/block_radix_sort.cuh",
    "cub/block/block_store.cuh",
    "cub/device/device_for.cuh",
    "cub/device/device_histogram.cuh",
    "cub/device/device_merge_sort.cuh",
    "cub/device/device_partition.cuh",
    "cub/device/device_run_length_encode.cuh",
    "cub/device/device_segmented_radix_sort.cuh",
    "cub/device/device_segmented_reduce.cuh",
    "cub/iterator/constant_input_iterator.cuh",
    "cub/iterator/counting_input_iterator.cuh",
    "cub/iterator/transform_input_iterator.cuh",
    "cub/util_allocator.cuh",
    "cub/util_debug.cuh",
    "cub/util_device.cuh",
    "cub/util_macro.cuh",
    "cub/util_ptx.cuh",
    "cub/util_type.cuh",
    "cublas.h",
    "cublasLt.h",
    "cublas_v2.h",
    "cuda.h",
    "cuda/atomic",
    "cuda/barrier",
    "cuda/functional",
    "cuda/latch",
    "cuda/pipeline",
    "cuda/ptx",
    "cuda/semaphore",
    "cuda/std/algorithm",
    "cuda/std/array",
    "cuda/std/atomic",
    "cuda/std/barrier",
    "cuda/std/cassert",
    "cuda/std/cfloat",
    "cuda/std/chrono",
    "cuda/std/climits",
    "cuda/std/cmath",
    "cuda/std/cstddef",
    "cuda/std/cstdint",
    "cuda/std/cstdlib",
    "cuda/std/cstring",
    "cuda/std/functional",
    "cuda/std/initializer_list",
    "cuda/std/iterator",
    "cuda/std/latch",
    "cuda/std/limits",
    "cuda/std/numeric",
    "cuda/std/optional",
    "cuda/std/ratio",
    "cuda/std/semaphore",
    "cuda/std/tuple",
    "cuda/std/type_traits",
    "cuda/std/utility",
    "cudaTypedefs.h",
    "cuda_awbarrier.h",
    "cuda_awbarrier_primitives.h",
    "cuda_bf16.h",
    "cuda_fp16.h",
    "cuda_fp4.h",
    "cuda_fp8.h",
    "cuda_gl_interop.h",
    "cuda_pipeline.h",
    "cuda_pipeline_primitives.h",
    "cuda_profiler_api.h",
    "driver_functions.h",
    "cuda_device_runtime_api.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "cufft.h",
    "cufftXt.h",
    "curand.h",
    "curand_kernel.h",
    "cusolverDn.h",
    "cusolver_common.h",
    "cusparse.h",
    "cusparse_v2.h",
    "device_atomic_functions.h",
    "device_double_functions.h",
    "device_functions.h",
    "device_launch_parameters.h",
    "device_types.h",
    "driver_types.h",
    "helper_cuda.h",
    "helper_functions.h",
    "helper_string.h",
    "helper_timer.h",
    "host_defines.h",
    "library_types.h",
    "math_constants.h",
    "math_functions.h",
    "mma.h",
    "nv/target",
    "nvToolsExt.h",
    "mpi.h",
    "nccl.h",
    "nvml.h",
    "nvtx3/nvToolsExt.h",
    "nvtx3/nvToolsExtCudaRt.h",
    "omp.h",
    "sm_20_intrinsics.h",
    "sm_30_intrinsics.h",
    "sm_32_intrinsics.h",
    "sm_35_atomic_functions.h",
    "sm_35_intrinsics.h",
    "sm_60_atomic_functions.h",
    "sm_61_intrinsics.h",
    "stb_image.h",
    "stb_image_write.h",
    "surface_functions.h",
    "surface_types.h",
    "texture_fetch_functions.h",
    "texture_types.h",
    "thrust/adjacent_difference.h",
    "thrust/advance.h",
    "thrust/binary_search.h",
    "thrust/complex.h",
    "thrust/copy.h",
    "thrust/count.h",
    "thrust/detail/config.h",
    "thrust/detail/type_traits.h",
    "thrust/device_allocator.h",
    "thrust/device_free.h",
    "thrust/device_malloc.h",
    "thrust/device_new.h",
    "thrust/device_ptr.h",
    "thrust/device_reference.h",
    "thrust/device_vector.h",
    "thrust/distance.h",
    "thrust/equal.h",
    "thrust/execution_policy.h",
    "thrust/extrema.h",
    "thrust/fill.h",
    "thrust/find.h",
    "thrust/for_each.h",
    "thrust/functional.h",
    "thrust/gather.h",
    "thrust/generate.h",
    "thrust/host_vector.h",
    "thrust/inner_product.h",
    "thrust/iterator/constant_iterator.h",
    "thrust/iterator/counting_iterator.h",
    "thrust/iterator/discard_iterator.h",
    "thrust/iterator/iterator_traits.h",
    "thrust/iterator/permutation_iterator.h",
    "thrust/iterator/transform_iterator.h",
    "thrust/iterator/zip_iterator.h",
    "thrust/logical.h",
    "thrust/memory.h",
    "thrust/merge.h",
    "thrust/pair.h",
    "thrust/partition.h",
    "thrust/random.h",
    "thrust/reduce.h",
    "thrust/remove.h",
    "thrust/replace.h",
    "thrust/reverse.h",
    "thrust/scan.h",
    "thrust/scatter.h",
    "thrust/sequence.h",
    "thrust/set_operations.h",
    "thrust/shuffle.h",
    "thrust/sort.h",
    "thrust/swap.h",
    "thrust/system/cuda/execution_policy.h",
    "thrust/system_error.h",
    "thrust/tabulate.h",
    "thrust/transform.h",
    "thrust/transform_reduce.h",
    "thrust/transform_scan.h",
    "thrust/tuple.h",
    "thrust/uninitialized_copy.h",
    "thrust/uninitialized_fill.h",
    "thrust/unique.h",
    "thrust/universal_vector.h",
    "thrust/version.h",
    "thrust/zip_function.h",
    "ATen/ATen.h",
    "ATen/AccumulateType.h",
    "ATen/Context.h",
    "ATen/Dispatch.h",
    "ATen/DeviceGuard.h",
    "ATen/Functions.h",
    "ATen/OpMathType.h",
    "ATen/Tensor.h",
    "ATen/TensorUtils.h",
    "ATen/ceil_div.h",
    "ATen/core/Tensor.h",
    "ATen/core/TensorAccessor.h",
    "ATen/cuda/Atomic.cuh",
    "ATen/cuda/CUDAApplyUtils.cuh",
    "ATen/cuda/CUDAContext.h",
    "ATen/cuda/CUDAContextLight.h",
    "ATen/cuda/CUDAEvent.h",
    "ATen/cuda/CUDAGeneratorImpl.h",
    "ATen/cuda/CUDAGraphsUtils.cuh",
    "ATen/cuda/DeviceUtils.cuh",
    "ATen/cuda/Exceptions.h",
    "ATen/cuda/detail/IndexUtils.cuh",
    "ATen/cuda/detail/KernelUtils.h",
    "ATen/cuda/detail/TensorInfo.cuh",
    "ATen/cuda/detail/UnpackRaw.cuh",
    "ATen/native/cuda/KernelUtils.cuh",
    "ATen/ExpandUtils.h",
    "ATen/NativeFunctions.h",
    "ATen/NumericUtils.h",
    "ATen/Parallel.h",
    "ATen/ScalarOps.h",
    "ATen/TensorAccessor.h",
    "ATen/TensorIndexing.h",
    "ATen/core/ATen_fwd.h",
    "THC/THC.h",
    "THC/THCAtomics.cuh",
    "THC/THCDeviceUtils.cuh",
    "c10/core/Device.h",
    "c10/core/DeviceGuard.h",
    "c10/core/ScalarType.h",
    "c10/core/TensorOptions.h",
    "c10/cuda/CUDACachingAllocator.h",
    "c10/cuda/CUDAException.h",
    "c10/cuda/CUDAFunctions.h",
    "c10/cuda/CUDAGuard.h",
    "c10/cuda/CUDAMacros.h",
    "c10/cuda/CUDAMathCompat.h",
    "c10/cuda/CUDAStream.h",
    "c10/macros/Macros.h",
    "c10/util/ArrayRef.h",
    "c10/util/BFloat16.h",
    "c10/util/Exception.h",
    "c10/util/Half.h",
    "c10/util/Optional.h",
    "c10/core/Scalar.h",
    "c10/core/Stream.h",
    "c10/cuda/CUDADeviceAssertionHost.h",
    "c10/util/complex.h",
    "c10/util/irange.h",
    "opencv2/core.hpp",
    "opencv2/core/core.hpp",
    "opencv2/core/mat.hpp",
    "opencv2/core/types.hpp",
    "opencv2/core/utility.hpp",
    "opencv2/highgui.hpp",
    "opencv2/highgui/highgui.hpp",
    "opencv2/highgui/highgui_c.h",
    "opencv2/imgcodecs.hpp",
    "opencv2/imgcodecs/imgcodecs.hpp",
    "opencv2/imgproc.hpp",
    "opencv2/imgproc/imgproc.hpp",
    "opencv2/imgproc/types_c.h",
    "opencv2/opencv.hpp",
    "opencv2/videoio.hpp",
    "opencv2/videoio/videoio.hpp",
    "pybind11/functional.h",
    "pybind11/numpy.h",
    "pybind11/pybind11.h",
    "pybind11/stl.h",
    "torch/all.h",
    "torch/csrc/autograd/custom_function.h",
    "torch/csrc/cuda/Stream.h",
    "torch/custom_class.h",
    "torch/extension.h",
    "torch/library.h",
    "torch/python.h",
    "torch/script.h",
    "torch/serialize/tensor.h",
    "torch/torch.h",
    "torch/types.h",
    "torch/csrc/utils/pybind.h",
    "vector_functions.h",
    "vector_types.h",
}

/// The header with annotations for Heddle, by its name. It is for OpenCL too, and beside a
/// toolkit's headers.
pub const ANNOTATIONS: &str = "heddle.h";

/// How names begin of what stands in for PyTorch and for OpenCV, under all the names by which their
/// headers are included, and of other libraries of the host.
const LIBRARIES: [&str; 4] = ["heddle/opencv", "heddle/torch", "mpi.h", "stb_image"];

/// Whether a header is there for OpenCL, or beside a toolkit's: what no toolkit has.
pub fn is_beside_others(name: &str) -> bool {
    const FOLDERS: [&str; 6] = ["ATen", "THC", "c10", "opencv2", "pybind11", "torch"];
    let folder = name.split('/').next().unwrap_or_default();
    let is_library = LIBRARIES.iter().any(|it| name.starts_with(it));
    is_library || [ANNOTATIONS, SUPPLEMENT].contains(&name) || FOLDERS.contains(&folder)
}

/// The functions of CUDA's runtime that the built-in headers declare.
pub fn functions_of_the_runtime() -> std::collections::HashSet<&'static str> {
    let texts = ALL.iter().map(|(_, text)| *text);
    let called = texts.flat_map(|text| text.split('(').map(str::trim_end));
    let name = |text: &'static str| {
        let start = text.rfind(|c: char| !(c.is_alphanumeric() || c == '_'));
        &text[start.map_or(0, |at| at + 1)..]
    };
    called.map(name).filter(|name| name.starts_with("cuda")).collect()
}

/// The text of a header.
pub fn text(name: &str) -> Option<&'static str> {
    ALL.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The headers in a temporary folder, which goes when this value does.
#[derive(Debug)]
pub struct OnDisk {
    root: PathBuf,
}

impl OnDisk {
    /// Writes all of them.
    ///
    /// # Errors
    /// The temporary directory cannot be written.
    pub fn write() -> std::io::Result<OnDisk> {
        OnDisk::write_some(|_| true)
    }

    /// Writes those that stand beside other headers ([`is_beside_others`]).
    ///
    /// # Errors
    /// As [`OnDisk::write`].
    pub fn write_beside_others() -> std::io::Result<OnDisk> {
        OnDisk::write_some(is_beside_others)
    }

    fn write_some(wanted: impl Fn(&str) -> bool) -> std::io::Result<OnDisk> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let unique = COUNT.fetch_add(1, Ordering::Relaxed);
        let root =
            std::env::temp_dir().join(format!("heddle-include-{}-{unique}", std::process::id()));
        // `create_dir`, not `create_dir_all`: a folder that somebody else has put there is not ours
        // to fill.
        std::fs::create_dir(&root)?;
        let on_disk = OnDisk { root };
        for (name, text) in ALL.iter().filter(|(name, _)| wanted(name)) {
            let path = on_disk.root.join(name);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(path, text)?;
        }
        Ok(on_disk)
    }

    /// Where they are.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

impl Drop for OnDisk {
    fn drop(&mut self) {
        // What cannot be removed from the temporary directory now, the system removes later.
        let _left_behind = std::fs::remove_dir_all(&self.root);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_header_file_is_listed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
        let mut folders = vec![root.clone()];
        let mut found = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.push(path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        found.sort();
        let mut listed: Vec<_> = ALL.iter().map(|(name, _)| (*name).to_owned()).collect();
        listed.sort();
        assert_eq!(found, listed, "list each file of frontend/include in headers.rs");
    }

    #[test]
    fn the_temporary_folder_goes_away() {
        let on_disk = OnDisk::write().unwrap();
        let root = on_disk.root().to_owned();
        assert!(root.join(PRELUDE).is_file());
        drop(on_disk);
        assert!(!root.exists());
    }
}
