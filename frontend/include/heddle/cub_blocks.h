// The collectives of CUB by which the threads of a block or a warp exchange, compare and sort their items.
//
// Each does what CUB 1 to 3 do, as far as others can see it: items go through the lent memory, with the barriers of the
// block or the warp that CUB has there, and come out where its documentation says. Whoever lends the memory again needs
// a barrier between the uses: where a thread both puts its items and takes them at places of its own, other uses have
// these places at its neighbours. Sorts compare each item with each other one instead of sorting by digits, and take their
// places by atomic stores, since two items never have one place.
// Not here: blocks of which a warp is not full, where items are striped by warps; exchanges of a block by turns.
#pragma once

extern "C" __attribute__((device)) void heddle_block_through_memory(const void *lent, void *items, const void *global);

namespace cub {
#define HEDDLE_CUB_LENT(Name)                                                                                          \
  typedef typename Name::heddle_lent heddle_base;                                                                      \
  using heddle_base::heddle_base;                                                                                      \
  HEDDLE_MEMBER Name() : heddle_base(heddle_own<Name, typename heddle_base::TempStorage>()) {}                         \
  using heddle_base::lent;
// The place of a thread in the block is that of the template's dimensions.
#define HEDDLE_CUB_RANK                                                                                                \
  HEDDLE_MEMBER static unsigned int rank() { return RowMajorTid(_X, _Y, _Z); }
#define HEDDLE_CUB_EACH _Pragma("unroll") for (int n = 0; n < _N; ++n)

// A thread's items more for each warp, so that blocked items have other places when they come than when they go.
template <class _T, int _N, int Threads> using heddle_exchanged = heddle_slots<_T, (Threads + (Threads + 31) / 32) * _N>;
template <class _T, int _X, int _N, bool ByTurns = false, int _Y = 1, int _Z = 1, int = 0>
struct BlockExchange : heddle_lent<heddle_exchanged<_T, _N, _X * _Y * _Z>> {
  static constexpr int threads = _X * _Y * _Z;
  HEDDLE_CUB_LENT(BlockExchange)
  HEDDLE_MEMBER unsigned int rank() {
    if constexpr (ByTurns)
      heddle_block_through_memory(lent, nullptr, nullptr);
    return RowMajorTid(_X, _Y, _Z);
  }
  template <class _O> HEDDLE_MEMBER void StripedToBlocked(const _T (&items)[_N], _O (&out)[_N]) {
    HEDDLE_CUB_EACH lent->at(rank() + n * threads) = items[n];
    __syncthreads();
    HEDDLE_CUB_EACH out[n] = lent->at(rank() * _N + n);
  }
  template <class _O> HEDDLE_MEMBER void BlockedToStriped(const _T (&items)[_N], _O (&out)[_N]) {
    HEDDLE_CUB_EACH lent->at((rank() + 1) * _N + n) = items[n];
    __syncthreads();
    HEDDLE_CUB_EACH out[n] = lent->at(_N + rank() + n * threads);
  }
  template <class _O> HEDDLE_MEMBER void WarpStripedToBlocked(const _T (&items)[_N], _O (&out)[_N]) {
    const unsigned int first = of_warp(items), lane = rank() % 32;
    HEDDLE_CUB_EACH lent->at(first + lane + n * 32) = items[n];
    __syncwarp();
    HEDDLE_CUB_EACH out[n] = lent->at(first + lane * _N + n);
  }
  template <class _O> HEDDLE_MEMBER void BlockedToWarpStriped(const _T (&items)[_N], _O (&out)[_N]) {
    const unsigned int first = of_warp(items), lane = rank() % 32;
    HEDDLE_CUB_EACH lent->at(first + (lane + 1) * _N + n) = items[n];
    __syncwarp();
    HEDDLE_CUB_EACH out[n] = lent->at(first + _N + lane + n * 32);
  }
  // To places that the caller says, each of which one item has.
  template <class _O, class _R>
  HEDDLE_MEMBER void ScatterToBlocked(const _T (&items)[_N], _O (&out)[_N], _R (&ranks)[_N]) {
    HEDDLE_CUB_EACH lent->at(ranks[n]) = items[n];
    __syncthreads();
    HEDDLE_CUB_EACH out[n] = lent->at(rank() * _N + n);
  }
  template <class _O, class _R>
  HEDDLE_MEMBER void ScatterToStriped(const _T (&items)[_N], _O (&out)[_N], _R (&ranks)[_N]) {
    HEDDLE_CUB_EACH lent->at(ranks[n]) = items[n];
    __syncthreads();
    HEDDLE_CUB_EACH out[n] = lent->at(rank() + n * threads);
  }
  template <class _O, class _R>
  HEDDLE_MEMBER void ScatterToStripedGuarded(const _T (&items)[_N], _O (&out)[_N], _R (&ranks)[_N]) {
    HEDDLE_CUB_EACH if (ranks[n] >= 0) lent->at(ranks[n]) = items[n];
    __syncthreads();
    HEDDLE_CUB_EACH out[n] = lent->at(rank() + n * threads);
  }
  template <class _O, class _R, class _F>
  HEDDLE_MEMBER void ScatterToStripedFlagged(const _T (&items)[_N], _O (&out)[_N], _R (&ranks)[_N], _F (&flags)[_N]) {
    HEDDLE_CUB_EACH if (flags[n]) lent->at(ranks[n]) = items[n];
    __syncthreads();
    HEDDLE_CUB_EACH out[n] = lent->at(rank() + n * threads);
  }
#define HEDDLE_CUB_IN_PLACE(Name)                                                                                      \
  HEDDLE_MEMBER void Name(_T(&items)[_N]) { Name(items, items); }
  HEDDLE_CUB_IN_PLACE(StripedToBlocked)
  HEDDLE_CUB_IN_PLACE(BlockedToStriped)
  HEDDLE_CUB_IN_PLACE(WarpStripedToBlocked)
  HEDDLE_CUB_IN_PLACE(BlockedToWarpStriped)
  template <class _R> HEDDLE_MEMBER void ScatterToBlocked(_T (&items)[_N], _R (&ranks)[_N]) {
    ScatterToBlocked(items, items, ranks);
  }
  template <class _R> HEDDLE_MEMBER void ScatterToStriped(_T (&items)[_N], _R (&ranks)[_N]) {
    ScatterToStriped(items, items, ranks);
  }

private:
  HEDDLE_MEMBER unsigned int of_warp(const _T (&items)[_N]) {
    if constexpr (threads % 32 != 0)
      heddle_block_through_memory(lent, (void *)items, nullptr);
    return rank() / 32 * 33 * _N;
  }
};
// Exchanges by shuffles alone are not followed.
enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };
template <class _T, int _N, int Width = 32, WarpExchangeAlgorithm How = WARP_EXCHANGE_SMEM>
struct WarpExchange : heddle_lent<heddle_exchanged<_T, _N, Width>> {
  HEDDLE_CUB_LENT(WarpExchange)
  template <class _O> HEDDLE_MEMBER void StripedToBlocked(const _T (&items)[_N], _O (&out)[_N]) {
    HEDDLE_CUB_EACH lent->at(lane() + n * Width) = items[n];
    __syncwarp(heddle_lanes<_T, Width>::mask());
    HEDDLE_CUB_EACH out[n] = lent->at(lane() * _N + n);
  }
  template <class _O> HEDDLE_MEMBER void BlockedToStriped(const _T (&items)[_N], _O (&out)[_N]) {
    HEDDLE_CUB_EACH lent->at((lane() + 1) * _N + n) = items[n];
    __syncwarp(heddle_lanes<_T, Width>::mask());
    HEDDLE_CUB_EACH out[n] = lent->at(_N + lane() + n * Width);
  }
  template <class _O, class _R>
  HEDDLE_MEMBER void ScatterToStriped(const _T (&items)[_N], _O (&out)[_N], _R (&ranks)[_N]) {
    HEDDLE_CUB_EACH lent->at(ranks[n]) = items[n];
    __syncwarp(heddle_lanes<_T, Width>::mask());
    HEDDLE_CUB_EACH out[n] = lent->at(lane() + n * Width);
  }
  HEDDLE_CUB_IN_PLACE(StripedToBlocked)
  HEDDLE_CUB_IN_PLACE(BlockedToStriped)
#undef HEDDLE_CUB_IN_PLACE
  template <class _R> HEDDLE_MEMBER void ScatterToStriped(_T (&items)[_N], _R (&ranks)[_N]) {
    ScatterToStriped(items, items, ranks);
  }

private:
  HEDDLE_MEMBER unsigned int lane() {
    if constexpr (How == WARP_EXCHANGE_SHUFFLE)
      heddle_block_through_memory(lent, nullptr, nullptr);
    return heddle_lanes<_T, Width>::lane();
  }
};

