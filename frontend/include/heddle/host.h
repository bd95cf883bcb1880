// The host side of the runtime: declarations, so that a file with `main` in it parses. Host code is not compiled.
#pragma once
#include "host_types.h"

// Calls that kernels may make too, which start kernels of their own: on the device they have no body.
#define HEDDLE_ALSO_DEVICE __attribute__((host, device))

extern "C" {
HEDDLE_ALSO_DEVICE cudaError_t cudaMalloc(void **, size_t);
cudaError_t cudaMallocHost(void **, size_t);
cudaError_t cudaMallocManaged(void **, size_t, unsigned int = cudaMemAttachGlobal);
cudaError_t cudaMalloc3D(cudaPitchedPtr *, cudaExtent);
cudaError_t cudaMallocPitch(void **, size_t *, size_t, size_t);
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t);
cudaError_t cudaHostAlloc(void **, size_t, unsigned int);
cudaError_t cudaHostGetDevicePointer(void **, void *, unsigned int);
cudaError_t cudaHostRegister(void *, size_t, unsigned int);
cudaError_t cudaHostUnregister(void *);
HEDDLE_ALSO_DEVICE cudaError_t cudaFree(void *);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
HEDDLE_ALSO_DEVICE cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind);
HEDDLE_ALSO_DEVICE cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyPeer(void *, int, const void *, int, size_t);
cudaError_t cudaMemcpyPeerAsync(void *, int, const void *, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *);
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *, cudaStream_t = 0);
cudaError_t cudaMemcpyToSymbolAsync(const void *, const void *, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyFromSymbolAsync(void *, const void *, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyToSymbol(const void *, const void *, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice);
cudaError_t cudaMemcpyFromSymbol(void *, const void *, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost);
cudaError_t cudaGetSymbolAddress(void **, const void *);
cudaError_t cudaMemset(void *, int, size_t);
HEDDLE_ALSO_DEVICE cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemset2D(void *, size_t, int, size_t, size_t);
HEDDLE_ALSO_DEVICE cudaError_t cudaMemset2DAsync(void *, size_t, int, size_t, size_t, cudaStream_t = 0);
cudaError_t cudaMemset3D(cudaPitchedPtr, int, cudaExtent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr, int, cudaExtent, cudaStream_t = 0);
cudaError_t cudaGetSymbolSize(size_t *, const void *);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *, const void *);
cudaError_t cudaMemRangeGetAttribute(void *, size_t, cudaMemRangeAttribute, const void *, size_t);
cudaError_t cudaHostGetFlags(unsigned int *, void *);
cudaError_t cudaMemGetInfo(size_t *, size_t *);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0);
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int);
HEDDLE_ALSO_DEVICE cudaError_t cudaDeviceSynchronize();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig);
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t);
HEDDLE_ALSO_DEVICE cudaError_t cudaDeviceGetLimit(size_t *, cudaLimit);
HEDDLE_ALSO_DEVICE cudaError_t cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);
cudaError_t cudaDeviceGetP2PAttribute(int *, cudaDeviceP2PAttr, int, int);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *);
cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned int);
cudaError_t cudaIpcCloseMemHandle(void *);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t);
cudaError_t cudaDeviceCanAccessPeer(int *, int, int);
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int);
cudaError_t cudaDeviceDisablePeerAccess(int);
cudaError_t cudaSetDevice(int);
HEDDLE_ALSO_DEVICE cudaError_t cudaGetDevice(int *);
HEDDLE_ALSO_DEVICE cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);
cudaError_t cudaGetDeviceFlags(unsigned int *);
cudaError_t cudaSetValidDevices(int *, int);
cudaError_t cudaInitDevice(int, unsigned int, unsigned int);
cudaError_t cudaDeviceGetPCIBusId(char *, int, int);
cudaError_t cudaDeviceGetByPCIBusId(int *, const char *);
HEDDLE_ALSO_DEVICE cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *);
cudaError_t cudaCtxResetPersistingL2Cache();
cudaError_t cudaSetDeviceFlags(unsigned int);
cudaError_t cudaChooseDevice(int *, const cudaDeviceProp *);
cudaError_t cudaDriverGetVersion(int *);
cudaError_t cudaGetDriverEntryPoint(const char *, void **, unsigned long long, cudaDriverEntryPointQueryResult * = nullptr);
cudaError_t cudaGetDriverEntryPointByVersion(const char *, void **, unsigned int, unsigned long long,
                                             cudaDriverEntryPointQueryResult * = nullptr);
