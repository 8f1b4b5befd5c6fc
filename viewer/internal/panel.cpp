// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/internal/panel.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <utility>

#include "jobs/event_text.h"

namespace limber::viewer::internal {

namespace {

using figure::EditEvent;
using jobs::ListedEvent;

constexpr double kPanelWidth = 330.0;  // [px]
constexpr double kMargin = 10.0;       // [px]
constexpr float kFontSize = 15.0F;     // [px]

struct NamedKey {
  int key;
  ImGuiKey_ name;
};
constexpr std::array<NamedKey, 7> kNamedKeys = {
    {{EditDesk::kTab, ImGuiKey_Tab},
     {EditDesk::kEnter, ImGuiKey_Enter},
     {EditDesk::kBackspace, ImGuiKey_Backspace},
     {EditDesk::kDelete, ImGuiKey_Delete},
     {Controls::kLeft, ImGuiKey_LeftArrow},
     {Controls::kRight, ImGuiKey_RightArrow},
     {Controls::kHome, ImGuiKey_Home}}};

bool DragNumber(const char* label, double& value, float speed, double least,
                double most) {
  return ImGui::DragScalar(label, ImGuiDataType_Double, &value, speed, &least,
                           &most, "%.3f");
}

/// A button that does what a key does, and says which one.
void KeyButton(Controls& controls, const char* label, int key,
               bool is_on = true) {
  if (!is_on) ImGui::BeginDisabled();
  if (ImGui::Button(label)) controls.Key(key);
  if (!is_on) ImGui::EndDisabled();
}

}  // namespace

Panel::Panel() {
  ImGuiContext* before = ImGui::GetCurrentContext();
  context_ = ImGui::CreateContext();
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // Nothing is written behind the user's back.
  const char* font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
  if (std::filesystem::exists(font)) {
    io.Fonts->AddFontFromFileTTF(font, kFontSize);
  }
  io.Fonts->Build();
  for (std::size_t i = 0; i < kNamedKeys.size(); ++i) {
    io.KeyMap[kNamedKeys[i].name] = static_cast<int>(i);
  }
  ImGui::StyleColorsLight();
  ImGui::GetStyle().WindowRounding = 4.0F;
  if (before != nullptr) ImGui::SetCurrentContext(before);
}

Panel::~Panel() {
  ImGui::SetCurrentContext(context_);
  ImGui::DestroyContext(context_);
}

void Panel::Show(bool is_shown) {
  is_shown_ = is_shown;
  is_held_ = false;
  is_built_ = false;
  right_ = left_;
}

bool Panel::Contains(double x, double y) const {
  return is_shown_ && x >= left_ && x < right_ && y >= top_ && y < bottom_;
}

bool Panel::Move(double x, double y) {
  ImGui::SetCurrentContext(context_);
  ImGui::GetIO().MousePos = ImVec2(float(x), float(y));
  return is_held_ || Contains(x, y);
}

bool Panel::Press(double x, double y, int button) {
  Move(x, y);
  is_held_ = Contains(x, y);
  ImGuiIO& io = ImGui::GetIO();
  // Elsewhere a press ends what is being typed.
  if (button >= 0 && button < 3) io.MouseDown[button] = true;
  return is_held_;
}

bool Panel::Lift() {
  ImGui::SetCurrentContext(context_);
  std::fill(std::begin(ImGui::GetIO().MouseDown),
            std::end(ImGui::GetIO().MouseDown), false);
  return std::exchange(is_held_, false);
}

bool Panel::Scroll(double notches) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  if (!Contains(io.MousePos.x, io.MousePos.y)) return false;
  io.MouseWheel += float(notches);
  return true;
}

bool Panel::Key(int key) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  if (!is_shown_ || !io.WantTextInput) return false;
  const auto named = std::ranges::find(kNamedKeys, key, &NamedKey::key);
  if (named != kNamedKeys.end()) {
    key_up_ = static_cast<int>(named - kNamedKeys.begin());
    io.KeysDown[key_up_] = true;
  } else if (key >= ' ' && key <= '~') {
    io.AddInputCharacter(static_cast<unsigned>(key));
  }
  return true;
}