// How the threads of a block share out what they load and store.
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };
// The place in the tile of item `n` of a thread, by the number of the way among those of loads, or of stores.
template <int Threads, int _N> struct heddle_tile {
  HEDDLE_MEMBER static unsigned int place(int how, unsigned int rank, int n) {
    const bool is_blocked = how == BLOCK_LOAD_DIRECT || how == BLOCK_LOAD_VECTORIZE;
    const bool is_striped = how == BLOCK_LOAD_STRIPED || how == BLOCK_LOAD_TRANSPOSE;
    return is_blocked ? rank * _N + n : is_striped ? rank + n * Threads : rank / 32 * 32 * _N + rank % 32 + n * 32;
  }
};
// How a tile goes through memory between the order in which it is loaded and stored and that of the threads, by the
// number of the way among those of loads, or of stores.
template <class _T, int _X, int _N, int How, int _Y, int _Z> struct heddle_transposed {
  static constexpr int threads = _X * _Y * _Z;
  static constexpr bool is_direct = How <= BLOCK_LOAD_VECTORIZE;
  static constexpr bool is_by_turns = How == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED;
  typedef BlockExchange<_T, _X, _N, false, _Y, _Z> of_block;
  typedef WarpExchange<_T, _N> of_warp;
  // Warps that take turns have the memory of one.
  typedef ::std::conditional_t<
      is_direct, heddle_slots<_T, 1>,
      ::std::conditional_t<is_by_turns, typename of_warp::TempStorage, typename of_block::TempStorage>>
      Memory;
  template <bool ToThreads> HEDDLE_MEMBER static void go(Memory &memory, _T (&items)[_N]) {
    if constexpr (is_by_turns) {
      if constexpr (threads % 32 != 0)
        heddle_block_through_memory(&memory, items, nullptr);
      const int warp = RowMajorTid(_X, _Y, _Z) / 32;
      _Pragma("unroll") for (int turn = 0; turn < threads / 32; ++turn) {
        // None comes after the last one.
        if (turn > 0)
          __syncthreads();
        if (warp == turn) {
          if constexpr (ToThreads)
            of_warp(memory).StripedToBlocked(items);
          else
            of_warp(memory).BlockedToStriped(items);
        }
      }
    } else if constexpr (How == BLOCK_LOAD_TRANSPOSE) {
      if constexpr (ToThreads)
        of_block(memory).StripedToBlocked(items);
      else
        of_block(memory).BlockedToStriped(items);
    } else if constexpr (!is_direct) {
      if constexpr (ToThreads)
        of_block(memory).WarpStripedToBlocked(items);
      else
        of_block(memory).BlockedToWarpStriped(items);
    }
  }
};
template <class _T, int _X, int _N, BlockLoadAlgorithm How = BLOCK_LOAD_DIRECT, int _Y = 1, int _Z = 1, int = 0>
class BlockLoad {
  typedef heddle_tile<_X * _Y * _Z, _N> tile;
  typedef heddle_transposed<_T, _X, _N, How, _Y, _Z> transposed;

public:
  typedef typename transposed::Memory TempStorage;
  HEDDLE_MEMBER BlockLoad() : lent(&heddle_own<BlockLoad, TempStorage>()) {}
  HEDDLE_MEMBER explicit BlockLoad(TempStorage &memory) : lent(&memory) {}
  template <class _I> HEDDLE_MEMBER void Load(_I from, _T (&items)[_N]) {
    HEDDLE_CUB_EACH items[n] = from[tile::place(How, rank(), n)];
    transposed::template go<true>(*lent, items);
  }
  template <class _I> HEDDLE_MEMBER void Load(_I from, _T (&items)[_N], int count) {
    HEDDLE_CUB_EACH if ((int)tile::place(How, rank(), n) < count) items[n] = from[tile::place(How, rank(), n)];
    transposed::template go<true>(*lent, items);
  }
  template <class _I, class _D> HEDDLE_MEMBER void Load(_I from, _T (&items)[_N], int count, _D beyond) {
    HEDDLE_CUB_EACH items[n] = beyond;
    Load(from, items, count);
  }

private:
  HEDDLE_CUB_RANK
  TempStorage *lent;
};
template <class _T, int _X, int _N, BlockStoreAlgorithm How = BLOCK_STORE_DIRECT, int _Y = 1, int _Z = 1, int = 0>
class BlockStore {
  typedef heddle_tile<_X * _Y * _Z, _N> tile;
  typedef heddle_transposed<_T, _X, _N, How, _Y, _Z> transposed;

public:
  struct TempStorage {
    typename transposed::Memory items;
    int count;
  };
  HEDDLE_MEMBER BlockStore() : lent(&heddle_own<BlockStore, TempStorage>()) {}
  HEDDLE_MEMBER explicit BlockStore(TempStorage &memory) : lent(&memory) {}
  template <class _I> HEDDLE_MEMBER void Store(_I to, _T (&items)[_N]) {
    transposed::template go<false>(lent->items, items);
    HEDDLE_CUB_EACH to[tile::place(How, rank(), n)] = items[n];
  }
  template <class _I> HEDDLE_MEMBER void Store(_I to, _T (&items)[_N], int count) {
    transposed::template go<false>(lent->items, items);
    if constexpr (!transposed::is_direct) {
      // What the first thread is given counts for all.
      if (rank() == 0)
        lent->count = count;
      __syncthreads();
      count = lent->count;
    }
    HEDDLE_CUB_EACH if ((int)tile::place(How, rank(), n) < count) to[tile::place(How, rank(), n)] = items[n];
  }

private:
  HEDDLE_CUB_RANK
  TempStorage *lent;
};
#define HEDDLE_CUB_WARP_PLACE(how)                                                                                     \
  HEDDLE_MEMBER static unsigned int place(int n) {                                                                     \
    const unsigned int lane = heddle_lanes<_T, Width>::lane();                                                         \
    return how == WARP_LOAD_DIRECT || how == WARP_LOAD_VECTORIZE ? lane * _N + n : lane + n * Width;                   \
  }
