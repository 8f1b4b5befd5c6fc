// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The header of a .npy: a Python dictionary in text.
#include <charconv>
#include <limits>

#include "mocap/io/internal/npy.h"
#include "mocap/io/internal/quoted.h"

namespace limber::mocap::internal {

namespace {

/// Arrays of more dimensions are refused; numpy's own limit.
constexpr std::size_t kMostDimensions = 32;

/// Reads words of a dictionary from left to right. The first thing that is not
/// as expected ends it.
class HeaderText {
 public:
  explicit HeaderText(std::string_view text) : text_(text) {}

  const std::string& problem() const { return problem_; }
  bool good() const { return problem_.empty(); }

  bool Take(char c) {
    SkipBlanks();
    if (!good() || at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void Need(char c) {
    if (!Take(c)) Fail(std::string("expected '") + c + "'");
  }
  std::string_view QuotedWord() {
    SkipBlanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') {
      Fail("expected a word in quotation marks");
      return {};
    }
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) {
      Fail("expected the end of a word");
      return {};
    }
    const std::string_view word = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return word;
  }
  bool TrueOrFalse() {
    SkipBlanks();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return word == "True";
    }
    Fail("expected True or False");
    return false;
  }
  std::uint64_t WholeNumber() {
    SkipBlanks();
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(
        text_.data() + at_, text_.data() + text_.size(), number);
    if (error != std::errc()) {
      Fail("expected a whole number that fits 64 bits");
      return 0;
    }
    at_ = std::size_t(end - text_.data());
    // Python 2 wrote long numbers with an L.
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;
    return number;
  }
  bool AtEnd() {
    SkipBlanks();
    return at_ == text_.size();
  }
  void Fail(const std::string& expected) {
    if (!good()) return;
    problem_ = "byte " + std::to_string(at_) + " of the header: " + expected +
               ", found " +
               (at_ < text_.size() ? Quoted(text_.substr(at_, 20)) : "its end");
  }

 private:
  void SkipBlanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) {
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string problem_;
};

/// "<f4": byte order, kind, bytes (characters for U).
bool ParseType(std::string_view word, NpyHeader& header) {
  if (word.size() < 2) return false;
  header.is_big_endian = word[0] == '>';
  if (std::string_view("<>|=").find(word[0]) != std::string_view::npos) {
    word.remove_prefix(1);
  }
  if (word.empty()) return false;
  header.kind = word[0];
  if (std::string_view("fiubUSO").find(header.kind) == std::string_view::npos) {
    return false;
  }
  if (header.kind == 'O' && word.size() == 1) return true;
  word.remove_prefix(1);
  std::uint32_t size = 0;
  const auto [end, error] =
      std::from_chars(word.data(), word.data() + word.size(), size);
  if (error != std::errc() || end != word.data() + word.size()) return false;
  header.item_size = header.kind == 'U' ? std::size_t{4} * size : size;
  return true;
}

void ReadShape(HeaderText& text, NpyHeader& header) {
  text.Need('(');
  while (text.good() && !text.Take(')')) {
    header.shape.push_back(text.WholeNumber());
    if (header.shape.size() > kMostDimensions) {
      text.Fail("expected at most 32 dimensions");
    }
    if (!text.Take(',')) {
      text.Need(')');
      return;
    }
  }
}

/// The product of the shape, or nothing where it does not fit.
std::optional<std::size_t> Product(std::span<const std::uint64_t> shape) {
  std::size_t product = 1;
  for (const std::uint64_t extent : shape) {
    if (extent != 0 &&
        product > std::numeric_limits<std::size_t>::max() / extent) {
      return std::nullopt;
    }
    product *= extent;
  }
  return product;
}

}  // namespace

std::string ShapeText(std::span<const std::uint64_t> shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::optional<NpyHeader> ParseNpyHeader(std::string_view bytes,
                                        std::string& problem) {
  HeaderText text(bytes);
  NpyHeader header;
  bool has_type = false;
  bool has_order = false;
  bool has_shape = false;
  text.Need('{');
  while (text.good() && !text.Take('}')) {
    const std::string_view key = text.QuotedWord();
    text.Need(':');
    if (key == "descr" && !has_type) {
      has_type = true;
      if (const std::string_view word = text.QuotedWord();
          text.good() && !ParseType(word, header)) {
        text.Fail("expected a type such as '<f8' before this, not " +
                  Quoted(word));
      }
    } else if (key == "fortran_order" && !has_order) {
      has_order = true;
      header.is_fortran_order = text.TrueOrFalse();
    } else if (key == "shape" && !has_shape) {
      has_shape = true;
      ReadShape(text, header);
    } else {
      text.Fail("expected descr, fortran_order and shape once each");
    }
    if (!text.Take(',')) {
      text.Need('}');
      break;
    }
  }
  if (text.good() && !(has_type && has_order && has_shape)) {
    text.Fail("expected descr, fortran_order and shape");
  }
  if (text.good() && !text.AtEnd()) text.Fail("expected nothing more");
  if (const std::optional<std::size_t> items = Product(header.shape)) {
    header.num_items = *items;
  } else {
    text.Fail("expected a shape whose product fits 64 bits, not " +
              ShapeText(header.shape));
  }
  problem = text.problem();
  if (!text.good()) return std::nullopt;
  return header;
}

}  // namespace limber::mocap::internal
