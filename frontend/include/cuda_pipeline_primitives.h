// Asynchronous copies of one thread in C: `cp.async`, groups of copies, and waiting for them.
#pragma once
#include "heddle/async.h"

// The last `zeros` of the bytes are not read, and zero.
HEDDLE_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0) {
  unsigned int read = (unsigned int)(size - zeros);
  if (size == 16)
    zeros == 0 ? heddle_async::copy16(to, from) : heddle_async::copy16(to, from, read);
  else if (size == 8)
    zeros == 0 ? heddle_async::copy8(to, from) : heddle_async::copy8(to, from, read);
  else if (size == 4)
    zeros == 0 ? heddle_async::copy4(to, from) : heddle_async::copy4(to, from, read);
  else
    heddle_copy_of_unknown_size(to, from, size);
}
HEDDLE_DEVICE void __pipeline_commit() { heddle_async::commit(); }
HEDDLE_DEVICE void __pipeline_wait_prior(size_t prior) { heddle_async::wait_prior((unsigned int)prior); }
HEDDLE_DEVICE void __pipeline_arrive_on(unsigned long long *b) { heddle_async::copies_arrive(b); }