template <class _T, int _N, WarpLoadAlgorithm How = WARP_LOAD_DIRECT, int Width = 32, int = 0>
struct WarpLoad : heddle_lent<heddle_exchanged<_T, _N, Width>> {
  HEDDLE_CUB_LENT(WarpLoad)
  template <class _I> HEDDLE_MEMBER void Load(_I from, _T (&items)[_N]) {
    HEDDLE_CUB_EACH items[n] = from[place(n)];
    if constexpr (How == WARP_LOAD_TRANSPOSE)
      WarpExchange<_T, _N, Width>(*lent).StripedToBlocked(items);
  }
  template <class _I> HEDDLE_MEMBER void Load(_I from, _T (&items)[_N], int count) {
    HEDDLE_CUB_EACH if ((int)place(n) < count) items[n] = from[place(n)];
    if constexpr (How == WARP_LOAD_TRANSPOSE)
      WarpExchange<_T, _N, Width>(*lent).StripedToBlocked(items);
  }
  template <class _I, class _D> HEDDLE_MEMBER void Load(_I from, _T (&items)[_N], int count, _D beyond) {
    HEDDLE_CUB_EACH items[n] = beyond;
    Load(from, items, count);
  }

private:
  HEDDLE_CUB_WARP_PLACE((int)How)
};
template <class _T, int _N, WarpStoreAlgorithm How = WARP_STORE_DIRECT, int Width = 32, int = 0>
struct WarpStore : heddle_lent<heddle_exchanged<_T, _N, Width>> {
  HEDDLE_CUB_LENT(WarpStore)
  template <class _I> HEDDLE_MEMBER void Store(_I to, _T (&items)[_N]) {
    if constexpr (How == WARP_STORE_TRANSPOSE)
      WarpExchange<_T, _N, Width>(*lent).BlockedToStriped(items);
    HEDDLE_CUB_EACH to[place(n)] = items[n];
  }
  template <class _I> HEDDLE_MEMBER void Store(_I to, _T (&items)[_N], int count) {
    if constexpr (How == WARP_STORE_TRANSPOSE)
      WarpExchange<_T, _N, Width>(*lent).BlockedToStriped(items);
    HEDDLE_CUB_EACH if ((int)place(n) < count) to[place(n)] = items[n];
  }

private:
  HEDDLE_CUB_WARP_PLACE((int)How)
};
#undef HEDDLE_CUB_WARP_PLACE

