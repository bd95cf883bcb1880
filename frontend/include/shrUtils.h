// The utilities that NVIDIA's samples before CUDA 5 share with those in OpenCL.
#pragma once
#include "heddle/device.h"

enum shrBOOL { shrFALSE = 0, shrTRUE = 1 };
extern "C" {
void shrSetLogFileName(const char *);
int shrLog(const char *, ...);
double shrDeltaT(int);
char *shrFindFilePath(const char *, const char *);
shrBOOL shrCheckCmdLineFlag(const int, const char **, const char *);
shrBOOL shrGetCmdLineArgumenti(const int, const char **, const char *, int *);
shrBOOL shrGetCmdLineArgumentu(const int, const char **, const char *, unsigned int *);
shrBOOL shrGetCmdLineArgumentf(const int, const char **, const char *, float *);
shrBOOL shrGetCmdLineArgumentstr(const int, const char **, const char *, char **);
size_t shrRoundUp(int, int);
void shrFillArray(float *, int);
shrBOOL shrCompareL2fe(const float *, const float *, const unsigned int, const float);
}
