// A function that calls what a table leads to, which may be the function itself: how deep is not known.
// launch: grid=1 block=32
using Visit = int (*)(const int *, int);

__device__ int leaf(const int *tree, int at) { return tree[at]; }
__device__ int pair(const int *tree, int at);

__device__ Visit visits[2] = {leaf, pair};

__device__ int pair(const int *tree, int at) {
    return visits[tree[at] & 1](tree, tree[at + 1]);
}

__global__ void k(int *x, const int *tree) { x[threadIdx.x] = visits[tree[0] & 1](tree, 1); } // ~ HD0001
