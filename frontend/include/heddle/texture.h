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

template <class T> HEDDLE_PURE T tex1Dfetch(cudaTextureObject_t, int);
template <class T> HEDDLE_PURE T tex1D(cudaTextureObject_t, float);
template <class T> HEDDLE_PURE T tex2D(cudaTextureObject_t, float, float);
template <class T> HEDDLE_PURE T tex3D(cudaTextureObject_t, float, float, float);
template <class T> HEDDLE_PURE T tex1DLayered(cudaTextureObject_t, float, int);
template <class T> HEDDLE_PURE T tex2DLayered(cudaTextureObject_t, float, float, int);
template <class T> HEDDLE_PURE T texCubemap(cudaTextureObject_t, float, float, float);
template <class T> HEDDLE_PURE T tex2DLod(cudaTextureObject_t, float, float, float);
template <class T> HEDDLE_PURE T tex2Dgather(cudaTextureObject_t, float, float, int = 0);
template <class T> HEDDLE_PURE T tex1DLod(cudaTextureObject_t, float, float);
template <class T> HEDDLE_PURE T tex3DLod(cudaTextureObject_t, float, float, float, float);
template <class T> HEDDLE_PURE T tex1DGrad(cudaTextureObject_t, float, float, float);
template <class T> HEDDLE_PURE T tex2DGrad(cudaTextureObject_t, float, float, float2, float2);
template <class T> HEDDLE_PURE T tex3DGrad(cudaTextureObject_t, float, float, float, float4, float4);
template <class T> HEDDLE_PURE T tex1DLayeredLod(cudaTextureObject_t, float, int, float);
template <class T> HEDDLE_PURE T tex2DLayeredLod(cudaTextureObject_t, float, float, int, float);
template <class T> HEDDLE_PURE T texCubemapLod(cudaTextureObject_t, float, float, float, float);
template <class T> HEDDLE_PURE T texCubemapLayered(cudaTextureObject_t, float, float, float, int);

// The older form, with a place for the value.
template <class T> HEDDLE_DEVICE void tex1Dfetch(T *value, cudaTextureObject_t t, int x) { *value = tex1Dfetch<T>(t, x); }
template <class T> HEDDLE_DEVICE void tex1D(T *value, cudaTextureObject_t t, float x) { *value = tex1D<T>(t, x); }
template <class T> HEDDLE_DEVICE void tex2D(T *value, cudaTextureObject_t t, float x, float y) {
  *value = tex2D<T>(t, x, y);
}
template <class T> HEDDLE_DEVICE void tex3D(T *value, cudaTextureObject_t t, float x, float y, float z) {
  *value = tex3D<T>(t, x, y, z);
}

// A surface is memory by coordinate: the first one counts bytes.
#define HEDDLE_BOUNDARY cudaSurfaceBoundaryMode = cudaBoundaryModeTrap
#define HEDDLE_SURFACE(NAME, ...)                                                                                      \
  template <class T> __attribute__((device, nothrow)) T NAME##read(cudaSurfaceObject_t, __VA_ARGS__, HEDDLE_BOUNDARY);  \
  template <class T>                                                                                                   \
  __attribute__((device, nothrow)) void NAME##write(T, cudaSurfaceObject_t, __VA_ARGS__, HEDDLE_BOUNDARY);
HEDDLE_SURFACE(surf1D, int)
HEDDLE_SURFACE(surf2D, int, int)
HEDDLE_SURFACE(surf3D, int, int, int)
HEDDLE_SURFACE(surf1DLayered, int, int)
HEDDLE_SURFACE(surf2DLayered, int, int, int)
#undef HEDDLE_SURFACE
template <class T>
HEDDLE_DEVICE void surf1Dread(T *value, cudaSurfaceObject_t s, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *value = surf1Dread<T>(s, x, mode);
}
template <class T>
HEDDLE_DEVICE void surf2Dread(T *value, cudaSurfaceObject_t s, int x, int y,
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *value = surf2Dread<T>(s, x, y, mode);
}