// Items that lie in memory, and the order in which they come. Those of a thread lie at a neighbour's places.
struct NullType {};
template <class _K, class _V, int Count, int _N> struct heddle_sorted {
  heddle_slots<_K, Count + _N> keys;
  heddle_slots<_V, Count + _N> values;
  unsigned int order[Count];
};
template <class _K, int Count, int _N> struct heddle_sorted<_K, NullType, Count, _N> {
  heddle_slots<_K, Count + _N> keys;
  unsigned int order[Count];
};
// A stable sort by `Less`, of the items of `Threads` threads, which meet at `Meet`.
template <class _K, class _V, int Threads, int _N, class Meet> struct heddle_sort {
  static constexpr int count = Threads * _N;
  static constexpr bool has_values = !__is_same(_V, NullType);
  typedef heddle_sorted<_K, _V, count, _N> Storage;
  // An order that is none leads no item out of the memory.
  HEDDLE_MEMBER static unsigned int within(unsigned int place) { return place < count ? place : 0; }
  template <class Less>
  HEDDLE_MEMBER static void run(Storage &lent, unsigned int rank, _K (&keys)[_N], _V *values, bool striped, Less less) {
    HEDDLE_CUB_EACH lent.keys.at((rank + 1) * _N + n) = keys[n];
    if constexpr (has_values) {
      HEDDLE_CUB_EACH lent.values.at((rank + 1) * _N + n) = values[n];
    }
    Meet::meet();
    HEDDLE_CUB_EACH {
      const unsigned int own = rank * _N + n;
      unsigned int before = 0;
      for (unsigned int other = 0; other < count; ++other)
        before += less(lent.keys.at(_N + other), keys[n]) || (other < own && !less(keys[n], lent.keys.at(_N + other)));
      __atomic_store_n(&lent.order[within(before)], own, __ATOMIC_RELAXED);
    }
    Meet::meet();
    HEDDLE_CUB_EACH {
      const unsigned int from = within(lent.order[striped ? rank + n * Threads : rank * _N + n]);
      keys[n] = lent.keys.at(_N + from);
      if constexpr (has_values)
        values[n] = lent.values.at(_N + from);
    }
  }
};
struct heddle_block_meets {
  HEDDLE_MEMBER static void meet() { __syncthreads(); }
};
template <int Width> struct heddle_warp_meets {
  HEDDLE_MEMBER static void meet() { __syncwarp(heddle_lanes<int, Width>::mask()); }
};
// Some digits of keys, as bits that are compared without a sign. Both zeros of a floating-point type are one key.
template <class _K, bool Descending> struct heddle_digits {
  typedef typename Traits<_K>::UnsignedBits Bits;
  int first, last;
  HEDDLE_MEMBER Bits of(const _K &key) const {
    Bits bits;
    __builtin_memcpy(&bits, &key, sizeof(bits));
    if (Traits<_K>::is_float && bits == Traits<_K>::HIGH_BIT)
      bits = 0;
    bits = Bits(Traits<_K>::TwiddleIn(bits) >> first);
    const int width = last - first;
    return width < (int)sizeof(Bits) * 8 ? Bits(bits & ((Bits(1) << width) - 1)) : bits;
  }
  HEDDLE_MEMBER bool operator()(const _K &a, const _K &b) const { return Descending ? of(b) < of(a) : of(a) < of(b); }
};
template <class _K, int _X, int _N, class _V = NullType, int = 4, bool = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS,
          int = 0, int _Y = 1, int _Z = 1, int = 0>
