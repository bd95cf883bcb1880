// Arithmetic of short vectors, as NVIDIA's samples have it.
#pragma once
#include "heddle/device.h"

#define HEDDLE_MATH static __attribute__((host, device, always_inline, nodebug)) inline

HEDDLE_MATH float2 make_float2(float a) { return make_float2(a, a); }
HEDDLE_MATH float2 make_float2(int2 a) { return make_float2((float)a.x, (float)a.y); }
HEDDLE_MATH float2 make_float2(uint2 a) { return make_float2((float)a.x, (float)a.y); }
HEDDLE_MATH float3 make_float3(float a) { return make_float3(a, a, a); }
HEDDLE_MATH float3 make_float3(int3 a) { return make_float3((float)a.x, (float)a.y, (float)a.z); }
HEDDLE_MATH float3 make_float3(uint3 a) { return make_float3((float)a.x, (float)a.y, (float)a.z); }
HEDDLE_MATH float4 make_float4(float a) { return make_float4(a, a, a, a); }
HEDDLE_MATH float4 make_float4(int4 a) { return make_float4((float)a.x, (float)a.y, (float)a.z, (float)a.w); }
HEDDLE_MATH float4 make_float4(uint4 a) { return make_float4((float)a.x, (float)a.y, (float)a.z, (float)a.w); }
HEDDLE_MATH float2 make_float2(float3 a) { return make_float2(a.x, a.y); }
HEDDLE_MATH float3 make_float3(float2 a) { return make_float3(a.x, a.y, 0); }
HEDDLE_MATH float3 make_float3(float2 a, float z) { return make_float3(a.x, a.y, z); }
HEDDLE_MATH float3 make_float3(float4 a) { return make_float3(a.x, a.y, a.z); }
HEDDLE_MATH float4 make_float4(float3 a) { return make_float4(a.x, a.y, a.z, 0); }
HEDDLE_MATH float4 make_float4(float3 a, float w) { return make_float4(a.x, a.y, a.z, w); }
HEDDLE_MATH int2 make_int2(int a) { return make_int2(a, a); }
HEDDLE_MATH int2 make_int2(uint2 a) { return make_int2((int)a.x, (int)a.y); }
HEDDLE_MATH int2 make_int2(float2 a) { return make_int2((int)a.x, (int)a.y); }
HEDDLE_MATH int3 make_int3(int a) { return make_int3(a, a, a); }
HEDDLE_MATH int3 make_int3(uint3 a) { return make_int3((int)a.x, (int)a.y, (int)a.z); }
HEDDLE_MATH int3 make_int3(float3 a) { return make_int3((int)a.x, (int)a.y, (int)a.z); }
HEDDLE_MATH int4 make_int4(int a) { return make_int4(a, a, a, a); }
HEDDLE_MATH int4 make_int4(uint4 a) { return make_int4((int)a.x, (int)a.y, (int)a.z, (int)a.w); }
HEDDLE_MATH int4 make_int4(float4 a) { return make_int4((int)a.x, (int)a.y, (int)a.z, (int)a.w); }
HEDDLE_MATH int2 make_int2(int3 a) { return make_int2(a.x, a.y); }
HEDDLE_MATH int3 make_int3(int2 a) { return make_int3(a.x, a.y, 0); }
HEDDLE_MATH int3 make_int3(int2 a, int z) { return make_int3(a.x, a.y, z); }
HEDDLE_MATH int3 make_int3(int4 a) { return make_int3(a.x, a.y, a.z); }
HEDDLE_MATH int4 make_int4(int3 a) { return make_int4(a.x, a.y, a.z, 0); }
HEDDLE_MATH int4 make_int4(int3 a, int w) { return make_int4(a.x, a.y, a.z, w); }
HEDDLE_MATH uint2 make_uint2(unsigned int a) { return make_uint2(a, a); }
HEDDLE_MATH uint2 make_uint2(float2 a) { return make_uint2((unsigned int)a.x, (unsigned int)a.y); }
HEDDLE_MATH uint2 make_uint2(int2 a) { return make_uint2((unsigned int)a.x, (unsigned int)a.y); }
HEDDLE_MATH uint3 make_uint3(unsigned int a) { return make_uint3(a, a, a); }
HEDDLE_MATH uint3 make_uint3(float3 a) { return make_uint3((unsigned int)a.x, (unsigned int)a.y, (unsigned int)a.z); }
HEDDLE_MATH uint3 make_uint3(int3 a) { return make_uint3((unsigned int)a.x, (unsigned int)a.y, (unsigned int)a.z); }
HEDDLE_MATH uint4 make_uint4(unsigned int a) { return make_uint4(a, a, a, a); }
HEDDLE_MATH uint4 make_uint4(float4 a) { return make_uint4((unsigned int)a.x, (unsigned int)a.y, (unsigned int)a.z, (unsigned int)a.w); }
HEDDLE_MATH uint4 make_uint4(int4 a) { return make_uint4((unsigned int)a.x, (unsigned int)a.y, (unsigned int)a.z, (unsigned int)a.w); }
HEDDLE_MATH uint2 make_uint2(uint3 a) { return make_uint2(a.x, a.y); }
HEDDLE_MATH uint3 make_uint3(uint2 a) { return make_uint3(a.x, a.y, 0); }
HEDDLE_MATH uint3 make_uint3(uint2 a, unsigned int z) { return make_uint3(a.x, a.y, z); }
HEDDLE_MATH uint3 make_uint3(uint4 a) { return make_uint3(a.x, a.y, a.z); }
HEDDLE_MATH uint4 make_uint4(uint3 a) { return make_uint4(a.x, a.y, a.z, 0); }
HEDDLE_MATH uint4 make_uint4(uint3 a, unsigned int w) { return make_uint4(a.x, a.y, a.z, w); }

