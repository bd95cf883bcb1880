// Bits of the id that are moved around name a place of its own.
// launch: grid=1 block=256
#pragma OPENCL EXTENSION cl_amd_media_ops : enable
#pragma OPENCL EXTENSION cl_amd_media_ops2 : enable
__kernel void k(__global uint *p, __global uint *q, __global uint *r) {
  uint i = get_local_id(0);
  p[amd_bitalign(i, i, 8u) >> 24] = i;
  q[amd_bytealign(0u, i << 8, 1u)] = i;
  r[amd_bfe(i << 4, 4u, 8u) + amd_bfm(3u, 2u)] = i;
}