struct BlockRadixSort : heddle_lent<heddle_sorted<_K, _V, _X * _Y * _Z * _N, _N>> {
  typedef heddle_sort<_K, _V, _X * _Y * _Z, _N, heddle_block_meets> sort;
  HEDDLE_CUB_LENT(BlockRadixSort)
  HEDDLE_CUB_RANK
#define HEDDLE_CUB_SORT(Name, Descending, Striped)                                                                     \
  HEDDLE_MEMBER void Name(_K(&keys)[_N], int first = 0, int last = sizeof(_K) * 8) {                                   \
    static_assert(!sort::has_values, "the values are missing");                                                        \
    sort::run(*lent, rank(), keys, nullptr, Striped, heddle_digits<_K, Descending>{first, last});                      \
  }                                                                                                                    \
  HEDDLE_MEMBER void Name(_K(&keys)[_N], _V(&values)[_N], int first = 0, int last = sizeof(_K) * 8) {                  \
    sort::run(*lent, rank(), keys, values, Striped, heddle_digits<_K, Descending>{first, last});                       \
  }
  HEDDLE_CUB_SORT(Sort, false, false)
  HEDDLE_CUB_SORT(SortDescending, true, false)
  HEDDLE_CUB_SORT(SortBlockedToStriped, false, true)
  HEDDLE_CUB_SORT(SortDescendingBlockedToStriped, true, true)
#undef HEDDLE_CUB_SORT
};
#define HEDDLE_CUB_MERGE_SORT(Name)                                                                                    \
  template <class Less> HEDDLE_MEMBER void Name(_K(&keys)[_N], Less less) {                                            \
    sort::run(*lent, own(), keys, nullptr, false, less);                                                               \
  }                                                                                                                    \
  template <class Less> HEDDLE_MEMBER void Name(_K(&keys)[_N], _V(&values)[_N], Less less) {                           \
    sort::run(*lent, own(), keys, values, false, less);                                                                \
  }                                                                                                                    \
  template <class Less> HEDDLE_MEMBER void Name(_K(&keys)[_N], Less less, int count, _K beyond) {                      \
    HEDDLE_CUB_EACH if ((int)(own() * _N) + n >= count) keys[n] = beyond;                                              \
    Name(keys, less);                                                                                                  \
  }                                                                                                                    \
  template <class Less>                                                                                                \
  HEDDLE_MEMBER void Name(_K(&keys)[_N], _V(&values)[_N], Less less, int count, _K beyond) {                           \
    HEDDLE_CUB_EACH if ((int)(own() * _N) + n >= count) keys[n] = beyond;                                              \
    Name(keys, values, less);                                                                                          \
  }
