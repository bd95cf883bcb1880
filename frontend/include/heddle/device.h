// What a CUDA file sees without an include: the device side, and declarations of the host side.
//
// This is not a toolkit: it has what kernels need to be read, and host code needs to be parsed. Nothing here can run.
#pragma once
#include "words.h"
#include "vectors.h"
#include "ids.h"
#include "sync.h"
#include "atomics.h"
#include "math.h"
#include "host.h"
