// Random numbers on the device: a small generator of the same interface, whose numbers are nobody's.
#pragma once
#include "heddle/device.h"

struct curandStateXORWOW {
  unsigned int state;
};
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandStatePhilox4_32_10_t;

HEDDLE_DEVICE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                               curandState *s) {
  s->state = (unsigned int)(seed * 747796405u + sequence * 2891336453u + offset);
}
HEDDLE_DEVICE unsigned int curand(curandState *s) { return s->state = s->state * 1664525u + 1013904223u; }
HEDDLE_DEVICE float curand_uniform(curandState *s) { return (float)curand(s) * 2.3283064e-10f; }
HEDDLE_DEVICE double curand_uniform_double(curandState *s) { return (double)curand(s) * 2.3283064365386963e-10; }
HEDDLE_DEVICE float curand_normal(curandState *s) { return curand_uniform(s) - 0.5f; }
HEDDLE_DEVICE double curand_normal_double(curandState *s) { return curand_uniform_double(s) - 0.5; }
HEDDLE_DEVICE float2 curand_normal2(curandState *s) { return {curand_normal(s), curand_normal(s)}; }
