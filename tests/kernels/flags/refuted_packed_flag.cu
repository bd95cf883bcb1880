// The flag may lie anywhere, and is stored byte by byte: two others make up the value waited for.
// launch: grid=4 block=1 passes=inter-block-race
struct __attribute__((packed)) Flag {
  int value;
};
__global__ void k(int *data, int *out, Flag *flag) {
  volatile Flag *it = flag;
  if (blockIdx.x == 0) {
    data[0] = 1; // ~ HD0102
    __threadfence();
    it->value = 0x0101; // ~ HD0102 HD0102 HD0102
  }
  if (blockIdx.x == 1)
    it->value = 0x0001; // ~ HD0102 HD0102
  if (blockIdx.x == 2)
    it->value = 0x0100; // ~ HD0102
  if (blockIdx.x == 3 && it->value == 0x0101) {
    __threadfence();
    out[0] = data[0];
  }
}
