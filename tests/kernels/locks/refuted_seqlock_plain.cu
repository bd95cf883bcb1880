// What a sequence lock guards is read by plain loads, which race by the memory model.
// launch: grid=2 block=1 passes=races
__global__ void k(int *data, volatile unsigned *seq, int *out, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      *seq = 2 * i + 1; __threadfence();
      data[0] = i; data[1] = i; // ~ HD0102
      __threadfence(); *seq = 2 * i + 2;
    }
  } else {
    unsigned s; int a, b;
    do { while ((s = *seq) & 1) {} __threadfence(); a = data[0]; b = data[1]; __threadfence(); } while (*seq != s);
    out[0] = a; out[1] = b;
  }
}
