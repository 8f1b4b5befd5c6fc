// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/player/player_html.h"

#include "app/player/packing.h"
#include "app/player/strip.h"
#include "app/reports/plot.h"

// The script as web/bundle.mjs made it, deflated; of no length where it could
// not be made.
asm(R"(
    .section .rodata
    .global limber_player_script
    .global limber_player_script_end
limber_player_script:
    .incbin ")" LIMBER_PLAYER_SCRIPT R"("
limber_player_script_end:
    .byte 0
    .text
)");
extern "C" const char limber_player_script[];
extern "C" const char limber_player_script_end[];

namespace limber::app {

namespace {

constexpr std::string_view kElement = "<div class=\"limber-player\">";

std::string_view Script() {
  return {limber_player_script,
          static_cast<std::size_t>(limber_player_script_end -
                                   limber_player_script)};
}

/// JSON inside an element of a page must not end that element.
std::string ForElement(std::string json) {
  for (std::size_t at = json.find("</"); at != std::string::npos;
       at = json.find("</", at)) {
    json.replace(at, 2, "<\\/");
  }
  return json;
}

}  // namespace

bool HasPlayer() { return !Script().empty(); }

std::string PlayerHtml(const PlayerRecording& recording) {
  std::string html = "<figure>" + std::string(kElement) + StripSvg(recording);
  if (HasPlayer()) {
    html +=
        "<script type=\"application/json\">" +
        ForElement(ToJson(recording).dump(
            -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) +
        "</script>";
  }
  html += "</div><figcaption>" + EscapeForPage(recording.title);
  if (!recording.note.empty()) html += ". " + EscapeForPage(recording.note);
  if (!HasPlayer()) {
    html +=
        ". It would move, but this program was built without npm, which brings "
        "the player's script";
  }
  return html + "</figcaption></figure>\n";
}

std::string PlayerScriptFor(std::string_view body) {
  if (!HasPlayer() || body.find(kElement) == std::string_view::npos) return "";
  // A browser too old to unpack the script keeps the strips.
  return "<script>\n"
         "if ('DecompressionStream' in window) {\n"
         "  const bytes = Uint8Array.from(atob('" +
         Base64(Script()) +
         "'),\n"
         "      (letter) => letter.charCodeAt(0));\n"
         "  new Response(new Blob([bytes]).stream().pipeThrough(\n"
         "      new DecompressionStream('deflate'))).text().then((text) => {\n"
         "    const script = document.createElement('script');\n"
         "    script.textContent = text;\n"
         "    document.body.append(script);\n"
         "  });\n"
         "}\n</script>\n";
}

}  // namespace limber::app
