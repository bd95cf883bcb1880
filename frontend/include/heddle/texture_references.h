// Textures by reference, as CUDA before 12 had them: variables of the program that the host binds to memory.
#pragma once
#include "host_types.h"

#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
#define cudaTextureTypeCubemap 12
#define cudaTextureType1DLayered 241
#define cudaTextureType2DLayered 242

struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};
template <class _T, int Kind = cudaTextureType1D, cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {};

// What a fetch gives: the element, or one float for each number in it.
template <class _T, cudaTextureReadMode Mode> struct heddle_fetched { typedef _T Type; };
#define HEDDLE_NORMALIZED(_T, _F)                                                                                      \
  template <> struct heddle_fetched<_T, cudaReadModeNormalizedFloat> { typedef _F Type; };
#define HEDDLE_NORMALIZED_ALL(_T, name)                                                                                \
  HEDDLE_NORMALIZED(_T, float)                                                                                         \
  HEDDLE_NORMALIZED(name##1, float1)                                                                                   \
  HEDDLE_NORMALIZED(name##2, float2)                                                                                   \
  HEDDLE_NORMALIZED(name##4, float4)
HEDDLE_NORMALIZED_ALL(signed char, char)
HEDDLE_NORMALIZED_ALL(unsigned char, uchar)
HEDDLE_NORMALIZED_ALL(short, short)
HEDDLE_NORMALIZED_ALL(unsigned short, ushort)
HEDDLE_NORMALIZED(char, float)
#undef HEDDLE_NORMALIZED
#undef HEDDLE_NORMALIZED_ALL

#define HEDDLE_FETCH(name, kind, ...)                                                                                  \
  template <class _T, cudaTextureReadMode Mode>                                                                        \
  HEDDLE_PURE typename heddle_fetched<_T, Mode>::Type name(texture<_T, kind, Mode>, __VA_ARGS__);
HEDDLE_FETCH(tex1Dfetch, 1, int)
HEDDLE_FETCH(tex1D, 1, float)
HEDDLE_FETCH(tex2D, 2, float, float)
HEDDLE_FETCH(tex3D, 3, float, float, float)
HEDDLE_FETCH(tex1DLayered, cudaTextureType1DLayered, float, int)
HEDDLE_FETCH(tex2DLayered, cudaTextureType2DLayered, float, float, int)
HEDDLE_FETCH(texCubemap, cudaTextureTypeCubemap, float, float, float)
HEDDLE_FETCH(tex2Dgather, 2, float, float, int)
HEDDLE_FETCH(tex1DLod, 1, float, float)
HEDDLE_FETCH(tex2DLod, 2, float, float, float)
HEDDLE_FETCH(tex3DLod, 3, float, float, float, float)
HEDDLE_FETCH(tex1DGrad, 1, float, float, float)
HEDDLE_FETCH(tex2DGrad, 2, float, float, float2, float2)
HEDDLE_FETCH(tex3DGrad, 3, float, float, float, float4, float4)
#undef HEDDLE_FETCH

#define HEDDLE_BIND template <class _T, int _K, cudaTextureReadMode _M> cudaError_t
HEDDLE_BIND cudaBindTexture(size_t *, const texture<_T, _K, _M> &, const void *, const cudaChannelFormatDesc &,
                            size_t = ~0u);
HEDDLE_BIND cudaBindTexture(size_t *, const texture<_T, _K, _M> &, const void *, size_t = ~0u);
HEDDLE_BIND cudaBindTexture2D(size_t *, const texture<_T, _K, _M> &, const void *, const cudaChannelFormatDesc &, size_t,
                              size_t, size_t);
HEDDLE_BIND cudaBindTexture2D(size_t *, const texture<_T, _K, _M> &, const void *, size_t, size_t, size_t);
HEDDLE_BIND cudaBindTextureToArray(const texture<_T, _K, _M> &, cudaArray_const_t, const cudaChannelFormatDesc &);
HEDDLE_BIND cudaBindTextureToArray(const texture<_T, _K, _M> &, cudaArray_const_t);
HEDDLE_BIND cudaBindTextureToMipmappedArray(const texture<_T, _K, _M> &, cudaMipmappedArray_const_t,
                                            const cudaChannelFormatDesc &);
HEDDLE_BIND cudaUnbindTexture(const texture<_T, _K, _M> &);
HEDDLE_BIND cudaGetTextureAlignmentOffset(size_t *, const texture<_T, _K, _M> &);
#undef HEDDLE_BIND
// The same by pointer, as in C.
cudaError_t cudaBindTexture(size_t *, const textureReference *, const void *, const cudaChannelFormatDesc *,
                            size_t = ~0u);
cudaError_t cudaBindTexture2D(size_t *, const textureReference *, const void *, const cudaChannelFormatDesc *, size_t,
                              size_t, size_t);
cudaError_t cudaBindTextureToArray(const textureReference *, cudaArray_const_t, const cudaChannelFormatDesc *);
cudaError_t cudaUnbindTexture(const textureReference *);
cudaError_t cudaGetTextureReference(const textureReference **, const void *);
