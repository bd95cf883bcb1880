// Two threads store to one element of a box, through views of it.
// launch: grid=4 block=64
struct Row {
  float *data;
  const int *strides;
  __device__ float &operator[](int n) const { return data[strides[0] * n]; }
};

struct Plane {
  float *data;
  const int *strides;
  __device__ Row operator[](int n) const { return Row{data + strides[0] * n, strides + 1}; }
};

struct Box {
  float *data;
  int strides[3];
  __device__ Plane operator[](int n) const { return Plane{data + strides[0] * n, strides + 1}; }
};

__global__ void fill(Box box, int y, int z) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (box.strides[0] > 0)
    box[x / 2][y][z] = x; // ~ HD0101
}
