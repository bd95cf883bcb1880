// The last member of a structure is used as an array of more elements than it says: nothing is taken for granted of it.
// launch: grid=1 block=any
struct Rows {
  int count;
  int element[2];
};
__global__ void rows(int *out, const int *at) {
  __shared__ Rows r[64];
  r[0].element[threadIdx.x & 62] = threadIdx.x;  // ~ HD0101
  out[threadIdx.x] = 1;
}
