// Two bytes of a structure are memory locations of their own.
// launch: grid=1 block=64
struct Flags { unsigned char low, high; };
__global__ void k(Flags *out) {
  int t = threadIdx.x;
  if (t < 32)
    out[t].low = t;
  else
    out[t - 32].high = t;
}