cudaError_t cudaRuntimeGetVersion(int *);
HEDDLE_ALSO_DEVICE cudaError_t cudaGetLastError();
HEDDLE_ALSO_DEVICE cudaError_t cudaPeekAtLastError();
HEDDLE_ALSO_DEVICE const char *cudaGetErrorString(cudaError_t);
HEDDLE_ALSO_DEVICE const char *cudaGetErrorName(cudaError_t);
cudaError_t cudaStreamCreate(cudaStream_t *);
HEDDLE_ALSO_DEVICE cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned int);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *, unsigned int, int);
HEDDLE_ALSO_DEVICE cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t);
HEDDLE_ALSO_DEVICE cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int = 0);
cudaError_t cudaEventCreate(cudaEvent_t *);
HEDDLE_ALSO_DEVICE cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned int);
HEDDLE_ALSO_DEVICE cudaError_t cudaEventDestroy(cudaEvent_t);
HEDDLE_ALSO_DEVICE cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t = 0, unsigned int = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache);
cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, const void *);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);
cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);
cudaError_t cudaFuncSetSharedMemConfig(const void *, cudaSharedMemConfig);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, size_t);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *, const void *, int, size_t, unsigned int);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *, const void *, int, int);
cudaError_t cudaMallocArray(cudaArray_t *, const cudaChannelFormatDesc *, size_t, size_t = 0, unsigned int = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t *, const cudaChannelFormatDesc *, cudaExtent, unsigned int = 0);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyFromArray(void *, cudaArray_const_t, size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t, size_t, size_t, const void *, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2DFromArray(void *, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t, size_t, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind,
                                     cudaStream_t = 0);
cudaError_t cudaMemcpy2DFromArrayAsync(void *, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t, cudaMemcpyKind,
                                       cudaStream_t = 0);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t,
                                     cudaMemcpyKind = cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t, size_t,
                                   cudaMemcpyKind = cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *, cudaStream_t = 0);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *, const cudaChannelFormatDesc *, cudaExtent, unsigned int,
                                     unsigned int = 0);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *, cudaMipmappedArray_const_t, unsigned int);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *, cudaArray_const_t);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *, cudaExtent *, unsigned int *, cudaArray_t);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *, const cudaResourceDesc *, const cudaTextureDesc *,
                                    const cudaResourceViewDesc *);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *, cudaTextureObject_t);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *, cudaTextureObject_t);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *, const cudaResourceDesc *);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t);
cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int, cudaChannelFormatKind);
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void *, unsigned int);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void *);
cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned int *);
cudaError_t cudaStreamGetPriority(cudaStream_t, int *);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t = 0, unsigned int = cudaMemAttachSingle);
cudaError_t cudaDeviceGetStreamPriorityRange(int *, int *);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
// What clang makes of a launch in a kernel.
__attribute__((device)) void *cudaGetParameterBuffer(size_t, size_t);
__attribute__((device)) cudaError_t cudaLaunchDevice(void *, void *, dim3, dim3, unsigned int, cudaStream_t);
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
unsigned int __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
}

// The typed forms that C++ adds. They only have to be found by overload resolution.
template <class _T> HEDDLE_ALSO_DEVICE cudaError_t cudaMalloc(_T **, size_t);
template <class _T> cudaError_t cudaMallocHost(_T **, size_t, unsigned int = 0);
template <class _T> cudaError_t cudaMallocManaged(_T **, size_t, unsigned int = cudaMemAttachGlobal);
template <class _T> cudaError_t cudaMallocPitch(_T **, size_t *, size_t, size_t);
template <class _T> cudaError_t cudaMallocAsync(_T **, size_t, cudaStream_t);
template <class _T> cudaError_t cudaHostAlloc(_T **, size_t, unsigned int);
template <class _T> cudaError_t cudaHostGetDevicePointer(_T **, void *, unsigned int);
template <class _T>
cudaError_t cudaMemcpyToSymbol(const _T &, const void *, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class _T>
cudaError_t cudaMemcpyFromSymbol(void *, const _T &, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <class _T>
cudaError_t cudaMemcpyToSymbolAsync(const _T &, const void *, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);
template <class _T> cudaError_t cudaGetSymbolAddress(void **, const _T &);
template <class _T> cudaChannelFormatDesc cudaCreateChannelDesc();
template <class _T> cudaError_t cudaFuncSetCacheConfig(_T *, cudaFuncCache);
template <class _T> cudaError_t cudaFuncSetAttribute(_T *, cudaFuncAttribute, int);
template <class _T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, _T *);
template <class _T> cudaError_t cudaLaunchKernel(const _T *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);
template <class _T> cudaError_t cudaLaunchCooperativeKernel(const _T *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);
template <class _T> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, _T, int, size_t);
template <class _T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *, _T, int, size_t, unsigned int);
template <class _T> cudaError_t cudaOccupancyMaxPotentialBlockSize(int *, int *, _T, size_t = 0, int = 0);
template <class _T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *, int *, _T, size_t = 0, int = 0, unsigned int = 0);
// A body, as `F` may be a lambda's type, which no other unit can name.
template <class _T, class _F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, _T, _F size, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, static_cast<const void *>(nullptr), size(limit), limit);
}
template <class _T, class _F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid, int *block, _T, _F size, int limit = 0,
                                                                    unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, static_cast<const void *>(nullptr), size(limit), limit);
}
template <class _T> cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *, _T, int, int);
template <class _T> cudaError_t cudaFuncSetSharedMemConfig(_T *, cudaSharedMemConfig);
template <class _T> cudaError_t cudaStreamAttachMemAsync(cudaStream_t, _T *, size_t = 0, unsigned int = cudaMemAttachSingle);
template <class _T> cudaError_t cudaGetSymbolSize(size_t *, const _T &);
template <class _T>
cudaError_t cudaMemcpyFromSymbolAsync(void *, const _T &, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaEventCreate(cudaEvent_t *, unsigned int);
template <class _T> cudaError_t cudaGetKernel(cudaKernel_t *, _T *);
inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t x, size_t y) { return {p, pitch, x, y}; }
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return {w, h, d}; }
