// The data may lie anywhere; the flag is a word.
// launch: grid=4 block=1 passes=inter-block-race
struct __attribute__((packed)) Data {
  int value;
};
__global__ void k(Data *data, int *out, volatile int *flag) {
  if (blockIdx.x == 0) {
    data->value = 1;
    __threadfence();
    *flag = 0x0101;
  }
  if (blockIdx.x == 1)
    *flag = 0x0001;
  if (blockIdx.x == 2)
    *flag = 0x0100;
  if (blockIdx.x == 3 && *flag == 0x0101) {
    __threadfence();
    out[0] = data->value;
  }
}
