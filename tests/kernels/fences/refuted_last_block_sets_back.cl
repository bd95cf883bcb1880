// The additions are relaxed: nothing puts them before the plain store of the last work group.
// launch: grid=4 block=1
kernel void k(volatile global uint *count) {
  if (atomic_inc(count) == get_num_groups(0) - 1)   // ~ HD0102
    *count = 0;
}
