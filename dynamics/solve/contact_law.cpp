// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/solve/contact_law.h"

#include <algorithm>
#include <cmath>

namespace limber::dynamics::solve {

namespace {

double Length(const double t[2]) {
  return std::sqrt(t[0] * t[0] + t[1] * t[1]);
}

// d e e^T
Sym Outer(double d, const Vec& e) {
  return {d * e.x * e.x, d * e.x * e.y, d * e.x * e.z,
          d * e.y * e.y, d * e.y * e.z, d * e.z * e.z};
}

}  // namespace

Law LawOf(const ContactPoint& contact, const double z[3]) {
  const double mu = contact.mu;
  const double size = mu > 0.0 ? Length(z + 1) : 0.0;
  Law law;
  if (mu * size - z[0] <= 0.0) return law;
  if (size * contact.s_n <= -mu * contact.s_t * z[0]) {
    law.grip = mu > 0.0 ? Grip::kSticks : Grip::kSlides;
    law.lambda[0] = -z[0] / contact.s_n;
    if (mu == 0.0) return law;
    law.lambda[1] = -z[1] / contact.s_t;
    law.lambda[2] = -z[2] / contact.s_t;
    return law;
  }
  law.grip = Grip::kSlides;
  law.lambda[0] = (mu * size - z[0]) / (contact.s_n + mu * mu * contact.s_t);
  const double share = size > 0.0 ? mu * law.lambda[0] / size : 0.0;
  law.lambda[1] = -share * z[1];
  law.lambda[2] = -share * z[2];
  return law;
}

void Point::Slide(const ContactPoint& contact, const double slip[2],
                  double normal) {
  const double size = Length(slip);
  const double limit = contact.mu * normal;
  grip = Grip::kSlides;
  along[0] = slip[0] / size;
  along[1] = slip[1] / size;
  across = std::min(limit / size, 1.0 / contact.s_t);
}

void Point::TakeFirstGrip(ContactPoint& contact) {
  const double mu = contact.mu;
  const double limit = mu * contact.bound;
  const double slip = Length(z + 1);
  grip = Grip::kSticks;
  if (!contact.pressed && z[0] >= 0.0) {
    grip = Grip::kOpen;
    contact.bound = 0.0;
    shift = mu * slip;
  } else if (mu == 0.0) {
    grip = Grip::kSlides;
  } else if (slip > limit * contact.response) {
    Slide(contact, z + 1, contact.bound);
    shift = mu * std::max(0.0, slip - contact.s_t * limit);
  } else if (contact.grip == Grip::kSlides) {
    Slide(contact, contact.slip, contact.bound);
    shift = mu * std::max(0.0, Length(contact.slip) - contact.s_t * limit);
  }
}

void Point::TakeNextGrip(const ContactPoint& contact, bool whole_steps) {
  const double shifted[3] = {z[0] + shift, z[1], z[2]};
  const Law law = LawOf(contact, shifted);
  const bool slid = grip == Grip::kSlides;
  const double forward = along[0] * z[1] + along[1] * z[2];
  grip = law.grip;
  if (law.grip != Grip::kSlides || contact.mu == 0.0) return;
  if (whole_steps && slid && forward < 0.0) {
    grip = Grip::kSticks;
    return;
  }
  // One that fits keeps its blocks.
  if (whole_steps && slid && fits) return;
  Slide(contact, z + 1, law.lambda[0]);
}

void Point::TimesStiffness(const ContactPoint& contact, const double x[3],
                           double product[3]) const {
  product[0] = product[1] = product[2] = 0.0;
  if (grip == Grip::kSticks) {
    product[0] = x[0] / contact.s_n;
    product[1] = x[1] / contact.s_t;
    product[2] = x[2] / contact.s_t;
  } else if (grip == Grip::kSlides) {
    const double* e = along;
    const double mu = contact.mu;
    const double q = (x[0] - mu * (e[0] * x[1] + e[1] * x[2])) /
                     (contact.s_n + mu * mu * contact.s_t);
    const double side = across * (e[0] * x[2] - e[1] * x[1]);
    product[0] = q;
    product[1] = -mu * q * e[0] - side * e[1];
    product[2] = -mu * q * e[1] + side * e[0];
  }
}

Sym Point::Stiffness(const ContactPoint& contact) const {
  Sym K;
  if (grip == Grip::kSticks) {
    // t1 t1^T + t2 t2^T = 1 - n n^T
    const double d = 1.0 / contact.s_t;
    K = Outer(1.0 / contact.s_n - d, contact.n);
    K += Sym{d, 0.0, 0.0, d, 0.0, d};
  } else if (grip == Grip::kSlides) {
    const double mu = contact.mu;
    const Vec e = along[0] * contact.t1 + along[1] * contact.t2;
    K = Outer(1.0 / (contact.s_n + mu * mu * contact.s_t), contact.n - mu * e);
    K += Outer(across, along[0] * contact.t2 - along[1] * contact.t1);
  }
  return K;
}

void Point::Linearise(const ContactPoint& contact) {
  const double shifted[3] = {z[0] + shift, z[1], z[2]};
  TimesStiffness(contact, shifted, lambda);
  for (double& own : lambda) own = -own;
}

bool Point::Fits(const ContactPoint& contact, double tolerance) {
  double change[3];
  TimesStiffness(contact, g, change);
  for (int k = 0; k < 3; ++k) linear[k] = lambda[k] - change[k];
  return fits = OffBy(contact) <= tolerance;
}

double Point::OffBy(const ContactPoint& contact) const {
  const double s[3] = {contact.s_n, contact.s_t, contact.s_t};
  ContactPoint cone;
  cone.mu = contact.mu;
  cone.s_n = cone.s_t = 1.0;
  double next[3];
  for (int k = 0; k < 3; ++k) {
    double e = z[k] + g[k] + s[k] * linear[k];
    if (k == 0) e += shift;
    next[k] = e / contact.response - linear[k];
  }
  const Law law = LawOf(cone, next);
  double off = 0.0;
  for (int k = 0; k < 3; ++k) {
    off = std::max(off, std::abs(law.lambda[k] - linear[k]));
  }
  return contact.response * off;
}

void Point::Store(ContactPoint& contact, bool solved) const {
  if (solved) {
    std::copy(linear, linear + 3, contact.lambda);
  } else {
    const double shifted[3] = {z[0] + shift, z[1], z[2]};
    const Law law = LawOf(contact, shifted);
    std::copy(law.lambda, law.lambda + 3, contact.lambda);
  }
  contact.lambda[0] = std::max(0.0, contact.lambda[0]);
  contact.grip = grip;
  contact.shift = shift;
  const bool slides = grip == Grip::kSlides && contact.mu > 0.0;
  contact.slip[0] = slides ? z[1] : 0.0;
  contact.slip[1] = slides ? z[2] : 0.0;
}

double Point::SlipOf(const ContactPoint& contact) const {
  if (contact.mu == 0.0 || grip == Grip::kSticks) return 0.0;
  const double held =
      grip == Grip::kSlides ? contact.mu * std::max(0.0, linear[0]) : 0.0;
  return contact.mu * std::max(0.0, Length(z + 1) - contact.s_t * held);
}

}  // namespace limber::dynamics::solve
