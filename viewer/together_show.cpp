// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "viewer/show.h"

namespace limber::viewer {

namespace {

class TogetherShow final : public Show {
 public:
  explicit TogetherShow(std::vector<std::unique_ptr<Show>> shows)
      : shows_(std::move(shows)) {
    for (const std::unique_ptr<Show>& show : shows_) {
      parts_.insert(parts_.end(), show->parts().begin(), show->parts().end());
    }
  }
  const std::vector<Part>& parts() const override { return parts_; }
  double duration() const override {
    double longest = 0.0;
    for (const std::unique_ptr<Show>& show : shows_) {
      longest = std::max(longest, show->duration());
    }
    return longest;
  }
  double rate_hz() const override { return shows_.front()->rate_hz(); }
  void Draw(double time, Picture& picture) override {
    for (const std::unique_ptr<Show>& show : shows_) show->Draw(time, picture);
  }
  Vector3 Centre(double time) override {
    Vector3 sum = Vector3::Zero();
    for (const std::unique_ptr<Show>& show : shows_) sum += show->Centre(time);
    return sum / static_cast<double>(shows_.size());
  }
  double Radius() override {
    const Vector3 centre = Centre(0.0);
    double radius = 0.0;
    for (const std::unique_ptr<Show>& show : shows_) {
      radius = std::max(radius,
                        (show->Centre(0.0) - centre).norm() + show->Radius());
    }
    return radius;
  }
  std::vector<ShownEvent> events() const override {
    std::vector<ShownEvent> all;
    for (const std::unique_ptr<Show>& show : shows_) {
      const std::vector<ShownEvent> some = show->events();
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }
  double force_scale() const override {
    for (const std::unique_ptr<Show>& show : shows_) {
      if (show->force_scale() > 0.0) return show->force_scale();
    }
    return 0.0;
  }
  void SetLayers(const Layers& layers) override {
    Show::SetLayers(layers);
    for (const std::unique_ptr<Show>& show : shows_) show->SetLayers(layers);
  }
  double Prepare(double time, double budget) override {
    double reached = time;
    for (const std::unique_ptr<Show>& show : shows_) {
      reached = std::min(reached, show->Prepare(time, budget));
    }
    return reached;
  }
  void Rewind() override {
    for (const std::unique_ptr<Show>& show : shows_) show->Rewind();
  }
  void Restart() override {
    for (const std::unique_ptr<Show>& show : shows_) show->Restart();
  }

  // Modes, pointer and cannon are those of the first show.
  std::vector<std::string> modes() const override {
    return shows_.front()->modes();
  }
  void SetMode(std::string_view mode) override {
    shows_.front()->SetMode(mode);
  }
  double live_time() const override { return shows_.front()->live_time(); }
  bool Grab(int part, const Vector3& p_W) override {
    return IsFirst(part) && shows_.front()->Grab(part, p_W);
  }
  void Pull(const Vector3& target_W) override {
    shows_.front()->Pull(target_W);
  }
  void Release() override { shows_.front()->Release(); }
  std::optional<Vector3> grabbed_point() const override {
    return shows_.front()->grabbed_point();
  }
  void Fire(const Vector3& eye, const Vector3& direction) override {
    shows_.front()->Fire(eye, direction);
  }
  void Push(int part, const Vector3& impulse_W) override {
    if (IsFirst(part)) shows_.front()->Push(part, impulse_W);
  }
  std::vector<std::string> Describe(int part) const override {
    return IsFirst(part) ? shows_.front()->Describe(part)
                         : Show::Describe(part);
  }

 private:
  bool IsFirst(int part) const {
    return part >= 0 && part < static_cast<int>(shows_.front()->parts().size());
  }

  std::vector<std::unique_ptr<Show>> shows_;
  std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<Show> ShowTogether(std::vector<std::unique_ptr<Show>> shows) {
  return std::make_unique<TogetherShow>(std::move(shows));
}

}  // namespace limber::viewer
