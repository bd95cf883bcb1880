// The checks around calls of the runtime that NVIDIA's samples use, for a sample that comes without its own.
#pragma once
#include "heddle/device.h"
#include "helper_string.h"

template <class _T> void check(_T, const char *, const char *, int);
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
#define printLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
void __getLastCudaError(const char *, const char *, int);
int _ConvertSMVer2Cores(int, int);
const char *_ConvertSMVer2ArchName(int, int);
int gpuDeviceInit(int);
int gpuGetMaxGflopsDeviceId();
int findCudaDevice(int, const char **);
int findIntegratedGPU();
bool checkCudaCapabilities(int, int);
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
