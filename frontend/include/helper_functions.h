// Timers, arguments and images, as NVIDIA's samples use them.
#pragma once
#include "helper_string.h"
#include "helper_timer.h"

bool sdkDumpBin(void *, unsigned int, const char *);
bool sdkCompareL2fe(const float *, const float *, const unsigned int, const float);
template <class T> bool sdkLoadPGM(const char *, T **, unsigned int *, unsigned int *);
template <class T> bool sdkSavePGM(const char *, T *, unsigned int, unsigned int);
template <class T> bool sdkLoadPPM4(const char *, T **, unsigned int *, unsigned int *);
template <class T> bool sdkSavePPM4ub(const char *, T *, unsigned int, unsigned int);
template <class T> bool sdkReadFile(const char *, T **, unsigned int *, bool);
template <class T> bool sdkWriteFile(const char *, const T *, unsigned int, const T, bool, bool = false);
bool sdkComparePPM(const char *, const char *, const float, const float, bool);
bool sdkComparePGM(const char *, const char *, const float, const float, bool);
template <class T, class S> bool compareData(const T *, const T *, const unsigned int, const S, const float);