void Panel::ShowModes(Controls& controls) {
  if (!ImGui::CollapsingHeader("What moves", ImGuiTreeNodeFlags_DefaultOpen)) {
    return;
  }
  const std::vector<std::string> modes = controls.show().modes();
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const std::string label = modes[i] + " (" + std::to_string(i + 1) + ")";
    if (i % 2 == 1) ImGui::SameLine(0.5F * float(kPanelWidth));
    if (ImGui::RadioButton(label.c_str(), controls.mode() == modes[i])) {
      controls.Key('1' + static_cast<int>(i));
    }
  }
}

void Panel::ShowClock(Controls& controls) {
  if (!ImGui::CollapsingHeader("Clock", ImGuiTreeNodeFlags_DefaultOpen)) return;
  Player& player = controls.player();
  KeyButton(controls, player.playing() ? "pause (space)" : "play (space)", ' ');
  ImGui::SameLine();
  bool is_looping = player.looping();
  if (ImGui::Checkbox("loop (l)", &is_looping)) player.SetLooping(is_looping);
  double speed = player.speed();
  if (DragNumber("speed ([ ])", speed, 0.01F, 1.0 / 64.0, 64.0)) {
    player.SetSpeed(speed);
  }
}

void Panel::Change(EditDesk& desk, const ListedEvent& event) {
  desk.ChangeSelected(event, is_same_gesture_);
  is_same_gesture_ = true;
}

void Panel::ShowSelected(EditDesk& desk, std::size_t index) {
  ListedEvent event = desk.bench().events()[index];
  EditEvent& e = event.event;
  constexpr double kMost = 1e6;
  const auto number = [&](const char* label, double value, float speed,
                          double most, const auto& set) {
    const bool is_changed = DragNumber(label, value, speed, 0.0, most);
    if (ImGui::IsItemActivated()) is_same_gesture_ = false;
    if (!is_changed) return;
    set(value);
    Change(desk, event);
  };
  number("time [s]", e.time, 0.01F, desk.bench().clip().motion->duration(),
         [&](double value) { e = jobs::MovedTo(e, value); });
  if (const auto size = jobs::SizeOf(e)) {
    const std::string label = "size [" + std::string(size->unit) + "]";
    number(label.c_str(), size->value, 0.1F, kMost,
           [&](double value) { e = jobs::WithSize(e, value); });
  }
  number("lasts [s]", e.duration, 0.01F, kMost,
         [&](double value) { e.duration = value; });
  if (e.kind == EditEvent::Kind::kThrow) {
    number("mass [kg]", e.mass, 0.01F, kMost,
           [&](double value) { e.mass = value; });
  }
  if (e.kind == EditEvent::Kind::kPush || e.kind == EditEvent::Kind::kThrow ||
      e.kind == EditEvent::Kind::kGravity) {
    Vector3 vector = e.vector;
    const bool is_changed =
        ImGui::DragScalarN("x y z", ImGuiDataType_Double, vector.data(), 3,
                           0.1F, nullptr, nullptr, "%.2f");
    if (ImGui::IsItemActivated()) is_same_gesture_ = false;
    if (is_changed) {
      e.vector = vector;
      Change(desk, event);
    }
  }
}

