// Functions of Microsoft's C library, for hosts that are written against it: declarations alone. What they write they
// write through their pointers; nothing is known of it.
#pragma once
#include <cstddef>
#include <cstdio>
#include <ctime>

typedef int errno_t;
#define _countof(array) (sizeof(array) / sizeof((array)[0]))
errno_t fopen_s(FILE **, const char *, const char *);
int printf_s(const char *, ...);
int scanf_s(const char *, ...);
int fprintf_s(FILE *, const char *, ...);
int fscanf_s(FILE *, const char *, ...);
int sscanf_s(const char *, const char *, ...);
int sprintf_s(char *, size_t, const char *, ...);
errno_t strcpy_s(char *, size_t, const char *);
errno_t strcat_s(char *, size_t, const char *);
errno_t memcpy_s(void *, size_t, const void *, size_t);
errno_t localtime_s(struct tm *, const time_t *);
// The size of an array may be left out.
template <size_t _N, class... _A> int sprintf_s(char (&)[_N], const char *, _A...);
template <size_t _N> errno_t strcpy_s(char (&)[_N], const char *);
template <size_t _N> errno_t strcat_s(char (&)[_N], const char *);