template <class _K, int _X, int _N, class _V = NullType, int _Y = 1, int _Z = 1>
struct BlockMergeSort : heddle_lent<heddle_sorted<_K, _V, _X * _Y * _Z * _N, _N>> {
  typedef heddle_sort<_K, _V, _X * _Y * _Z, _N, heddle_block_meets> sort;
  HEDDLE_CUB_LENT(BlockMergeSort)
  HEDDLE_CUB_RANK
  HEDDLE_CUB_MERGE_SORT(Sort)
  HEDDLE_CUB_MERGE_SORT(StableSort)

private:
  HEDDLE_MEMBER static unsigned int own() { return rank(); }
};
template <class _K, int _N, int Width = 32, class _V = NullType, int = 0>
struct WarpMergeSort : heddle_lent<heddle_sorted<_K, _V, Width * _N, _N>> {
  typedef heddle_sort<_K, _V, Width, _N, heddle_warp_meets<Width>> sort;
  HEDDLE_CUB_LENT(WarpMergeSort)
  HEDDLE_CUB_MERGE_SORT(Sort)
  HEDDLE_CUB_MERGE_SORT(StableSort)

private:
  HEDDLE_MEMBER static unsigned int own() { return heddle_lanes<int, Width>::lane(); }
};
#undef HEDDLE_CUB_MERGE_SORT

