// Textures and surfaces by object. A texture is memory that no kernel writes: a fetch depends on its arguments only.
#pragma once
#include "words.h"

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
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

// A surface is written, at places that the coordinates hide: these stay calls with effects.
#define HEDDLE_BOUNDARY cudaSurfaceBoundaryMode = cudaBoundaryModeTrap
template <class T> __attribute__((device, nothrow)) T surf1Dread(cudaSurfaceObject_t, int, HEDDLE_BOUNDARY);
template <class T> __attribute__((device, nothrow)) T surf2Dread(cudaSurfaceObject_t, int, int, HEDDLE_BOUNDARY);
template <class T> __attribute__((device, nothrow)) void surf1Dwrite(T, cudaSurfaceObject_t, int, HEDDLE_BOUNDARY);
template <class T> __attribute__((device, nothrow)) void surf2Dwrite(T, cudaSurfaceObject_t, int, int, HEDDLE_BOUNDARY);
