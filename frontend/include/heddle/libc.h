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
#ifndef RAND_MAX
#define RAND_MAX 2147483647
#endif

// Limits of numbers, which nvcc's headers bring along; spelled as in headers that repeat them.
#ifndef INT_MAX
#define SCHAR_MAX __SCHAR_MAX__
#define SCHAR_MIN (-__SCHAR_MAX__ - 1)
#define CHAR_MAX __SCHAR_MAX__
#define CHAR_MIN SCHAR_MIN
#define UCHAR_MAX (__SCHAR_MAX__ * 2 + 1)
#define CHAR_BIT __CHAR_BIT__
#define SHRT_MAX __SHRT_MAX__
#define SHRT_MIN (-__SHRT_MAX__ - 1)
#define USHRT_MAX (__SHRT_MAX__ * 2 + 1)
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-__LONG_MAX__ - 1L)
#define ULONG_MAX (__LONG_MAX__ * 2UL + 1UL)
#define LLONG_MAX __LONG_LONG_MAX__
#define LLONG_MIN (-__LONG_LONG_MAX__ - 1LL)
#define ULLONG_MAX (__LONG_LONG_MAX__ * 2ULL + 1ULL)
#endif
#ifndef FLT_MAX
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX __DBL_MAX__
#define DBL_MIN __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__
#endif
#ifndef FLT_DIG
#define FLT_RADIX __FLT_RADIX__
#define FLT_DIG __FLT_DIG__
#define FLT_MANT_DIG __FLT_MANT_DIG__
#define FLT_DECIMAL_DIG __FLT_DECIMAL_DIG__
#define FLT_MIN_EXP __FLT_MIN_EXP__
#define FLT_MAX_EXP __FLT_MAX_EXP__
#define FLT_MIN_10_EXP __FLT_MIN_10_EXP__
#define FLT_MAX_10_EXP __FLT_MAX_10_EXP__
#define FLT_TRUE_MIN __FLT_DENORM_MIN__
#define DBL_DIG __DBL_DIG__
#define DBL_MANT_DIG __DBL_MANT_DIG__
#define DBL_DECIMAL_DIG __DBL_DECIMAL_DIG__
#define DBL_MIN_EXP __DBL_MIN_EXP__
#define DBL_MAX_EXP __DBL_MAX_EXP__
#define DBL_MIN_10_EXP __DBL_MIN_10_EXP__
#define DBL_MAX_10_EXP __DBL_MAX_10_EXP__
#define DBL_TRUE_MIN __DBL_DENORM_MIN__
#endif
#ifndef INT32_MAX
#define INT8_MIN (-128)
#define INT16_MIN (-32767-1)
#define INT32_MIN (-2147483647-1)
#define INT64_MIN (-9223372036854775807L-1)
#define INT8_MAX (127)
#define INT16_MAX (32767)
#define INT32_MAX (2147483647)
#define INT64_MAX (9223372036854775807L)
#define UINT8_MAX (255)
#define UINT16_MAX (65535)
#define UINT32_MAX (4294967295U)
#define UINT64_MAX (18446744073709551615UL)
#define INTPTR_MIN (-9223372036854775807L-1)
#define INTPTR_MAX (9223372036854775807L)
#define UINTPTR_MAX (18446744073709551615UL)
#define INTMAX_MIN (-9223372036854775807L-1)
#define INTMAX_MAX (9223372036854775807L)
#define UINTMAX_MAX (18446744073709551615UL)
#define PTRDIFF_MIN (-9223372036854775807L-1)
#define PTRDIFF_MAX (9223372036854775807L)
#define SIZE_MAX (18446744073709551615UL)
#endif
#ifndef INFINITY
#define INFINITY (__builtin_inff ())
#define NAN (__builtin_nanf (""))
#define HUGE_VAL (__builtin_huge_val ())
#define HUGE_VALF (__builtin_huge_valf ())
#define M_PI 3.14159265358979323846
#endif
#ifndef M_E
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif

