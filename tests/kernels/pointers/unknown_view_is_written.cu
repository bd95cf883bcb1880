// The stride of a structure by value is set to zero through a view of it, so its members are not the launch's numbers.
// launch: grid=4 block=64
struct Row {
  float *data;
  int *strides;
  __device__ float &operator[](int column) const { return data[strides[0] * column]; }
};
struct Matrix {
  float *data;
  int strides[2];
  __device__ Row row(int row) { return {data + strides[0] * row, strides + 1}; }
};
__global__ void view_is_written(Matrix out) {
  Row first = out.row(0);
  first.strides[0] = 0;
  first[threadIdx.x] = threadIdx.x; // ~ HD0002
}
