// OpenCL's atomic_inc hands out distinct slots of a global array.
// launch: grid=64 block=64
__kernel void k(__global const int *in, __global int *out, volatile __global int *next) {
  size_t g = get_global_id(0);
  if (in[g] != 0)
    out[atomic_inc(next)] = in[g];
}
