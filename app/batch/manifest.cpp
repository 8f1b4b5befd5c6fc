// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "app/batch/job_source.h"
#include "core/file.h"
#include "core/json_document.h"
#include "core/suggest.h"

namespace limber::app::batch {

namespace {

namespace fs = std::filesystem;

/// A longer line is no job but another kind of file [bytes].
constexpr std::size_t kLongestLine = std::size_t{1} << 20;

/// The shortest text of a number that reads back as the same number.
std::string NumberText(double value) {
  std::array<char, 32> text{};
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end};
}

/// Takes one line apart; errors carry the line of the manifest.
class LineParser {
 public:
  LineParser(std::int64_t line, const CommandTable& commands,
             Diagnostics& findings)
      : line_(line), commands_(commands), findings_(findings) {}

  std::optional<BatchJob> Parse(std::string_view text) {
    const Result<JsonValue> value = ParseJson(text, "");
    for (const Diagnostic& finding : value.diagnostics().all()) {
      findings_.Error(finding.kind, Place::AtLine(line_, finding.place.column),
                      finding.message);
    }
    if (!value.ok()) return std::nullopt;
    if (value->kind != JsonValue::Kind::kObject) {
      Refuse(*value,
             "expected an object like {\"command\": \"retarget\", "
             "\"input\": \"a.bvh\"}, found " +
                 std::string(NameOf(value->kind)));
      return std::nullopt;
    }
    BatchJob job;
    job.line = line_;
    job.command = Text(*value, "command");
    job.input = Text(*value, "input");
    if (failed_) return std::nullopt;
    form_ = FindForm(job.command);
    const auto options = commands_.find(job.command);
    if (form_ == nullptr || options == commands_.end()) {
      Refuse(*value->Find("command"), "no command for a batch: \"" +
                                          job.command + "\"; expected one of " +
                                          FormNames());
      return std::nullopt;
    }
    for (const JsonValue& member : value->items) {
      AddMember(member, options->second, job);
    }
    if (!failed_ && form_->has_output && form_->ending.empty() &&
        job.format.empty()) {
      Refuse(*value, job.command +
                         " needs \"format\", the ending of its output, such "
                         "as \"trc\"");
    }
    if (failed_) return std::nullopt;
    if (!job.named_by_user) job.name = NameFor(job.input, {});
    return job;
  }

 private:
  void RefuseAt(Place place, const std::string& message) {
    failed_ = true;
    findings_.Error("bad-job", Place::AtLine(line_, place.column), message);
  }
  void Refuse(const JsonValue& value, const std::string& message) {
    RefuseAt(value.place, message);
  }

  std::string Text(const JsonValue& object, std::string_view key) {
    const JsonValue* value = object.Find(key);
    if (value == nullptr) {
      Refuse(object, "\"" + std::string(key) + "\" is missing");
      return {};
    }
    return TextOf(*value);
  }
  std::string TextOf(const JsonValue& value) {
    // A zero byte would end the word early where the system reads it.
    if (value.kind != JsonValue::Kind::kText || value.text.empty() ||
        value.text.find('\0') != std::string::npos) {
      Refuse(value, "\"" + value.key + "\": expected a text, found " +
                        (value.kind == JsonValue::Kind::kText
                             ? "an empty one or one with a zero byte"
                             : std::string(NameOf(value.kind))));
      return {};
    }
    return value.text;
  }

  void AddMember(const JsonValue& member, const OptionTable& options,
                 BatchJob& job) {
    if (member.key == "command" || member.key == "input") return;
    if (member.key == "name") {
      job.name = TextOf(member);
      job.named_by_user = true;
      CheckName(member);
      return;
    }
    if (member.key == "format") {
      job.format = TextOf(member);
      if (job.format.find_first_of("./") != std::string::npos) {
        Refuse(member,
               "\"format\": expected an ending without a dot, such as "
               "\"trc\", found \"" +
                   job.format + "\"");
      }
      return;
    }
    std::string name = member.key;
    std::ranges::replace(name, '_', '-');
    const auto option = options.find(name);
    const std::string why = WhyNotAllowed(name);
    if (option == options.end() || !why.empty()) {
      RefuseAt(member.key_place, UnknownText(member.key, why, options, job));
      return;
    }
    AddOption(member, name, option->second, job);
  }

  static std::string UnknownText(const std::string& key, const std::string& why,
                                 const OptionTable& options,
                                 const BatchJob& job) {
    if (!why.empty()) return "\"" + key + "\" has no place in a job: " + why;
    std::vector<std::string> known = {"command", "input", "name", "format"};
    for (const auto& [word, form] : options) {
      if (!WhyNotAllowed(word).empty()) continue;
      known.push_back(word);
      std::ranges::replace(known.back(), '-', '_');
    }
    std::string text =
        "limber " + job.command + " has no option \"" + key + "\"";
    if (const auto meant = Suggest(key, known)) {
      text += "; did you mean \"" + *meant + "\"?";
    }
    return text;
  }

