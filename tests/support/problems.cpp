#include "support/problems.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace cda::problems {
namespace {

Matrix orthogonal(Index size, Random& random) {
  return Eigen::HouseholderQR<Matrix>(random.normals(size, size)).householderQ();
}

// Eigenvalues 1, 2, ..., size in random directions.
Matrix graded(Index size, Random& random) {
  const Matrix q = orthogonal(size, random);
  return q * Vector::LinSpaced(size, 1.0, static_cast<double>(size)).asDiagonal() * q.transpose();
}

Eigen::Map<const Matrix> frame(const Vector& x, Index at, Index rows, Index columns) {
  return {x.data() + at, rows, columns};
}

}  // namespace

// scale * sum_i 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2.
Known rosenbrock(Index size, double scale) {
  Known known{"rosenbrock " + std::to_string(size), {}, Vector::Constant(size, 1.0), 0.0, 1e-9 * scale, 20000};
  for (Index i = 0; i < size; i += 2) known.start(i) = -1.2;
  known.problem.manifold = euclidean(size);
  known.problem.value = [size, scale](const Vector& x, Vector* gradient) {
    double value = 0.0;
    if (gradient) gradient->setZero(size);
    for (Index i = 0; i + 1 < size; ++i) {
      const double valley = x(i + 1) - x(i) * x(i), rest = 1.0 - x(i);
      value += 100.0 * valley * valley + rest * rest;
      if (!gradient) continue;
      (*gradient)(i) += scale * (-400.0 * valley * x(i) - 2.0 * rest);
      (*gradient)(i + 1) += scale * 200.0 * valley;
    }
    return scale * value;
  };
  return known;
}

Known sphere_quadratic(Index size, double scale) {
  Random random(1, "sphere_quadratic");
  const Matrix a = scale * graded(size, random);
  Known known{"sphere quadratic", {}, sphere(size)->random_point(random), scale, 1e-10 * scale, 2000};
  known.problem.manifold = sphere(size);
  known.problem.value = [a](const Vector& x, Vector* gradient) {
    const Vector image = a * x;
    if (gradient) *gradient = 2.0 * image;
    return x.dot(image);
  };
  return known;
}

// tr(U'AUN), N = diag(r, ..., 1): column j is the eigenvector of the j-th smallest eigenvalue of A.
Known brockett(Index rows, Index columns) {
  Random random(2, "brockett");
  const Matrix a = graded(rows, random);
  const Vector weights = Vector::LinSpaced(columns, static_cast<double>(columns), 1.0);
  Known known{"brockett", {}, stiefel(rows, columns)->random_point(random), 0.0, 1e-8, 2000};
  for (Index j = 0; j < columns; ++j) known.optimum += weights(j) * static_cast<double>(j + 1);
  known.problem.manifold = stiefel(rows, columns);
  known.problem.value = [=](const Vector& x, Vector* gradient) {
    const Matrix image = a * frame(x, 0, rows, columns) * weights.asDiagonal();
    if (gradient) *gradient = 2.0 * image.reshaped();
    return x.dot(image.reshaped());
  };
  return known;
}

// |AU - B|^2 with B = A U*: 0 at U*. The start lies in the same half of the group: none of the curves leaves it.
Known procrustes(Index size) {
  Random random(3, "procrustes");
  const Matrix a = random.normals(size + 3, size), truth = orthogonal(size, random), b = a * truth;
  Matrix turned = random.normals(size, size);
  turned = 0.5 * (turned - turned.transpose()).eval();
  const Vector truth_point = truth.reshaped(), step = (truth * turned).reshaped();
  Known known{"procrustes", {}, stiefel(size, size)->retract(truth_point, 0.9 * step), 0.0, 1e-9, 2000};
  known.problem.manifold = stiefel(size, size);
  known.problem.value = [=](const Vector& x, Vector* gradient) {
    const Matrix off = a * frame(x, 0, size, size) - b;
    if (gradient) *gradient = (2.0 * a.transpose() * off).reshaped();
    return off.squaredNorm();
  };
  return known;
}

// u'Au + v'Bv - 2 s (p'u)(r'v) + (s - 1)^2, where A and B have their smallest eigenvalue 1 at p and r. The least value
// at a fixed s >= 0 is 2 - 2 s + (s - 1)^2, taken at u = p, v = r; the least of these is -1, at s = 2.
Known spheres_and_line(Index x_size, Index y_size) {
  Random random(4, "spheres_and_line");
  const Matrix qa = orthogonal(x_size, random), qb = orthogonal(y_size, random);
  const Matrix a = qa * Vector::LinSpaced(x_size, 1.0, 20.0).asDiagonal() * qa.transpose();
  const Matrix b = qb * Vector::LinSpaced(y_size, 1.0, 30.0).asDiagonal() * qb.transpose();
  const Vector p = qa.col(0), r = qb.col(0);
  Known known{"two spheres and a scale", {}, {}, -1.0, 1e-9, 2000};
  known.problem.manifold = product({sphere(x_size), sphere(y_size), euclidean(1)});
  known.start = known.problem.manifold->random_point(random);
  known.problem.value = [=](const Vector& x, Vector* gradient) {
    const Vector u = x.head(x_size), v = x.segment(x_size, y_size);
    const double s = x(x_size + y_size), pu = p.dot(u), rv = r.dot(v);
    const Vector au = a * u, bv = b * v;
    if (gradient) {
      gradient->resize(x.size());
      *gradient << 2.0 * au - 2.0 * s * rv * p, 2.0 * bv - 2.0 * s * pu * r, 2.0 * (s - 1.0) - 2.0 * pu * rv;
    }
    return u.dot(au) + v.dot(bv) - 2.0 * s * pu * rv + (s - 1.0) * (s - 1.0);
  };
  return known;
}

