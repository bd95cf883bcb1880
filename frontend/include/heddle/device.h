// What a CUDA file sees without an include: the device side, and declarations of the host side.
//
// This is not a toolkit: it has what kernels need to be read, and host code needs to be parsed. Nothing here can run.
#pragma once

// By these guards, code that is not ours finds out what has been included.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __DEVICE_FUNCTIONS_H__

#include "words.h"
#include "vectors.h"
#include "ids.h"
#include "sync.h"
#include "atomics.h"
#include "nv_atomics.h"
#include "math.h"
#include "integers.h"
#include "conversions.h"
#include "special.h"
#include "simd.h"
#include "dpx.h"
#include "texture.h"
#include "libc.h"
#include "host.h"
#include "graphs.h"
#include "texture_references.h"