  /// "walk", "clips/walk": below the results' folder, and nothing of its own.
  void CheckName(const JsonValue& member) {
    if (failed_) return;
    const fs::path path = member.text;
    // With an ending, `NameFor` has one to take away.
    if (NameFor(path.native() + ".x", {}) != member.text) {
      Refuse(member,
             "\"name\": expected a path below the results' folder, "
             "without \"..\" and other than the batch's own files, "
             "found \"" +
                 member.text + "\"");
    }
  }

  void AddOption(const JsonValue& member, const std::string& name,
                 const OptionForm& form, BatchJob& job) {
    const bool is_side =
        std::ranges::find(form_->sides, name, &CommandForm::Side::option) !=
        form_->sides.end();
    if (form.is_flag || is_side) {
      if (member.kind != JsonValue::Kind::kBoolean) {
        Refuse(member, "\"" + member.key +
                           "\": expected true or false, found " +
                           std::string(NameOf(member.kind)));
      } else if (member.boolean) {
        job.options.push_back("--" + name);
      }
      return;
    }
    if (member.kind == JsonValue::Kind::kArray) {
      for (const JsonValue& item : member.items) {
        AddValue(item, member.key, name, job);
      }
      return;
    }
    AddValue(member, member.key, name, job);
  }

  void AddValue(const JsonValue& value, const std::string& key,
                const std::string& name, BatchJob& job) {
    if (value.kind == JsonValue::Kind::kNumber) {
      job.options.push_back("--" + name + "=" + NumberText(value.number));
    } else if (value.kind == JsonValue::Kind::kText &&
               value.text.find('\0') == std::string::npos) {
      job.options.push_back("--" + name + "=" + value.text);
    } else {
      Refuse(value, "\"" + key + "\": expected a text or a number, found " +
                        std::string(NameOf(value.kind)));
    }
  }

  std::int64_t line_;
  const CommandTable& commands_;
  Diagnostics& findings_;
  const CommandForm* form_ = nullptr;
  bool failed_ = false;
};

}  // namespace

std::optional<BatchJob> ParseJob(std::string_view text, std::int64_t line,
                                 const CommandTable& commands,
                                 Diagnostics& findings) {
  return LineParser(line, commands, findings).Parse(text);
}

Manifest::Manifest(fs::path path, const CommandTable& commands)
    : path_(std::move(path)),
      commands_(commands),
      open_findings_(PathText(path_)) {
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) {
    open_findings_.Error("is-directory", {},
                         "expected a manifest, found a directory");
    return;
  }
  // Both readings go through one descriptor: they see the same file even if
  // another is put in its place meanwhile.
  file_.reset(std::fopen(path_.c_str(), "rbe"));
  if (!file_) {
    open_findings_.Error("cannot-open", {},
                         std::string("cannot open: ") + std::strerror(errno));
  }
}

void Manifest::Rewind() {
  std::rewind(file_.get());
  line_number_ = 0;
}

bool Manifest::ReadLine(Diagnostics& findings) {
  line_.clear();
  int c = ::getc_unlocked(file_.get());
  if (c == EOF) return false;
  ++line_number_;
  for (; c != EOF && c != '\n'; c = ::getc_unlocked(file_.get())) {
    line_ += static_cast<char>(c);
    if (line_.size() > kLongestLine) {
      findings.Error("long-line", Place::AtLine(line_number_),
                     "expected one job a line, found a line of more than " +
                         std::to_string(kLongestLine) + " bytes");
      return false;
    }
  }
  if (line_.ends_with('\r')) line_.pop_back();
  return true;
}

std::optional<BatchJob> Manifest::Next(Diagnostics& findings) {
  while (findings.all().size() < kMostFindings && ReadLine(findings)) {
    if (line_.find_first_not_of(" \t") == std::string::npos) continue;
    if (auto job = ParseJob(line_, line_number_, commands_, findings)) {
      return job;
    }
  }
  return std::nullopt;
}

void Manifest::Skip() {
  // Lines without a job are passed over as `Next` does.
  bool has_job = false;
  for (int c = 0; c != EOF && !has_job; ++line_number_) {
    for (c = ::getc_unlocked(file_.get()); c != EOF && c != '\n';
         c = ::getc_unlocked(file_.get())) {
      has_job = has_job || (c != ' ' && c != '\t' && c != '\r');
    }
  }
}

}  // namespace limber::app::batch