// An operation on two items that are neighbours, and on the place of the second where it takes one.
template <class Op, class _T>
HEDDLE_MEMBER auto heddle_between(Op &op, const _T &a, const _T &b, int at, int) -> decltype(op(a, b, at)) {
  return op(a, b, at);
}
template <class Op, class _T> HEDDLE_MEMBER auto heddle_between(Op &op, const _T &a, const _T &b, int, long) {
  return op(a, b);
}
// The items at the ends of each thread's part of a tile, as its neighbours see them.
template <class _T, int Threads> struct heddle_ends {
  heddle_slots<_T, Threads> first, last;
};
template <class _T, int _X, int _Y = 1, int _Z = 1, int = 0>
struct BlockDiscontinuity : heddle_lent<heddle_ends<_T, _X * _Y * _Z>> {
  static constexpr int threads = _X * _Y * _Z;
  HEDDLE_CUB_LENT(BlockDiscontinuity)
  HEDDLE_CUB_RANK
  template <int _N, class _F, class Op> HEDDLE_MEMBER void FlagHeads(_F (&flags)[_N], _T (&items)[_N], Op op) {
    show(items);
    heads(flags, items, op, nullptr);
  }
  template <int _N, class _F, class Op> HEDDLE_MEMBER void FlagHeads(_F (&flags)[_N], _T (&items)[_N], Op op, _T before) {
    show(items);
    heads(flags, items, op, &before);
  }
  template <int _N, class _F, class Op> HEDDLE_MEMBER void FlagTails(_F (&flags)[_N], _T (&items)[_N], Op op) {
    show(items);
    tails(flags, items, op, nullptr);
  }
  template <int _N, class _F, class Op> HEDDLE_MEMBER void FlagTails(_F (&flags)[_N], _T (&items)[_N], Op op, _T after) {
    show(items);
    tails(flags, items, op, &after);
  }
  template <int _N, class _F, class Op>
  HEDDLE_MEMBER void FlagHeadsAndTails(_F (&head)[_N], _F (&tail)[_N], _T (&items)[_N], Op op) {
    show(items);
    heads(head, items, op, nullptr);
    tails(tail, items, op, nullptr);
  }
  template <int _N, class _F, class Op>
  HEDDLE_MEMBER void FlagHeadsAndTails(_F (&head)[_N], _F (&tail)[_N], _T after, _T (&items)[_N], Op op) {
    show(items);
    heads(head, items, op, nullptr);
    tails(tail, items, op, &after);
  }
  template <int _N, class _F, class Op>
  HEDDLE_MEMBER void FlagHeadsAndTails(_F (&head)[_N], _T before, _F (&tail)[_N], _T (&items)[_N], Op op) {
    show(items);
    heads(head, items, op, &before);
    tails(tail, items, op, nullptr);
  }
  template <int _N, class _F, class Op>
  HEDDLE_MEMBER void FlagHeadsAndTails(_F (&head)[_N], _T before, _F (&tail)[_N], _T after, _T (&items)[_N], Op op) {
    show(items);
    heads(head, items, op, &before);
    tails(tail, items, op, &after);
  }

private:
  template <int _N> HEDDLE_MEMBER void show(_T (&items)[_N]) {
    lent->first.at(rank()) = items[0];
    lent->last.at(rank()) = items[_N - 1];
    __syncthreads();
  }
  template <int _N, class _F, class Op>
  HEDDLE_MEMBER void heads(_F (&flags)[_N], _T (&items)[_N], Op &op, const _T *before) {
    const int first = (int)rank() * _N;
    if (rank() == 0)
      flags[0] = before ? (_F)heddle_between(op, *before, items[0], first, 0) : (_F)1;
    else
      flags[0] = (_F)heddle_between(op, lent->last.at(rank() - 1), items[0], first, 0);
    _Pragma("unroll") for (int n = 1; n < _N; ++n) flags[n] = (_F)heddle_between(op, items[n - 1], items[n], first + n, 0);
  }
  template <int _N, class _F, class Op>
  HEDDLE_MEMBER void tails(_F (&flags)[_N], _T (&items)[_N], Op &op, const _T *after) {
    const int first = (int)rank() * _N;
    _Pragma("unroll") for (int n = 1; n < _N; ++n) flags[n - 1] = (_F)heddle_between(op, items[n - 1], items[n], first + n, 0);
    if (rank() == threads - 1)
      flags[_N - 1] = after ? (_F)heddle_between(op, items[_N - 1], *after, first + _N, 0) : (_F)1;
    else
      flags[_N - 1] = (_F)heddle_between(op, items[_N - 1], lent->first.at(rank() + 1), first + _N, 0);
  }
};
template <class _T, int _X, int _Y = 1, int _Z = 1, int = 0>
struct BlockAdjacentDifference : heddle_lent<heddle_slots<_T, _X * _Y * _Z>> {
  static constexpr int threads = _X * _Y * _Z;
  HEDDLE_CUB_LENT(BlockAdjacentDifference)
  HEDDLE_CUB_RANK
  template <int _N, class _O, class Op> HEDDLE_MEMBER void SubtractLeft(_T (&items)[_N], _O (&out)[_N], Op op) {
    left(items, out, op, threads * _N, nullptr);
  }
  template <int _N, class _O, class Op>
  HEDDLE_MEMBER void SubtractLeft(_T (&items)[_N], _O (&out)[_N], Op op, _T before) {
    left(items, out, op, threads * _N, &before);
  }
  template <int _N, class _O, class Op>
  HEDDLE_MEMBER void SubtractLeftPartialTile(_T (&items)[_N], _O (&out)[_N], Op op, int count) {
    left(items, out, op, count, nullptr);
  }
  template <int _N, class _O, class Op>
  HEDDLE_MEMBER void SubtractLeftPartialTile(_T (&items)[_N], _O (&out)[_N], Op op, int count, _T before) {
    left(items, out, op, count, &before);
  }
  template <int _N, class _O, class Op> HEDDLE_MEMBER void SubtractRight(_T (&items)[_N], _O (&out)[_N], Op op) {
    right(items, out, op, threads * _N, nullptr);
  }
  template <int _N, class _O, class Op>
  HEDDLE_MEMBER void SubtractRight(_T (&items)[_N], _O (&out)[_N], Op op, _T after) {
    right(items, out, op, threads * _N, &after);
  }
  template <int _N, class _O, class Op>
  HEDDLE_MEMBER void SubtractRightPartialTile(_T (&items)[_N], _O (&out)[_N], Op op, int count) {
    right(items, out, op, count, nullptr);
  }

private:
  template <int _N, class _O, class Op>
  HEDDLE_MEMBER void left(_T (&items)[_N], _O (&out)[_N], Op &op, int count, const _T *before) {
    lent->at(rank()) = items[_N - 1];
    __syncthreads();
    const int first = (int)rank() * _N;
    _Pragma("unroll") for (int n = _N - 1; n > 0; --n)
      out[n] = first + n < count ? (_O)op(items[n], items[n - 1]) : (_O)items[n];
    if (rank() == 0)
      out[0] = before && count > 0 ? (_O)op(items[0], *before) : (_O)items[0];
    else
      out[0] = first < count ? (_O)op(items[0], lent->at(rank() - 1)) : (_O)items[0];
  }
  template <int _N, class _O, class Op>
  HEDDLE_MEMBER void right(_T (&items)[_N], _O (&out)[_N], Op &op, int count, const _T *after) {
    lent->at(rank()) = items[0];
    __syncthreads();
    const int first = (int)rank() * _N;
    _Pragma("unroll") for (int n = 0; n < _N - 1; ++n)
      out[n] = first + n + 1 < count ? (_O)op(items[n], items[n + 1]) : (_O)items[n];
    if (rank() == threads - 1)
      out[_N - 1] = after ? (_O)op(items[_N - 1], *after) : (_O)items[_N - 1];
    else
      out[_N - 1] = first + _N < count ? (_O)op(items[_N - 1], lent->at(rank() + 1)) : (_O)items[_N - 1];
  }
};
template <class _T, int _X, int _Y = 1, int _Z = 1, int = 0>
struct BlockShuffle : heddle_lent<heddle_slots<_T, _X * _Y * _Z>> {
  static constexpr int threads = _X * _Y * _Z;
  HEDDLE_CUB_LENT(BlockShuffle)
  HEDDLE_CUB_RANK
  HEDDLE_MEMBER void Offset(_T item, _T &out, int distance = 1) {
    lent->at(rank()) = item;
    __syncthreads();
    const int from = (int)rank() + distance;
    if (from >= 0 && from < threads)
      out = lent->at(from);
  }
  HEDDLE_MEMBER void Rotate(_T item, _T &out, unsigned int distance = 1) {
    lent->at(rank()) = item;
    __syncthreads();
    const unsigned int from = rank() + distance;
    out = lent->at(from >= threads ? from - threads : from);
  }
  template <int _N> HEDDLE_MEMBER void Up(_T (&items)[_N], _T (&out)[_N]) {
    lent->at(rank()) = items[_N - 1];
    __syncthreads();
    _Pragma("unroll") for (int n = _N - 1; n > 0; --n) out[n] = items[n - 1];
    if (rank() > 0)
      out[0] = lent->at(rank() - 1);
  }
  template <int _N> HEDDLE_MEMBER void Up(_T (&items)[_N], _T (&out)[_N], _T &last) {
    Up(items, out);
    last = lent->at(threads - 1);
  }
  template <int _N> HEDDLE_MEMBER void Down(_T (&items)[_N], _T (&out)[_N]) {
    lent->at(rank()) = items[0];
    __syncthreads();
    _Pragma("unroll") for (int n = 0; n < _N - 1; ++n) out[n] = items[n + 1];
    if (rank() < threads - 1)
      out[_N - 1] = lent->at(rank() + 1);
  }
  template <int _N> HEDDLE_MEMBER void Down(_T (&items)[_N], _T (&out)[_N], _T &first) {
    Down(items, out);
    first = lent->at(0);
  }
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
template <class _T, int Count, int _N, BlockHistogramAlgorithm> struct heddle_counted {
  heddle_sorted<_T, NullType, Count, _N> sorted;
};
template <class _T, int Count, int _N> struct heddle_counted<_T, Count, _N, BLOCK_HISTO_ATOMIC> {};
// The algorithm that sorts leaves the items sorted.
template <class _T, int _X, int _N, int Bins, BlockHistogramAlgorithm How = BLOCK_HISTO_SORT, int _Y = 1, int _Z = 1,
          int = 0>
struct BlockHistogram : heddle_lent<heddle_counted<_T, _X * _Y * _Z * _N, _N, How>> {
  static constexpr int threads = _X * _Y * _Z;
  typedef heddle_sort<_T, NullType, threads, _N, heddle_block_meets> sort;
  HEDDLE_CUB_LENT(BlockHistogram)
  HEDDLE_CUB_RANK
  template <class _C> HEDDLE_MEMBER void InitHistogram(_C (&counts)[Bins]) {
    for (unsigned int bin = rank(); bin < Bins; bin += threads)
      counts[bin] = 0;
  }
  template <class _C> HEDDLE_MEMBER void Composite(_T (&items)[_N], _C (&counts)[Bins]) {
    if constexpr (How == BLOCK_HISTO_ATOMIC) {
      HEDDLE_CUB_EACH atomicAdd(&counts[items[n]], _C(1));
    } else {
      sort::run(lent->sorted, rank(), items, nullptr, false, heddle_digits<_T, false>{0, sizeof(_T) * 8});
      for (unsigned int bin = rank(); bin < Bins; bin += threads) {
        _C more = 0;
        for (unsigned int other = 0; other < threads * _N; ++other)
          more += (unsigned int)lent->sorted.keys.at(_N + other) == bin ? 1 : 0;
        counts[bin] += more;
      }
    }
  }
  template <class _C> HEDDLE_MEMBER void Histogram(_T (&items)[_N], _C (&counts)[Bins]) {
    InitHistogram(counts);
    __syncthreads();
    Composite(items, counts);
  }
};
#undef HEDDLE_CUB_EACH
#undef HEDDLE_CUB_LENT
#undef HEDDLE_CUB_RANK
} // namespace cub