#define HEDDLE_MATH_BOTH_2(V, S, op)                                                                                   \
  HEDDLE_MATH V operator op(V a, V b) { return make_##V(a.x op b.x, a.y op b.y); }                                     \
  HEDDLE_MATH V operator op(V a, S b) { return make_##V(a.x op b, a.y op b); }                                         \
  HEDDLE_MATH V operator op(S a, V b) { return make_##V(a op b.x, a op b.y); }                                         \
  HEDDLE_MATH void operator op##=(V &a, V b) { a = a op b; }                                                           \
  HEDDLE_MATH void operator op##=(V &a, S b) { a = a op b; }
#define HEDDLE_MATH_OF_2(V, S, least, most)                                                                            \
  HEDDLE_MATH_BOTH_2(V, S, +) HEDDLE_MATH_BOTH_2(V, S, -) HEDDLE_MATH_BOTH_2(V, S, *)                                  \
  HEDDLE_MATH V min(V a, V b) { return make_##V(least(a.x, b.x), least(a.y, b.y)); }                                   \
  HEDDLE_MATH V max(V a, V b) { return make_##V(most(a.x, b.x), most(a.y, b.y)); }                                     \
  HEDDLE_MATH V clamp(V v, V a, V b) { return max(a, min(v, b)); }                                                     \
  HEDDLE_MATH V clamp(V v, S a, S b) { return clamp(v, make_##V(a), make_##V(b)); }                                    \
  HEDDLE_MATH S dot(V a, V b) { return a.x * b.x + a.y * b.y; }
HEDDLE_MATH_OF_2(float2, float, fminf, fmaxf)
HEDDLE_MATH_OF_2(int2, int, min, max)
HEDDLE_MATH_OF_2(uint2, unsigned int, min, max)
HEDDLE_MATH_BOTH_2(float2, float, /)
HEDDLE_MATH float2 operator-(const float2 &a) { return make_float2(-a.x, -a.y); }
HEDDLE_MATH int2 operator-(const int2 &a) { return make_int2(-a.x, -a.y); }
HEDDLE_MATH int2 abs(int2 v) { return make_int2(abs(v.x), abs(v.y)); }
HEDDLE_MATH float2 floorf(float2 v) { return make_float2(floorf(v.x), floorf(v.y)); }
HEDDLE_MATH float2 fabs(float2 v) { return make_float2(fabsf(v.x), fabsf(v.y)); }
HEDDLE_MATH float2 fracf(float2 v) { return v - floorf(v); }
HEDDLE_MATH float2 fminf(float2 a, float2 b) { return min(a, b); }
HEDDLE_MATH float2 fmaxf(float2 a, float2 b) { return max(a, b); }
HEDDLE_MATH float2 fmodf(float2 a, float2 b) { return make_float2(fmodf(a.x, b.x), fmodf(a.y, b.y)); }
HEDDLE_MATH float2 lerp(float2 a, float2 b, float t) { return a + t * (b - a); }
HEDDLE_MATH float length(float2 v) { return sqrtf(dot(v, v)); }
HEDDLE_MATH float2 normalize(float2 v) { return v * rsqrtf(dot(v, v)); }
HEDDLE_MATH float2 reflect(float2 i, float2 n) { return i - 2.0f * n * dot(n, i); }
HEDDLE_MATH float2 smoothstep(float2 a, float2 b, float2 x) {
  float2 y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (make_float2(3.0f) - make_float2(2.0f) * y);
}
#undef HEDDLE_MATH_BOTH_2
#undef HEDDLE_MATH_OF_2

#define HEDDLE_MATH_BOTH_3(V, S, op)                                                                                   \
  HEDDLE_MATH V operator op(V a, V b) { return make_##V(a.x op b.x, a.y op b.y, a.z op b.z); }                         \
  HEDDLE_MATH V operator op(V a, S b) { return make_##V(a.x op b, a.y op b, a.z op b); }                               \
  HEDDLE_MATH V operator op(S a, V b) { return make_##V(a op b.x, a op b.y, a op b.z); }                               \
  HEDDLE_MATH void operator op##=(V &a, V b) { a = a op b; }                                                           \
  HEDDLE_MATH void operator op##=(V &a, S b) { a = a op b; }
#define HEDDLE_MATH_OF_3(V, S, least, most)                                                                            \
  HEDDLE_MATH_BOTH_3(V, S, +) HEDDLE_MATH_BOTH_3(V, S, -) HEDDLE_MATH_BOTH_3(V, S, *)                                  \
  HEDDLE_MATH V min(V a, V b) { return make_##V(least(a.x, b.x), least(a.y, b.y), least(a.z, b.z)); }                  \
  HEDDLE_MATH V max(V a, V b) { return make_##V(most(a.x, b.x), most(a.y, b.y), most(a.z, b.z)); }                     \
  HEDDLE_MATH V clamp(V v, V a, V b) { return max(a, min(v, b)); }                                                     \
  HEDDLE_MATH V clamp(V v, S a, S b) { return clamp(v, make_##V(a), make_##V(b)); }                                    \
  HEDDLE_MATH S dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
HEDDLE_MATH_OF_3(float3, float, fminf, fmaxf)
HEDDLE_MATH_OF_3(int3, int, min, max)
HEDDLE_MATH_OF_3(uint3, unsigned int, min, max)
HEDDLE_MATH_BOTH_3(float3, float, /)
HEDDLE_MATH float3 operator-(const float3 &a) { return make_float3(-a.x, -a.y, -a.z); }
HEDDLE_MATH int3 operator-(const int3 &a) { return make_int3(-a.x, -a.y, -a.z); }
HEDDLE_MATH int3 abs(int3 v) { return make_int3(abs(v.x), abs(v.y), abs(v.z)); }
HEDDLE_MATH float3 floorf(float3 v) { return make_float3(floorf(v.x), floorf(v.y), floorf(v.z)); }
HEDDLE_MATH float3 fabs(float3 v) { return make_float3(fabsf(v.x), fabsf(v.y), fabsf(v.z)); }
HEDDLE_MATH float3 fracf(float3 v) { return v - floorf(v); }
HEDDLE_MATH float3 fminf(float3 a, float3 b) { return min(a, b); }
HEDDLE_MATH float3 fmaxf(float3 a, float3 b) { return max(a, b); }
HEDDLE_MATH float3 fmodf(float3 a, float3 b) { return make_float3(fmodf(a.x, b.x), fmodf(a.y, b.y), fmodf(a.z, b.z)); }
HEDDLE_MATH float3 lerp(float3 a, float3 b, float t) { return a + t * (b - a); }
HEDDLE_MATH float length(float3 v) { return sqrtf(dot(v, v)); }
HEDDLE_MATH float3 normalize(float3 v) { return v * rsqrtf(dot(v, v)); }
HEDDLE_MATH float3 reflect(float3 i, float3 n) { return i - 2.0f * n * dot(n, i); }
HEDDLE_MATH float3 smoothstep(float3 a, float3 b, float3 x) {
  float3 y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (make_float3(3.0f) - make_float3(2.0f) * y);
}
#undef HEDDLE_MATH_BOTH_3
#undef HEDDLE_MATH_OF_3

#define HEDDLE_MATH_BOTH_4(V, S, op)                                                                                   \
  HEDDLE_MATH V operator op(V a, V b) { return make_##V(a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w); }             \
  HEDDLE_MATH V operator op(V a, S b) { return make_##V(a.x op b, a.y op b, a.z op b, a.w op b); }                     \
  HEDDLE_MATH V operator op(S a, V b) { return make_##V(a op b.x, a op b.y, a op b.z, a op b.w); }                     \
  HEDDLE_MATH void operator op##=(V &a, V b) { a = a op b; }                                                           \
  HEDDLE_MATH void operator op##=(V &a, S b) { a = a op b; }
#define HEDDLE_MATH_OF_4(V, S, least, most)                                                                            \
  HEDDLE_MATH_BOTH_4(V, S, +) HEDDLE_MATH_BOTH_4(V, S, -) HEDDLE_MATH_BOTH_4(V, S, *)                                  \
  HEDDLE_MATH V min(V a, V b) { return make_##V(least(a.x, b.x), least(a.y, b.y), least(a.z, b.z), least(a.w, b.w)); } \
  HEDDLE_MATH V max(V a, V b) { return make_##V(most(a.x, b.x), most(a.y, b.y), most(a.z, b.z), most(a.w, b.w)); }     \
  HEDDLE_MATH V clamp(V v, V a, V b) { return max(a, min(v, b)); }                                                     \
  HEDDLE_MATH V clamp(V v, S a, S b) { return clamp(v, make_##V(a), make_##V(b)); }                                    \
  HEDDLE_MATH S dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
HEDDLE_MATH_OF_4(float4, float, fminf, fmaxf)
HEDDLE_MATH_OF_4(int4, int, min, max)
HEDDLE_MATH_OF_4(uint4, unsigned int, min, max)
HEDDLE_MATH_BOTH_4(float4, float, /)
HEDDLE_MATH float4 operator-(const float4 &a) { return make_float4(-a.x, -a.y, -a.z, -a.w); }
HEDDLE_MATH int4 operator-(const int4 &a) { return make_int4(-a.x, -a.y, -a.z, -a.w); }
HEDDLE_MATH int4 abs(int4 v) { return make_int4(abs(v.x), abs(v.y), abs(v.z), abs(v.w)); }
HEDDLE_MATH float4 floorf(float4 v) { return make_float4(floorf(v.x), floorf(v.y), floorf(v.z), floorf(v.w)); }
HEDDLE_MATH float4 fabs(float4 v) { return make_float4(fabsf(v.x), fabsf(v.y), fabsf(v.z), fabsf(v.w)); }
HEDDLE_MATH float4 fracf(float4 v) { return v - floorf(v); }
HEDDLE_MATH float4 fminf(float4 a, float4 b) { return min(a, b); }
HEDDLE_MATH float4 fmaxf(float4 a, float4 b) { return max(a, b); }
HEDDLE_MATH float4 fmodf(float4 a, float4 b) { return make_float4(fmodf(a.x, b.x), fmodf(a.y, b.y), fmodf(a.z, b.z), fmodf(a.w, b.w)); }
HEDDLE_MATH float4 lerp(float4 a, float4 b, float t) { return a + t * (b - a); }
HEDDLE_MATH float length(float4 v) { return sqrtf(dot(v, v)); }
HEDDLE_MATH float4 normalize(float4 v) { return v * rsqrtf(dot(v, v)); }
HEDDLE_MATH float4 reflect(float4 i, float4 n) { return i - 2.0f * n * dot(n, i); }
HEDDLE_MATH float4 smoothstep(float4 a, float4 b, float4 x) {
  float4 y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (make_float4(3.0f) - make_float4(2.0f) * y);
}
#undef HEDDLE_MATH_BOTH_4
#undef HEDDLE_MATH_OF_4

HEDDLE_MATH float lerp(float a, float b, float t) { return a + t * (b - a); }
HEDDLE_MATH float clamp(float v, float a, float b) { return fmaxf(a, fminf(v, b)); }
HEDDLE_MATH int clamp(int v, int a, int b) { return max(a, min(v, b)); }
HEDDLE_MATH unsigned int clamp(unsigned int v, unsigned int a, unsigned int b) { return max(a, min(v, b)); }
HEDDLE_MATH float fracf(float v) { return v - floorf(v); }
HEDDLE_MATH float smoothstep(float a, float b, float x) {
  float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}
HEDDLE_MATH float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
#undef HEDDLE_MATH
