// An atomic store of a half of what others exchange as a whole.
// launch: grid=1 block=64
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
__kernel void k(volatile __global ulong *whole) {
  if (get_local_id(0) == 3)
    atomic_xchg((volatile __global uint *)whole + 1, 7u);  // ~ HD0101
  else
    atom_xchg(whole, 9ul);
}
