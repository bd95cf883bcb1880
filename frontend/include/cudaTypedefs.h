// Types of the driver's functions, for programs that look them up by name.
#pragma once
#include "cuda.h"

#define HEDDLE_DRIVER_TYPE(name, version)                                                                              \
  typedef __typeof__(&name) PFN_##name;                                                                                \
  typedef __typeof__(&name) PFN_##name##_v##version;
HEDDLE_DRIVER_TYPE(cuTensorMapEncodeTiled, 12000)
HEDDLE_DRIVER_TYPE(cuTensorMapEncodeIm2col, 12000)
HEDDLE_DRIVER_TYPE(cuTensorMapReplaceAddress, 12000)
HEDDLE_DRIVER_TYPE(cuGetErrorName, 6000)
HEDDLE_DRIVER_TYPE(cuGetErrorString, 6000)
HEDDLE_DRIVER_TYPE(cuDeviceGetAttribute, 2000)
HEDDLE_DRIVER_TYPE(cuModuleLoadData, 2000)
HEDDLE_DRIVER_TYPE(cuModuleGetFunction, 2000)
HEDDLE_DRIVER_TYPE(cuLaunchKernel, 4000)
#undef HEDDLE_DRIVER_TYPE
