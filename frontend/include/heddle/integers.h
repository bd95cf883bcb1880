// Integers: minimum and maximum, bits, products, averages.
#pragma once
#include "words.h"

#define HEDDLE_MIN_MAX(_T)                                                                                             \
  HEDDLE_BOTH _T min(_T a, _T b) { return a < b ? a : b; }                                                             \
  HEDDLE_BOTH _T max(_T a, _T b) { return a > b ? a : b; }
HEDDLE_MIN_MAX(int)
HEDDLE_MIN_MAX(unsigned int)
HEDDLE_MIN_MAX(long)
HEDDLE_MIN_MAX(unsigned long)
HEDDLE_MIN_MAX(long long)
HEDDLE_MIN_MAX(unsigned long long)
HEDDLE_MIN_MAX(float)
HEDDLE_MIN_MAX(double)
HEDDLE_BOTH unsigned int min(int a, unsigned int b) { return min((unsigned int)a, b); }
HEDDLE_BOTH unsigned int min(unsigned int a, int b) { return min(a, (unsigned int)b); }
HEDDLE_BOTH unsigned int max(int a, unsigned int b) { return max((unsigned int)a, b); }
HEDDLE_BOTH unsigned int max(unsigned int a, int b) { return max(a, (unsigned int)b); }
HEDDLE_BOTH double min(float a, double b) { return min((double)a, b); }
HEDDLE_BOTH double min(double a, float b) { return min(a, (double)b); }
HEDDLE_BOTH double max(float a, double b) { return max((double)a, b); }
HEDDLE_BOTH double max(double a, float b) { return max(a, (double)b); }
HEDDLE_DEVICE unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
HEDDLE_DEVICE unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
// The least number is its own absolute value, as on the device.
HEDDLE_DEVICE int abs(int x) { return x < 0 ? (int)(0u - (unsigned int)x) : x; }
HEDDLE_DEVICE long labs(long x) { return x < 0 ? (long)(0ul - (unsigned long)x) : x; }
HEDDLE_DEVICE long long llabs(long long x) { return x < 0 ? (long long)(0ull - (unsigned long long)x) : x; }
HEDDLE_DEVICE long abs(long x) { return labs(x); }
HEDDLE_DEVICE long long abs(long long x) { return llabs(x); }
HEDDLE_DEVICE float abs(float x) { return __builtin_fabsf(x); }
HEDDLE_DEVICE double abs(double x) { return __builtin_fabs(x); }
HEDDLE_DEVICE int __clz(int x) { return x ? __builtin_clz(x) : 32; }
HEDDLE_DEVICE int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
HEDDLE_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
HEDDLE_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
HEDDLE_DEVICE int __popc(unsigned int x) { return __builtin_popcount(x); }
HEDDLE_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
// The place of the `offset`-th set bit, counted from `base`.
HEDDLE_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  return __nvvm_fns(mask, base, offset);
}
HEDDLE_DEVICE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
HEDDLE_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
HEDDLE_DEVICE int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
HEDDLE_DEVICE unsigned int __umulhi(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a * b) >> 32);
}
HEDDLE_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
HEDDLE_DEVICE long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
HEDDLE_DEVICE int __mul24(int a, int b) { return (int)((unsigned)((a << 8) >> 8) * (unsigned)((b << 8) >> 8)); }
HEDDLE_DEVICE unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffffu) * (b & 0xffffffu); }
HEDDLE_DEVICE unsigned int __sad(int a, int b, unsigned int c) {
  return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c;
}
HEDDLE_DEVICE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) { return (a > b ? a - b : b - a) + c; }
HEDDLE_DEVICE unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int s) { return __nvvm_prmt(a, b, s); }
HEDDLE_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int n) {
  return (unsigned int)(((((unsigned long long)high << 32) | low) << (n & 31)) >> 32);
}
HEDDLE_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int n) {
  return (unsigned int)((((unsigned long long)high << 32) | low) >> (n & 31));
}
HEDDLE_DEVICE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int n) {
  return n >= 32 ? low : __funnelshift_l(low, high, n);
}
HEDDLE_DEVICE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int n) {
  return n >= 32 ? high : __funnelshift_r(low, high, n);
}

// Averages, without overflow: rounded down, and up.
HEDDLE_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
HEDDLE_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
HEDDLE_DEVICE unsigned int __uhadd(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a + b) >> 1);
}
HEDDLE_DEVICE unsigned int __urhadd(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}

// A product of four bytes, or of two halves with two bytes, added to a sum.
#define HEDDLE_BYTE(_T, word, n) (_T)((word) >> (8 * (n)))
#define HEDDLE_HALF(_T, word, n) (_T)((word) >> (16 * (n)))
#define HEDDLE_DOT(_T, byte, half)                                                                                     \
  HEDDLE_DEVICE _T __dp4a(_T a, _T b, _T sum) {                                                                        \
    unsigned int all = (unsigned int)sum;                                                                              \
    for (int n = 0; n < 4; ++n) all += (unsigned int)((_T)(HEDDLE_BYTE(byte, a, n)) * (_T)(HEDDLE_BYTE(byte, b, n)));  \
    return (_T)all;                                                                                                    \
  }                                                                                                                    \
  HEDDLE_DEVICE _T __dp2a_lo(_T a, _T b, _T sum) {                                                                     \
    unsigned int all = (unsigned int)sum;                                                                              \
    for (int n = 0; n < 2; ++n) all += (unsigned int)((_T)(HEDDLE_HALF(half, a, n)) * (_T)(HEDDLE_BYTE(byte, b, n)));  \
    return (_T)all;                                                                                                    \
  }                                                                                                                    \
  HEDDLE_DEVICE _T __dp2a_hi(_T a, _T b, _T sum) { return __dp2a_lo(a, b >> 16, sum); }
HEDDLE_DOT(int, signed char, short)
HEDDLE_DOT(unsigned int, unsigned char, unsigned short)
