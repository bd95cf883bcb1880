// One step of a bitonic sort in global memory is free of races for a stride that is a power of two.
// launch: grid=any block=256 stride=64 assume="gridDim.x <= 65535"
__global__ void k(int *data, int stride, int size) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int other = i ^ stride;
  if (other > i) {
    int a = data[i], b = data[other];
    if ((a > b) == ((i & size) == 0)) {
      data[i] = b;
      data[other] = a;
    }
  }
}
