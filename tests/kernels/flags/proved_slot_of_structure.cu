// A value and the flag that it is there are members of one element.
// launch: grid=any block=any passes=races
struct Slot {
  int value, ready;
};
__device__ Slot slots[65536];
__global__ void k(int *out, const int *in) {
  unsigned b = blockIdx.x;
  if (threadIdx.x == 0 && b < 65536) {
    int v = in[b];
    if (b > 0) {
      while (*(volatile int *)&slots[b - 1].ready == 0) {
      }
      __threadfence();
      v += slots[b - 1].value;
    }
    slots[b].value = v;
    __threadfence();
    *(volatile int *)&slots[b].ready = 1;
    out[b] = v;
  }
}
