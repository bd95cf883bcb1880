// The driver's side: memory that is mapped by hand, libraries of kernels, streams.
#include <cuda.h>
#include <cudaProfiler.h>
#include <cudaTypedefs.h>

static constexpr CUmemAllocationHandleType HANDLE = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
__global__ void k(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = HANDLE; }

bool mapped(size_t bytes, int device) {
  CUmemAllocationProp prop = {};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.requestedHandleTypes = HANDLE;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  prop.location.id = device;
  prop.allocFlags.gpuDirectRDMACapable = 1;
  size_t grain;
  cuMemGetAllocationGranularity(&grain, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  bytes = (bytes + grain - 1) / grain * grain;
  CUdeviceptr at;
  CUmemGenericAllocationHandle handle;
  cuMemAddressReserve(&at, bytes, grain, 0, 0);
  cuMemCreate(&handle, bytes, &prop, 0);
  cuMemMap(at, bytes, 0, handle, 0);
  CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  cuMemSetAccess(at, bytes, &access, 1);
  int fd;
  cuMemExportToShareableHandle(&fd, handle, HANDLE, 0);
  k<<<1, 32>>>((int *)at);
  cuMemUnmap(at, bytes);
  cuMemRelease(handle);
  CUmulticastObjectProp group = {2, bytes, HANDLE, 0};
  cuMulticastCreate(&handle, &group);
  return cuMemAddressFree(at, bytes) == CUDA_SUCCESS;
}

void started(const void *image, CUstream stream, CUcontext context) {
  CUlibrary library;
  CUkernel kernel;
  CUfunction function;
  cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0);
  cuLibraryGetKernel(&kernel, library, "k");
  cuKernelGetFunction(&function, kernel);
  cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_SHARED);
  cuCtxEnablePeerAccess(context, 0);
  cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1 << 12);
  int grid, block;
  cuOccupancyMaxPotentialBlockSize(&grid, &block, function, nullptr, 0, 0);
  cuLaunchKernel(function, grid, 1, 1, block, 1, 1, 0, stream, nullptr, nullptr);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  cuMemcpy2DAsync(&copy, stream);
  cuStreamWaitValue32(stream, copy.srcDevice, 1, CU_STREAM_WAIT_VALUE_GEQ);
  CUmemorytype type;
  cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, copy.srcDevice);
  cuProfilerStop();
}
