// Random numbers.
#include <curand_kernel.h>
__global__ void k(curandState *s, float *out, curandStatePhilox4_32_10_t *p) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(1234, t, 0, &s[t]);
  curandState l = s[t];
  out[t] = curand_uniform(&l) + curand_normal(&l) + curand_poisson(&l, 3.0);
  s[t] = l;
  float4 v = curand_uniform4(&p[t]); out[t] += v.x;
}
__global__ void k2(curandState *s, float *out) {
  curandState l;
  curand_init(1234, threadIdx.x, 0, &l);
  out[curand(&l)] = 1 + threadIdx.x;
}
__global__ void k3(curandState *s, float *out) { out[threadIdx.x] = curand_uniform(s); }
