// The mirrored index of the first work item is the size of the local array.
// launch: grid=2 block=64 check-bounds
__kernel void k(__global int *out) {
  __local int s[64];
  s[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[64 - get_local_id(0)]; // ~ HD0301
}
