// Functions of a table change the structure of the caller, whose place is then that of the thread.
// launch: grid=1 block=64
struct Place {
    int at[4];
};
using Change = void (*)(Place *, int *, int);

__device__ void first(Place *place, int *y, int i) {
    place->at[0] = i;
    y[i] = place->at[0];
}
__device__ void second(Place *place, int *y, int i) {
    place->at[0] = i + 1;
    y[i] = place->at[0];
}

__device__ Change changes[2] = {first, second};

__global__ void k(int *x, int *y, int which) {
    Place place = {};
    changes[which & 1](&place, y, threadIdx.x);
    x[place.at[0]] = threadIdx.x;
}
