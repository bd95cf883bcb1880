// A work group has as many work items as the local array has elements.
// launch: grid=2 block=64 check-bounds
__kernel void k(__global int *out) {
  __local int s[64];
  s[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[63 - get_local_id(0)];
}
