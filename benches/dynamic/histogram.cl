// Each work group counts values in local memory and adds its counts to those of all.
__kernel void histogram(__global const int *in, __global int *out, int n) {
  __local int bins[256];
  int t = get_local_id(0), size = get_global_size(0);
  bins[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += size)
    atomic_inc(&bins[in[i] & 255]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&out[t], bins[t]);
}
