// The utilities of NVIDIA's samples before CUDA 5: those of `cutil.h` as functions.
#pragma once
#include "cutil.h"

#define cutilSafeCall(call) HEDDLE_CUTIL_CHECK(call, cudaSuccess)
#define cutilSafeCallNoSync(call) HEDDLE_CUTIL_CHECK(call, cudaSuccess)
#define cutilSafeThreadSync() HEDDLE_CUTIL_CHECK(cudaThreadSynchronize(), cudaSuccess)
#define cutilCheckError(call) HEDDLE_CUTIL_CHECK(call, CUTTrue)
#define cutilCheckMsg(message) HEDDLE_CUTIL_CHECK(cudaGetLastError(), cudaSuccess)
#define cutilSafeMalloc(call) HEDDLE_CUTIL_CHECK(!(call), false)
#define cutilCondition(value) HEDDLE_CUTIL_CHECK(!(value), false)
#define cutilDrvSafeCall(call) HEDDLE_CUTIL_CHECK(call, CUDA_SUCCESS)
#define cutilDrvSafeCallNoSync(call) HEDDLE_CUTIL_CHECK(call, CUDA_SUCCESS)
#define cufftSafeCall(call) HEDDLE_CUTIL_CHECK(call, CUFFT_SUCCESS)
#define cutilBankChecker(array, index) array[index]
#define cutilExit(argc, argv) exit(EXIT_SUCCESS)
#define cutilThreadSynchronize cudaThreadSynchronize
#define cutilDeviceSynchronize cudaDeviceSynchronize
#define cutilDeviceReset cudaDeviceReset
int cutilDeviceInit(int, char **);
int cutilChooseCudaDevice(int, char **);
int cutilGetMaxGflopsDeviceId();
