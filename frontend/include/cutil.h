// The utilities of NVIDIA's first samples: timers, arguments, files, and checks around calls.
#pragma once
#include "heddle/device.h"

enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 };
#define CUTIL_API

extern "C" {
CUTBoolean cutCreateTimer(unsigned int *);
CUTBoolean cutDeleteTimer(unsigned int);
CUTBoolean cutStartTimer(const unsigned int);
CUTBoolean cutStopTimer(const unsigned int);
CUTBoolean cutResetTimer(const unsigned int);
float cutGetTimerValue(const unsigned int);
float cutGetAverageTimerValue(const unsigned int);
CUTBoolean cutCheckCmdLineFlag(const int, const char **, const char *);
CUTBoolean cutGetCmdLineArgumenti(const int, const char **, const char *, int *);
CUTBoolean cutGetCmdLineArgumentf(const int, const char **, const char *, float *);
CUTBoolean cutGetCmdLineArgumentstr(const int, const char **, const char *, char **);
char *cutFindFilePath(const char *, const char *);
void cutFree(void *);
CUTBoolean cutLoadPGMf(const char *, float **, unsigned int *, unsigned int *);
CUTBoolean cutLoadPGMub(const char *, unsigned char **, unsigned int *, unsigned int *);
CUTBoolean cutLoadPPM4ub(const char *, unsigned char **, unsigned int *, unsigned int *);
CUTBoolean cutSavePGMf(const char *, const float *, unsigned int, unsigned int);
CUTBoolean cutSavePGMub(const char *, const unsigned char *, unsigned int, unsigned int);
CUTBoolean cutSavePPM4ub(const char *, const unsigned char *, unsigned int, unsigned int);
CUTBoolean cutComparef(const float *, const float *, const unsigned int);
CUTBoolean cutComparei(const int *, const int *, const unsigned int);
CUTBoolean cutCompareub(const unsigned char *, const unsigned char *, const unsigned int);
CUTBoolean cutComparefe(const float *, const float *, const unsigned int, const float);
CUTBoolean cutCompareL2fe(const float *, const float *, const unsigned int, const float);
}
CUTBoolean cutReadFilef(const char *, float **, unsigned int *, bool = false);
CUTBoolean cutReadFilei(const char *, int **, unsigned int *, bool = false);
CUTBoolean cutReadFileui(const char *, unsigned int **, unsigned int *, bool = false);
CUTBoolean cutReadFileub(const char *, unsigned char **, unsigned int *, bool = false);
CUTBoolean cutWriteFilef(const char *, const float *, unsigned int, const float, bool = false);
CUTBoolean cutWriteFilei(const char *, const int *, unsigned int, bool = false);
CUTBoolean cutWriteFileui(const char *, const unsigned int *, unsigned int, bool = false);
CUTBoolean cutWriteFileub(const char *, const unsigned char *, unsigned int, bool = false);
int cutGetMaxGflopsDeviceId();

#ifndef MIN
#define MIN(a, b) ((a < b) ? a : b)
#endif
#ifndef MAX
#define MAX(a, b) ((a > b) ? a : b)
#endif
#define HEDDLE_CUTIL_CHECK(call, good)                                                                                 \
  do {                                                                                                                 \
    if ((good) != (call)) exit(EXIT_FAILURE);                                                                          \
  } while (0)
#define CUT_SAFE_CALL(call) HEDDLE_CUTIL_CHECK(call, CUTTrue)
#define CUT_CONDITION(value) HEDDLE_CUTIL_CHECK(!(value), false)
#define CUDA_SAFE_CALL(call) HEDDLE_CUTIL_CHECK(call, cudaSuccess)
#define CUDA_SAFE_CALL_NO_SYNC(call) HEDDLE_CUTIL_CHECK(call, cudaSuccess)
#define CU_SAFE_CALL(call) HEDDLE_CUTIL_CHECK(call, CUDA_SUCCESS)
#define CU_SAFE_CALL_NO_SYNC(call) HEDDLE_CUTIL_CHECK(call, CUDA_SUCCESS)
#define CUFFT_SAFE_CALL(call) HEDDLE_CUTIL_CHECK(call, CUFFT_SUCCESS)
#define CUT_CHECK_ERROR(message) HEDDLE_CUTIL_CHECK(cudaGetLastError(), cudaSuccess)
#define CUT_BANK_CHECKER(array, index) array[index]
#define CUT_DEVICE_INIT(argc, argv) cudaSetDevice(0)
#define CUT_EXIT(argc, argv) exit(EXIT_SUCCESS)
