// A member of a structure and a pointer argument lead to two halves of one buffer.
// launch: as-launched
struct Rows {
  int *at;
  int n;
};
__global__ void k(Rows rows, int *out) {
  int t = threadIdx.x;
  rows.at[t] = t;
  out[63 - t] = 1;
}
void run(int *buffer) {
  Rows rows{buffer, 64};
  k<<<1, 64>>>(rows, buffer + 64);
}
