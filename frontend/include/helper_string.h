// Arguments of the command line, as NVIDIA's samples read them.
#pragma once
#include "heddle/device.h"

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, size, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(result) (result == NULL)
#define SSCANF sscanf
#define SPRINTF sprintf
#endif
extern "C" int strcasecmp(const char *, const char *) noexcept;
extern "C" int strncasecmp(const char *, const char *, size_t) noexcept;
bool checkCmdLineFlag(const int, const char **, const char *);
int getCmdLineArgumentInt(const int, const char **, const char *);
float getCmdLineArgumentFloat(const int, const char **, const char *);
bool getCmdLineArgumentString(const int, const char **, const char *, char **);
template <class _T> bool getCmdLineArgumentValue(const int, const char **, const char *, _T *);
char *sdkFindFilePath(const char *, const char *);
