// Random numbers on the device: what the functions read and write, and numbers that nothing is known of.
//
// Each state has the size of the library's, and each number that is drawn is a read and a write of it. Numbers depend on
// the state alone; they go through a function of floats, which no proof looks into: that two of them differ is never
// taken for granted. Runs draw numbers of a small generator, not the library's.
#pragma once
#include "curand.h"
#include "heddle/device.h"

// Two words in, one out.
HEDDLE_DEVICE unsigned int heddle_random(unsigned int a, unsigned int b) {
  unsigned int mixed = (a ^ b * 747796405u) * 2891336453u + 1013904223u;
  float seen = cosf((float)(mixed ^ mixed >> 15));
  return __builtin_bit_cast(unsigned int, seen) * 2654435769u ^ mixed;
}

HEDDLE_DEVICE unsigned int heddle_mixed(unsigned long long a) {
  return heddle_random((unsigned int)a, (unsigned int)(a >> 32));
}

#define HEDDLE_RANDOM_STATE(name, size)                                                                                \
  struct __attribute__((aligned(8))) name {                                                                            \
    unsigned int words[size / 4];                                                                                      \
  };
HEDDLE_RANDOM_STATE(curandStateXORWOW, 48)
HEDDLE_RANDOM_STATE(curandStateMRG32k3a, 48)
HEDDLE_RANDOM_STATE(curandStateMtgp32, 8)
HEDDLE_RANDOM_STATE(curandStateSobol32, 136)
HEDDLE_RANDOM_STATE(curandStateScrambledSobol32, 136)
HEDDLE_RANDOM_STATE(curandStateSobol64, 528)
HEDDLE_RANDOM_STATE(curandStateScrambledSobol64, 528)
struct __attribute__((aligned(16))) curandStatePhilox4_32_10 {
  unsigned int words[16];
};
typedef curandStateXORWOW curandState, curandState_t, curandStateXORWOW_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStateMtgp32 curandStateMtgp32_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

// A state that is set up is written whole.
#define HEDDLE_RANDOM_INIT(State)                                                                                      \
  HEDDLE_DEVICE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,      \
                                 State *s) {                                                                           \
    *s = State{};                                                                                                      \
    s->words[0] = heddle_random(heddle_mixed(seed), heddle_mixed(offset));                                             \
    s->words[1] = heddle_mixed(sequence);                                                                              \
  }
HEDDLE_RANDOM_INIT(curandStateXORWOW)
HEDDLE_RANDOM_INIT(curandStateMRG32k3a)
HEDDLE_RANDOM_INIT(curandStatePhilox4_32_10)
#define HEDDLE_RANDOM_INIT_SOBOL(State, Word)                                                                          \
  HEDDLE_DEVICE void curand_init(const Word *directions, unsigned int offset, State *s) {                              \
    *s = State{};                                                                                                      \
    for (unsigned int n = 0; n < sizeof(Word) * 8; ++n)                                                                \
      s->words[0] = heddle_random(s->words[0] + heddle_mixed(directions[n]), offset);                                  \
  }                                                                                                                    \
  HEDDLE_DEVICE void curand_init(const Word *directions, Word scramble, unsigned int offset, State *s) {               \
    curand_init(directions, offset, s);                                                                                \
    s->words[1] = heddle_mixed(scramble);                                                                              \
  }
HEDDLE_RANDOM_INIT_SOBOL(curandStateSobol32, unsigned int)
HEDDLE_RANDOM_INIT_SOBOL(curandStateScrambledSobol32, unsigned int)
HEDDLE_RANDOM_INIT_SOBOL(curandStateSobol64, unsigned long long)
HEDDLE_RANDOM_INIT_SOBOL(curandStateScrambledSobol64, unsigned long long)

// One number from each state.
#define HEDDLE_RANDOM_DRAW(State, Word)                                                                                \
  HEDDLE_DEVICE Word curand(State *s) {                                                                                \
    s->words[0] = heddle_random(s->words[0] + 1, s->words[1]);                                                         \
    return (Word)s->words[0];                                                                                          \
  }                                                                                                                    \
  HEDDLE_DEVICE void skipahead(unsigned long long n, State *s) {                                                       \
    s->words[0] = heddle_random(s->words[0], heddle_mixed(n));                                                         \
  }
