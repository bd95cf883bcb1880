// Objects of the host's, or of a launch before, whose virtual functions only read.
// launch: grid=any block=any
struct Shape {
    __device__ virtual float area(float by) const = 0;
};

struct Square : Shape {
    float side;
    __device__ float area(float by) const override { return side * side * by; }
};

struct Ring : Shape {
    float outer, inner;
    __device__ float area(float by) const override { return 3.0f * by * (outer * outer - inner * inner); }
};

__global__ void make(Shape **shapes, int n) {
    if (blockIdx.x == 0 && threadIdx.x == 0)
        for (int i = 0; i < n; i++)
            shapes[i] = i % 2 ? (Shape *)new Square : (Shape *)new Ring;
}

__global__ void k(float *x, Shape **shapes, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = shapes[i]->area(2.0f);
}
