// A search breaks out of two loops and marks an element in the thread's own row.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out, int n) {
  int t = threadIdx.x, at = 0;
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j < n; j++)
      if (in[j] == t)
        goto done;
    at++;
  }
done:
  out[t * 9 + at] = 1;
}
