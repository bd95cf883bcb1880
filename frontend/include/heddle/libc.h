// What a CUDA file may use of the C library without including it, as with `nvcc`: for the host by declaration, for the
// device by builtin.
#pragma once
#include "words.h"

#ifndef NULL
#define NULL __null
#endif
#ifndef EXIT_SUCCESS
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#endif

extern "C" {
void *malloc(size_t) noexcept;
void *calloc(size_t, size_t) noexcept;
void *realloc(void *, size_t) noexcept;
void free(void *) noexcept;
__attribute__((noreturn)) void exit(int) noexcept;
__attribute__((noreturn)) void abort() noexcept;
int atoi(const char *) noexcept;
long atol(const char *) noexcept;
double atof(const char *) noexcept;
char *getenv(const char *) noexcept;
int strcmp(const char *, const char *) noexcept;
int rand() noexcept;
void srand(unsigned int) noexcept;
double fabs(double) noexcept;
float fabsf(float) noexcept;
double sqrt(double) noexcept;
float sqrtf(float) noexcept;
double pow(double, double) noexcept;
float powf(float, float) noexcept;
double exp(double) noexcept;
float expf(float) noexcept;
double log(double) noexcept;
double sin(double) noexcept;
double cos(double) noexcept;
double ceil(double) noexcept;
double floor(double) noexcept;
double fmax(double, double) noexcept;
double fmin(double, double) noexcept;
void *memcpy(void *, const void *, size_t) noexcept;
void *memset(void *, int, size_t) noexcept;
int memcmp(const void *, const void *, size_t) noexcept;
typedef long clock_t;
clock_t clock() noexcept;
}

HEDDLE_DEVICE void *memcpy(void *to, const void *from, size_t n) { return __builtin_memcpy(to, from, n); }
HEDDLE_DEVICE void *memset(void *to, int byte, size_t n) { return __builtin_memset(to, byte, n); }
extern "C" __attribute__((device, pure, nothrow)) int memcmp(const void *, const void *, size_t);
