// Only a remainder by zero would be more than zero for a divisor below two.
// launch: grid=1 block=64
kernel void k(global int *a, uint n) {
  uint rest = 7u % n;
  if (n < 2u && rest > 0u) a[0] = get_local_id(0); // ~ HD0002
}