HEDDLE_RANDOM_DRAW(curandStateXORWOW, unsigned int)
HEDDLE_RANDOM_DRAW(curandStateMRG32k3a, unsigned int)
HEDDLE_RANDOM_DRAW(curandStatePhilox4_32_10, unsigned int)
HEDDLE_RANDOM_DRAW(curandStateSobol32, unsigned int)
HEDDLE_RANDOM_DRAW(curandStateScrambledSobol32, unsigned int)
HEDDLE_RANDOM_DRAW(curandStateSobol64, unsigned long long)
HEDDLE_RANDOM_DRAW(curandStateScrambledSobol64, unsigned long long)
template <class State> HEDDLE_DEVICE void skipahead_sequence(unsigned long long n, State *s) {
  s->words[1] = heddle_random(s->words[1], heddle_mixed(n));
}
template <class State> HEDDLE_DEVICE void skipahead_subsequence(unsigned long long n, State *s) {
  s->words[1] = heddle_random(s->words[1], heddle_mixed(n));
}
// The state of this generator is shared by a block, whose threads go on together: not modelled.
extern "C" __attribute__((device)) unsigned int heddle_random_of_block(curandStateMtgp32 *);
HEDDLE_DEVICE unsigned int curand(curandStateMtgp32 *s) { return heddle_random_of_block(s); }

// Distributions, as functions of what is drawn. How many numbers each one takes is not said: the state after it is that of
// no other.
template <class State> HEDDLE_DEVICE void heddle_drawn_as(State *s, unsigned int kind) {
  s->words[0] = heddle_random(s->words[0], kind);
}
template <class State> HEDDLE_DEVICE float curand_uniform(State *s) {
  return ((float)(curand(s) >> 8) + 1.0f) * 5.9604645e-8f;
}
template <class State> HEDDLE_DEVICE double curand_uniform_double(State *s) {
  heddle_drawn_as(s, 2);
  return ((double)(unsigned int)curand(s) + 1.0) * 2.3283064365386963e-10;
}
template <class State> HEDDLE_DEVICE float curand_normal(State *s) {
  heddle_drawn_as(s, 3);
  return normcdfinvf(curand_uniform(s) * 0.999f);
}
template <class State> HEDDLE_DEVICE double curand_normal_double(State *s) {
  heddle_drawn_as(s, 4);
  return normcdfinv(curand_uniform_double(s) * 0.999);
}
template <class State> HEDDLE_DEVICE float curand_log_normal(State *s, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(s));
}
template <class State> HEDDLE_DEVICE double curand_log_normal_double(State *s, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(s));
}
template <class State> HEDDLE_DEVICE unsigned int curand_poisson(State *s, double mean) {
  heddle_drawn_as(s, 5);
  return (unsigned int)(mean * curand_uniform_double(s) * 2.0);
}
template <class State> HEDDLE_DEVICE unsigned int curand_discrete(State *s, curandDiscreteDistribution_t) {
  heddle_drawn_as(s, 6);
  return (unsigned int)curand(s);
}
#define HEDDLE_RANDOM_SEVERAL(name, V2, V4, one)                                                                       \
  template <class State> HEDDLE_DEVICE V2 name##2(State *s) { return {one(s), one(s)}; }                               \
  template <class State> HEDDLE_DEVICE V4 name##4(State *s) { return {one(s), one(s), one(s), one(s)}; }
HEDDLE_RANDOM_SEVERAL(curand, uint2, uint4, curand)
HEDDLE_RANDOM_SEVERAL(curand_uniform, float2, float4, curand_uniform)
HEDDLE_RANDOM_SEVERAL(curand_normal, float2, float4, curand_normal)
template <class State> HEDDLE_DEVICE double2 curand_uniform2_double(State *s) {
  return {curand_uniform_double(s), curand_uniform_double(s)};
}
template <class State> HEDDLE_DEVICE double2 curand_normal2_double(State *s) {
  return {curand_normal_double(s), curand_normal_double(s)};
}
template <class State> HEDDLE_DEVICE float2 curand_log_normal2(State *s, float mean, float deviation) {
  return {curand_log_normal(s, mean, deviation), curand_log_normal(s, mean, deviation)};
}
template <class State> HEDDLE_DEVICE float4 curand_log_normal4(State *s, float mean, float deviation) {
  float2 a = curand_log_normal2(s, mean, deviation), b = curand_log_normal2(s, mean, deviation);
  return {a.x, a.y, b.x, b.y};
}
template <class State> HEDDLE_DEVICE uint4 curand_poisson4(State *s, double mean) {
  return {curand_poisson(s, mean), curand_poisson(s, mean), curand_poisson(s, mean), curand_poisson(s, mean)};
}