// tr U'AUN + tr V'BVN + |w - k|^2: three problems side by side, solved at once.
Known frames_and_space(Index rows, Index columns, Index others) {
  const Known one = brockett(rows, columns), two = brockett(rows + 2, columns);
  Random random(5, "frames_and_space");
  const Vector centre = random.normals(others, 1);
  Known known{"two frames and a flat space", {}, {}, one.optimum + two.optimum, 1e-8, 2000};
  known.problem.manifold = product({one.problem.manifold, two.problem.manifold, euclidean(others)});
  known.start = known.problem.manifold->random_point(random);
  known.problem.value = [=](const Vector& x, Vector* gradient) {
    const Index first = one.start.size(), second = two.start.size();
    Vector g1, g2;
    const Vector off = x.tail(others) - centre;
    const double value = one.problem.value(x.head(first), gradient ? &g1 : nullptr) +
                         two.problem.value(x.segment(first, second), gradient ? &g2 : nullptr) + off.squaredNorm();
    if (gradient) {
      gradient->resize(x.size());
      *gradient << g1, g2, 2.0 * off;
    }
    return value;
  };
  return known;
}

// The squared 2-Wasserstein distance of X u and X u*, both sorted: 0 at u*, with a kink wherever two rows change
// places.
Known sorted_samples(Index rows, Index columns) {
  Random random(6, "sorted_samples");
  Matrix x(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) x(i, j) = static_cast<double>(j + 1) * random.exponential();
  const auto on = sphere(columns);
  const Vector truth = on->random_point(random);
  Vector target = x * truth;
  std::sort(target.begin(), target.end());
  const Vector away = on->tangent(truth, random.normals(columns, 1)).normalized();
  Known known{"sorted samples", {}, on->retract(truth, 0.4 * away), 0.0, 1e-8, 2000};
  known.problem.manifold = on;
  known.problem.value = [=](const Vector& u, Vector* gradient) {
    const Vector projected = x * u;
    std::vector<Index> order(static_cast<std::size_t>(rows));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return projected(i) < projected(j); });
    Vector off(rows);
    for (Index i = 0; i < rows; ++i) {
      const Index row = order[static_cast<std::size_t>(i)];
      off(row) = projected(row) - target(i);
    }
    if (gradient) *gradient = (2.0 / static_cast<double>(rows)) * (x.transpose() * off);
    return off.squaredNorm() / static_cast<double>(rows);
  };
  return known;
}

std::vector<Known> all() {
  std::vector<Known> list = {rosenbrock(2),        rosenbrock(10), sphere_quadratic(12),   brockett(8, 3),
                             brockett(5, 4),       procrustes(4),  spheres_and_line(5, 4), frames_and_space(6, 2, 3),
                             sorted_samples(60, 4)};
  for (const double scale : {1e-5, 1e5})
    for (Known known : {rosenbrock(2, scale), sphere_quadratic(12, scale)}) {
      known.name += scale < 1.0 ? ", values times 1e-5" : ", values times 1e5";
      list.push_back(std::move(known));
    }
  return list;
}

Problem two_spheres(Index x_size, Index y_size, double spread, bool centred, std::uint64_t seed) {
  Random random(seed, "two_spheres");
  const auto covariance = [&](Index size) {
    const Matrix q = orthogonal(size, random);
    Vector variances(size);
    for (Index i = 0; i < size; ++i) variances(i) = std::pow(10.0, -spread * random.uniform());
    return Matrix(q * variances.asDiagonal() * q.transpose());
  };
  const Matrix sx = covariance(x_size), sy = covariance(y_size);
  const Vector mx = random.normals(x_size, 1), my = random.normals(y_size, 1);
  const double beta = std::sqrt(static_cast<double>(x_size) / static_cast<double>(y_size));
  const double means = centred ? 0.0 : 1.0;
  QuadraticForm form{Matrix(x_size + y_size, x_size + y_size), x_size};
  form.matrix << sx + means * mx * mx.transpose(), -means * beta * mx * my.transpose(),
      -means * beta * my * mx.transpose(), beta * beta * (sy + means * my * my.transpose());
  Problem problem;
  problem.manifold = product({sphere(x_size), sphere(y_size)});
  problem.value = [m = form.matrix](const Vector& z, Vector* gradient) {
    const Vector image = m * z;
    if (gradient) *gradient = 2.0 * image;
    return z.dot(image);
  };
  problem.quadratic = std::move(form);
  return problem;
}

}  // namespace cda::problems
