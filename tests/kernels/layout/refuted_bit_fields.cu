// Two bit-fields share a storage unit, so that writing one rewrites the other.
// launch: grid=1 block=64
struct Flags { unsigned low : 8, high : 8; };
__global__ void k(Flags *out) {
  int t = threadIdx.x;
  if (t < 32)
    out[t].low = t;   // ~ HD0101
  else
    out[t - 32].high = t;
}
