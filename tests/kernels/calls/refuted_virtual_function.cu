// A virtual function gives the place, and one of the classes gives all threads the same.
// launch: grid=2 block=64
struct Layout {
    __device__ virtual int place(int i) const = 0;
};

struct Rows : Layout {
    __device__ int place(int i) const override { return i; }
};

struct Broadcast : Layout {
    __device__ int place(int i) const override { return 0; }
};

__global__ void k(int *x, int which) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Rows rows;
    Broadcast broadcast;
    const Layout *layout = which ? (const Layout *)&rows : (const Layout *)&broadcast;
    x[layout->place(i)] = i; // ~ HD0101
}
