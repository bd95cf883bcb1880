// OpenCV's points, sizes, rectangles and colours: values, as `opencv.h` declares what they are given to. What rounds (one kind
// of number made of another) is declared only: no number is made up.
#pragma once

typedef unsigned char uchar;
typedef unsigned short ushort;

namespace cv {
using ::uchar;
using ::ushort;

template <class T> struct Point_ {
  typedef T value_type;
  T x, y;
  Point_() : x(0), y(0) {}
  Point_(T x, T y) : x(x), y(y) {}
  template <class U> Point_(const Point_<U> &of);
  T dot(const Point_ &of) const { return x * of.x + y * of.y; }
  Point_ &operator+=(const Point_ &of) { return x += of.x, y += of.y, *this; }
  Point_ &operator-=(const Point_ &of) { return x -= of.x, y -= of.y, *this; }
  Point_ &operator*=(double by);
};
template <class T> Point_<T> operator+(const Point_<T> &a, const Point_<T> &b) { return {T(a.x + b.x), T(a.y + b.y)}; }
template <class T> Point_<T> operator-(const Point_<T> &a, const Point_<T> &b) { return {T(a.x - b.x), T(a.y - b.y)}; }
template <class T> Point_<T> operator-(const Point_<T> &a) { return {T(-a.x), T(-a.y)}; }
template <class T> Point_<T> operator*(const Point_<T> &a, double by);
template <class T> Point_<T> operator*(double by, const Point_<T> &a);
template <class T> bool operator==(const Point_<T> &a, const Point_<T> &b) { return a.x == b.x && a.y == b.y; }
template <class T> bool operator!=(const Point_<T> &a, const Point_<T> &b) { return !(a == b); }
typedef Point_<int> Point2i;
typedef Point_<float> Point2f;
typedef Point_<double> Point2d;
typedef Point2i Point;

template <class T> struct Point3_ {
  T x, y, z;
  Point3_() : x(0), y(0), z(0) {}
  Point3_(T x, T y, T z) : x(x), y(y), z(z) {}
};
typedef Point3_<int> Point3i;
typedef Point3_<float> Point3f;
typedef Point3_<double> Point3d;

template <class T> struct Size_ {
  T width, height;
  Size_() : width(0), height(0) {}
  Size_(T width, T height) : width(width), height(height) {}
  template <class U> Size_(const Size_<U> &of);
  T area() const { return width * height; }
  bool empty() const { return width <= 0 || height <= 0; }
};
template <class T> bool operator==(const Size_<T> &a, const Size_<T> &b) { return a.width == b.width && a.height == b.height; }
template <class T> bool operator!=(const Size_<T> &a, const Size_<T> &b) { return !(a == b); }
typedef Size_<int> Size2i;
typedef Size_<float> Size2f;
typedef Size2i Size;

template <class T> struct Rect_ {
  T x, y, width, height;
  Rect_() : x(0), y(0), width(0), height(0) {}
  Rect_(T x, T y, T width, T height) : x(x), y(y), width(width), height(height) {}
  Rect_(const Point_<T> &at, const Size_<T> &size) : x(at.x), y(at.y), width(size.width), height(size.height) {}
  Rect_(const Point_<T> &a, const Point_<T> &b)
      : x(a.x < b.x ? a.x : b.x), y(a.y < b.y ? a.y : b.y), width(a.x < b.x ? b.x - a.x : a.x - b.x),
        height(a.y < b.y ? b.y - a.y : a.y - b.y) {}
  Point_<T> tl() const { return {x, y}; }
  Point_<T> br() const { return {T(x + width), T(y + height)}; }
  Size_<T> size() const { return {width, height}; }
  T area() const { return width * height; }
};
typedef Rect_<int> Rect;
typedef Rect_<int> Rect2i;
typedef Rect_<float> Rect2f;
typedef Rect_<double> Rect2d;

struct Range {
  int start, end;
  Range() : start(0), end(0) {}
  Range(int start, int end) : start(start), end(end) {}
  static Range all();
};

template <class T, int N> struct Vec {
  T val[N];
  Vec() : val{} {}
  template <class... U> Vec(T first, U... rest) : val{first, T(rest)...} {}
  static Vec all(T of) {
    Vec made;
    for (T &it : made.val)
      it = of;
    return made;
  }
  T &operator[](int at) { return val[at]; }
  const T &operator[](int at) const { return val[at]; }
  T &operator()(int at) { return val[at]; }
  const T &operator()(int at) const { return val[at]; }
};
typedef Vec<uchar, 2> Vec2b;
typedef Vec<uchar, 3> Vec3b;
typedef Vec<uchar, 4> Vec4b;
typedef Vec<ushort, 3> Vec3w;
typedef Vec<short, 3> Vec3s;
typedef Vec<int, 2> Vec2i;
typedef Vec<int, 3> Vec3i;
typedef Vec<int, 4> Vec4i;
typedef Vec<float, 2> Vec2f;
typedef Vec<float, 3> Vec3f;
typedef Vec<float, 4> Vec4f;
typedef Vec<double, 2> Vec2d;
typedef Vec<double, 3> Vec3d;
typedef Vec<double, 4> Vec4d;

struct Scalar : Vec<double, 4> {
  Scalar(double a = 0, double b = 0, double c = 0, double d = 0) : Vec<double, 4>(a, b, c, d) {}
  template <class T, int N> Scalar(const Vec<T, N> &of);
  static Scalar all(double of) { return {of, of, of, of}; }
};
} // namespace cv