void Panel::ShowEvents(Controls& controls, EditDesk& desk) {
  if (!ImGui::CollapsingHeader("Events", ImGuiTreeNodeFlags_DefaultOpen)) {
    return;
  }
  KeyButton(controls, "push (p)", 'p');
  ImGui::SameLine();
  KeyButton(controls, "throw (c)", 'c');
  ImGui::SameLine();
  KeyButton(controls, "before, after (/)", '/');
  ImGui::InputTextWithHint("##words", "loosen arms@0.5s..2s  (:)", words_,
                           sizeof words_);
  ImGui::SameLine();
  if (ImGui::Button("add") && words_[0] != '\0') {
    desk.AddInWords(words_);
    words_[0] = '\0';
  }
  const std::size_t count = desk.bench().events().size();
  for (std::size_t i = 0; i < count; ++i) {
    ImGui::PushID(static_cast<int>(i));
    bool is_on = desk.bench().events()[i].is_on;
    if (ImGui::Checkbox("##on", &is_on)) {
      desk.Select(i);
      controls.Key('o');
    }
    ImGui::SameLine();
    if (ImGui::Selectable(desk.InWords(i).c_str(), desk.selected() == i)) {
      desk.Select(desk.selected() == i ? std::nullopt : std::optional(i));
    }
    ImGui::PopID();
  }
  if (const auto selected = desk.selected()) {
    ImGui::Indent();
    ShowSelected(desk, *selected);
    KeyButton(controls, "remove (d)", 'd');
    ImGui::Unindent();
  }
  KeyButton(controls, "undo (z)", 'z', desk.bench().can_undo());
  ImGui::SameLine();
  KeyButton(controls, "redo (y)", 'y', desk.bench().can_redo());
  KeyButton(controls, "save events (w)", 'w');
  ImGui::SameLine();
  KeyButton(controls, "save result (W)", 'W');
  if (desk.progress()) ImGui::ProgressBar(float(*desk.progress()));
}

void Panel::ShowLayers(Controls& controls) {
  if (!ImGui::CollapsingHeader("What is drawn")) return;
  Layers layers = controls.show().layers();
  bool is_changed = false;
  const auto box = [&](const char* label, bool& is_on) {
    is_changed = ImGui::Checkbox(label, &is_on) || is_changed;
  };
  box("forces (a)", layers.forces);
  box("reactions (a)", layers.reactions);
  box("contacts (k)", layers.contacts);
  box("effort (e)", layers.effort);
  box("trails (t)", layers.trails);
  box("mass centre (m)", layers.mass_centre);
  box("bones (b)", layers.bones);
  box("ghost beside (g)", layers.beside);
  box("details (i)", layers.details);
  if (is_changed) controls.show().SetLayers(layers);
  KeyButton(controls, "shadows (s)", 's');
}

void Panel::Build(Controls& controls, int width, int height, double seconds) {
  if (!is_shown_) return;
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(float(width), float(height));
  io.DeltaTime = float(std::max(seconds, 1e-3));
  ImGui::NewFrame();
  const double most = height - TimeLine::kHeight - 3.0 * kMargin;
  ImGui::SetNextWindowPos(ImVec2(float(width - kMargin), float(kMargin)),
                          ImGuiCond_Always, ImVec2(1.0F, 0.0F));
  ImGui::SetNextWindowSizeConstraints(
      ImVec2(float(kPanelWidth), 0.0F),
      ImVec2(float(kPanelWidth), float(std::max(most, 60.0))));
  ImGui::Begin("limber (u hides this)", nullptr,
               ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                   ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PushItemWidth(0.55F * float(kPanelWidth));
  if (!controls.show().modes().empty()) ShowModes(controls);
  ShowClock(controls);
  if (EditDesk* desk = controls.desk()) ShowEvents(controls, *desk);
  ShowLayers(controls);
  ImGui::PopItemWidth();
  const ImVec2 place = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  left_ = place.x;
  top_ = place.y;
  right_ = place.x + size.x;
  bottom_ = place.y + size.y;
  ImGui::End();
  ImGui::Render();
  is_built_ = true;
  if (key_up_ >= 0) io.KeysDown[std::exchange(key_up_, -1)] = false;
}

const ImDrawData* Panel::drawing() const {
  if (!is_shown_ || !is_built_) return nullptr;
  ImGui::SetCurrentContext(context_);
  return ImGui::GetDrawData();
}

Panel::Letters Panel::letters() const {
  ImGui::SetCurrentContext(context_);
  unsigned char* pixels = nullptr;
  Letters letters;
  ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &letters.width,
                                           &letters.height);
  letters.pixels = pixels;
  return letters;
}

}  // namespace limber::viewer::internal
