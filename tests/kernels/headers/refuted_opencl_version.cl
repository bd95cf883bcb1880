// A program that asks for the version of OpenCL is read as any compiler of OpenCL reads it.
// launch: grid=any block=64
#ifdef __OPENCL_VERSION__
typedef ulong word;
#else
typedef unsigned long long word;
#endif
#if __OPENCL_VERSION__ >= 120
#define LANES 32
#else
#define LANES 64
#endif
__kernel void k(__global word *p) {
  p[get_group_id(0) * 64 + get_local_id(0) % LANES] = as_ulong((uchar8)(get_local_id(0))); // ~ HD0101
}
