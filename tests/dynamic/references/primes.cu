// Primes below 10,000: 1,229 (OEIS A006880), by a sieve in shared memory.
// run: grid=1 block=128 gives 4cd
__global__ void primes(unsigned *out) {
  __shared__ unsigned composite[313];
  int t = threadIdx.x;
  for (int i = t; i < 313; i += 128) composite[i] = i == 0 ? 3 : 0;
  __syncthreads();
  for (int d = t + 2; d <= 100; d += 128)
    for (int m = d * d; m < 10000; m += d) atomicOr(&composite[m / 32], 1u << m % 32);
  __syncthreads();
  int count = 0;
  for (int i = t; i < 10000; i += 128) count += !(composite[i / 32] >> i % 32 & 1);
  atomicAdd(out, count);
}
