// Timers, arguments and images, as NVIDIA's samples use them.
#pragma once
#include "helper_string.h"
#include "helper_timer.h"

bool sdkDumpBin(void *, unsigned int, const char *);
bool sdkCompareL2fe(const float *, const float *, const unsigned int, const float);
template <class _T> bool sdkLoadPGM(const char *, _T **, unsigned int *, unsigned int *);
template <class _T> bool sdkSavePGM(const char *, _T *, unsigned int, unsigned int);
template <class _T> bool sdkLoadPPM4(const char *, _T **, unsigned int *, unsigned int *);
template <class _T> bool sdkSavePPM4ub(const char *, _T *, unsigned int, unsigned int);
template <class _T> bool sdkReadFile(const char *, _T **, unsigned int *, bool);
template <class _T> bool sdkWriteFile(const char *, const _T *, unsigned int, const _T, bool, bool = false);
bool sdkComparePPM(const char *, const char *, const float, const float, bool);
bool sdkComparePGM(const char *, const char *, const float, const float, bool);
template <class _T, class _S> bool compareData(const _T *, const _T *, const unsigned int, const _S, const float);
