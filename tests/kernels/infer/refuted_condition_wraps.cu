// A condition holds for numbers only whose product in the condition wraps around, and for those there is a race.
// launch: grid=1 block=64 assume="s > t && t == s * s"
__global__ void k(int *out, int s, int t) {
  out[threadIdx.x * t] = threadIdx.x; // ~ HD0101
}
