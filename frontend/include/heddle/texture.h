// Textures and surfaces by object. A texture is memory that no kernel writes: a fetch depends on its arguments only.
#pragma once
#include "vectors.h"
#include "words.h"

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

template <class _T> HEDDLE_PURE _T tex1Dfetch(cudaTextureObject_t, int);
template <class _T> HEDDLE_PURE _T tex1D(cudaTextureObject_t, float);
template <class _T> HEDDLE_PURE _T tex2D(cudaTextureObject_t, float, float);
template <class _T> HEDDLE_PURE _T tex3D(cudaTextureObject_t, float, float, float);
template <class _T> HEDDLE_PURE _T tex1DLayered(cudaTextureObject_t, float, int);
template <class _T> HEDDLE_PURE _T tex2DLayered(cudaTextureObject_t, float, float, int);
template <class _T> HEDDLE_PURE _T texCubemap(cudaTextureObject_t, float, float, float);
template <class _T> HEDDLE_PURE _T tex2DLod(cudaTextureObject_t, float, float, float);
template <class _T> HEDDLE_PURE _T tex2Dgather(cudaTextureObject_t, float, float, int = 0);
template <class _T> HEDDLE_PURE _T tex1DLod(cudaTextureObject_t, float, float);
template <class _T> HEDDLE_PURE _T tex3DLod(cudaTextureObject_t, float, float, float, float);
template <class _T> HEDDLE_PURE _T tex1DGrad(cudaTextureObject_t, float, float, float);
template <class _T> HEDDLE_PURE _T tex2DGrad(cudaTextureObject_t, float, float, float2, float2);
template <class _T> HEDDLE_PURE _T tex3DGrad(cudaTextureObject_t, float, float, float, float4, float4);
template <class _T> HEDDLE_PURE _T tex1DLayeredLod(cudaTextureObject_t, float, int, float);
template <class _T> HEDDLE_PURE _T tex2DLayeredLod(cudaTextureObject_t, float, float, int, float);
template <class _T> HEDDLE_PURE _T texCubemapLod(cudaTextureObject_t, float, float, float, float);
template <class _T> HEDDLE_PURE _T texCubemapLayered(cudaTextureObject_t, float, float, float, int);

// The older form, with a place for the value.
template <class _T> HEDDLE_DEVICE void tex1Dfetch(_T *value, cudaTextureObject_t t, int x) { *value = tex1Dfetch<_T>(t, x); }
template <class _T> HEDDLE_DEVICE void tex1D(_T *value, cudaTextureObject_t t, float x) { *value = tex1D<_T>(t, x); }
template <class _T> HEDDLE_DEVICE void tex2D(_T *value, cudaTextureObject_t t, float x, float y) {
  *value = tex2D<_T>(t, x, y);
}
template <class _T> HEDDLE_DEVICE void tex3D(_T *value, cudaTextureObject_t t, float x, float y, float z) {
  *value = tex3D<_T>(t, x, y, z);
}

// A surface is memory by coordinate: the first one counts bytes.
#define HEDDLE_BOUNDARY cudaSurfaceBoundaryMode = cudaBoundaryModeTrap
#define HEDDLE_SURFACE(NAME, ...)                                                                                      \
  template <class _T> __attribute__((device, nothrow)) _T NAME##read(cudaSurfaceObject_t, __VA_ARGS__, HEDDLE_BOUNDARY); \
  template <class _T>                                                                                                  \
  __attribute__((device, nothrow)) void NAME##write(_T, cudaSurfaceObject_t, __VA_ARGS__, HEDDLE_BOUNDARY);
HEDDLE_SURFACE(surf1D, int)
HEDDLE_SURFACE(surf2D, int, int)
HEDDLE_SURFACE(surf3D, int, int, int)
HEDDLE_SURFACE(surf1DLayered, int, int)
HEDDLE_SURFACE(surf2DLayered, int, int, int)
#undef HEDDLE_SURFACE
template <class _T>
HEDDLE_DEVICE void surf1Dread(_T *value, cudaSurfaceObject_t s, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *value = surf1Dread<_T>(s, x, mode);
}
template <class _T>
HEDDLE_DEVICE void surf2Dread(_T *value, cudaSurfaceObject_t s, int x, int y,
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *value = surf2Dread<_T>(s, x, y, mode);
}