// Short names of integers, and those of fixed size.
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
// A source that includes nothing, as those for NVRTC, may define these itself: it is read with such a macro.
#ifndef HEDDLE_OWN_int8_t
typedef __INT8_TYPE__ int8_t;
#endif
#ifndef HEDDLE_OWN_int16_t
typedef __INT16_TYPE__ int16_t;
#endif
#ifndef HEDDLE_OWN_int32_t
typedef __INT32_TYPE__ int32_t;
#endif
#ifndef HEDDLE_OWN_int64_t
typedef __INT64_TYPE__ int64_t;
#endif
#ifndef HEDDLE_OWN_uint8_t
typedef __UINT8_TYPE__ uint8_t;
#endif
#ifndef HEDDLE_OWN_uint16_t
typedef __UINT16_TYPE__ uint16_t;
#endif
#ifndef HEDDLE_OWN_uint32_t
typedef __UINT32_TYPE__ uint32_t;
#endif
#ifndef HEDDLE_OWN_uint64_t
typedef __UINT64_TYPE__ uint64_t;
#endif
#ifndef HEDDLE_OWN_intptr_t
typedef __INTPTR_TYPE__ intptr_t;
#endif
#ifndef HEDDLE_OWN_uintptr_t
typedef __UINTPTR_TYPE__ uintptr_t;
#endif
#ifndef HEDDLE_OWN_intmax_t
typedef __INTMAX_TYPE__ intmax_t;
#endif
#ifndef HEDDLE_OWN_uintmax_t
typedef __UINTMAX_TYPE__ uintmax_t;
#endif
typedef __PTRDIFF_TYPE__ ptrdiff_t;

extern "C" {
typedef struct _IO_FILE FILE;
extern FILE *stdin, *stdout, *stderr;
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...) noexcept;
int snprintf(char *, size_t, const char *, ...) noexcept;
int sscanf(const char *, const char *, ...) noexcept;
int fscanf(FILE *, const char *, ...);
int scanf(const char *, ...);
FILE *fopen(const char *, const char *);
int fclose(FILE *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
char *fgets(char *, int, FILE *);
int fflush(FILE *);
int puts(const char *);
int putchar(int);
void perror(const char *);
__attribute__((noreturn)) void __assert_fail(const char *, const char *, unsigned int, const char *) noexcept;
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
int strncmp(const char *, const char *, size_t) noexcept;
size_t strlen(const char *) noexcept;
char *rindex(const char *, int) noexcept;
int printf(const char *, ...);
char *strcpy(char *, const char *) noexcept;
char *strncpy(char *, const char *, size_t) noexcept;
char *strcat(char *, const char *) noexcept;
int rand() noexcept;
long random() noexcept;
void srandom(unsigned int) noexcept;
void srand(unsigned int) noexcept;
int abs(int) noexcept;
long labs(long) noexcept;
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
float sinf(float) noexcept;
float tanhf(float) noexcept;
float coshf(float) noexcept;
float sinhf(float) noexcept;
float atanf(float) noexcept;
float atan2f(float, float) noexcept;
float fmodf(float, float) noexcept;
double tanh(double) noexcept;
double sinh(double) noexcept;
double cosh(double) noexcept;
float cosf(float) noexcept;
float tanf(float) noexcept;
float logf(float) noexcept;
float log2f(float) noexcept;
float ceilf(float) noexcept;
float floorf(float) noexcept;
float fmaxf(float, float) noexcept;
float fminf(float, float) noexcept;
float roundf(float) noexcept;
double tan(double) noexcept;
double atan(double) noexcept;
double atan2(double, double) noexcept;
double acos(double) noexcept;
double asin(double) noexcept;
double log2(double) noexcept;
double log10(double) noexcept;
double round(double) noexcept;
double fmod(double, double) noexcept;
double cbrt(double) noexcept;
double frexp(double, int *) noexcept;
double ldexp(double, int) noexcept;
void *memcpy(void *, const void *, size_t) noexcept;
void *memset(void *, int, size_t) noexcept;
int memcmp(const void *, const void *, size_t) noexcept;
typedef long clock_t;
clock_t clock() noexcept;
typedef long time_t;
time_t time(time_t *) noexcept;
}

#ifndef CLOCKS_PER_SEC
#define CLOCKS_PER_SEC  ((__clock_t) 1000000)
typedef long __clock_t;
#endif
#ifndef assert
#ifdef NDEBUG
#define assert(expr) ((void)0)
#else
#define assert(expr) (static_cast<bool>(expr) ? (void)0 : __assert_fail(#expr, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
#endif

// For the host these are templates beside those of <math.h>.
#define HEDDLE_HOST_TEST(name)                                                                                         \
  template <class _T> __attribute__((host)) typename heddle_if<__is_floating_point(_T), bool>::Type name(_T x) {       \
    return __builtin_##name(x);                                                                                        \
  }
template <bool Holds, class _T> struct heddle_if {};
template <class _T> struct heddle_if<true, _T> { typedef _T Type; };
HEDDLE_HOST_TEST(isfinite)
HEDDLE_HOST_TEST(isinf)
HEDDLE_HOST_TEST(isnan)
#undef HEDDLE_HOST_TEST

HEDDLE_DEVICE void *memcpy(void *to, const void *from, size_t n) { return __builtin_memcpy(to, from, n); }
HEDDLE_DEVICE void *memset(void *to, int byte, size_t n) { return __builtin_memset(to, byte, n); }
extern "C" __attribute__((device, pure, nothrow)) int memcmp(const void *, const void *, size_t);
