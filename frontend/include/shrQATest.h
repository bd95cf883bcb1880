// What NVIDIA's samples before CUDA 5 say of their results.
#pragma once
#include "heddle/device.h"

enum eQAstatus { QA_FAILED = 0, QA_PASSED = 1, QA_WAIVED = 2 };
void shrQAStart(int, char **);
void shrQAFinish(int, const char **, int);
void shrQAFinishExit(int, const char **, int);
void shrQAFinishExit2(bool, int, const char **, int);
