// Each class has two virtual functions of one type, and the one that is called gives every thread its own place.
// launch: grid=2 block=64
struct Layout {
    int from;
    __device__ Layout(int from) : from(from) {}
    __device__ virtual int place(int i) const { return i; }
    __device__ virtual int pair(int i) const { return i / 2; }
};

struct Shifted : Layout {
    __device__ Shifted(int from) : Layout(from) {}
    __device__ int place(int i) const override { return i + from; }
};

__global__ void k(int *x, int which) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Shifted shifted(1);
    Layout plain(0);
    const Layout *layout = which ? (const Layout *)&shifted : &plain;
    x[layout->place(i)] = i;
}
