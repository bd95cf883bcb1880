// A template for each size, of which `main` chooses one: the other is launched as its function would.
// launch: as-launched
template <int Width>
__global__ void fill(float *x, int rows, int pitch) {
    for (int row = 0; row < rows; row++)
        x[row * pitch + threadIdx.x] = 1.0f + threadIdx.x;
}

template <typename T>
void launch(T *x, int width, int rows) {
    if (width == 16)
        fill<16><<<1, width>>>(x, rows, width);
    else if (width == 32)
        fill<32><<<1, width>>>(x, rows, width);
}

int main() {
    float *x;
    cudaMalloc(&x, 64 * sizeof(float));
    launch(x, 16, 4);
    return 0;
}
