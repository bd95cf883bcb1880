// A number that is squared in each round, and decides how many there are.
// launch: grid=1 block=8
__global__ void k(int *x) {
    long long reach = threadIdx.x;
    for (int i = 0; reach > 1 && reach < 1000000; i++) {
        x[8 * i + threadIdx.x] = (int)reach;
        reach = reach * reach;
    }
}
