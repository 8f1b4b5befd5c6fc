// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/math.h"

// GLSL 1.20, which every driver and the software renderer know.

namespace limber::viewer::internal {

/// Towards the light that casts the shadows, world axes.
inline const Vector3 kKeyLight = Vector3(0.45, 0.80, 0.40).normalized();

/// Per-pixel light of three lamps: key, a cool fill from the other side, a rim
/// from behind; and a sky brighter than the ground.
inline constexpr const char* kSolidVertex = R"glsl(#version 120
varying vec3 normal_view;
varying vec3 position_view;
varying vec4 colour;
void main() {
  normal_view = gl_NormalMatrix * gl_Normal;
  vec4 p = gl_ModelViewMatrix * gl_Vertex;
  position_view = p.xyz;
  colour = gl_Color;
  gl_Position = gl_ProjectionMatrix * p;
}
)glsl";

inline constexpr const char* kSolidFragment = R"glsl(#version 120
uniform mat4 osg_ViewMatrix;
uniform vec3 key_light;
varying vec3 normal_view;
varying vec3 position_view;
varying vec4 colour;
void main() {
  vec3 n = normalize(normal_view);
  vec3 to_eye = normalize(-position_view);
  vec3 key = normalize((osg_ViewMatrix * vec4(key_light, 0.0)).xyz);
  vec3 fill = normalize((osg_ViewMatrix * vec4(-0.7, 0.35, 0.5, 0.0)).xyz);
  vec3 up = normalize((osg_ViewMatrix * vec4(0.0, 1.0, 0.0, 0.0)).xyz);
  float sky = 0.5 + 0.5 * dot(n, up);
  float diffuse = max(dot(n, key), 0.0);
  float soft = max(dot(n, fill), 0.0);
  float gloss = pow(max(dot(n, normalize(key + to_eye)), 0.0), 40.0);
  float rim = pow(1.0 - max(dot(n, to_eye), 0.0), 3.0);
  vec3 light = mix(vec3(0.22, 0.21, 0.20), vec3(0.42, 0.44, 0.47), sky)
      + vec3(0.62, 0.60, 0.56) * diffuse + vec3(0.12, 0.14, 0.18) * soft;
  vec3 shown = colour.rgb * light + vec3(0.16) * gloss
      + vec3(0.10, 0.11, 0.13) * rim;
  gl_FragColor = vec4(shown, colour.a);
}
)glsl";

/// A grid of metres, every fifth line darker, that fades with distance.
inline constexpr const char* kFloorVertex = R"glsl(#version 120
varying vec3 place;
varying vec3 position_view;
varying vec3 up_view;
void main() {
  up_view = gl_NormalMatrix * vec3(0.0, 1.0, 0.0);
  place = gl_Vertex.xyz;
  vec4 p = gl_ModelViewMatrix * gl_Vertex;
  position_view = p.xyz;
  gl_Position = gl_ProjectionMatrix * p;
}
)glsl";

inline constexpr const char* kFloorFragment = R"glsl(#version 120
uniform vec3 background;
varying vec3 place;
varying vec3 position_view;
varying vec3 up_view;
float lines(vec2 at, float width) {
  vec2 spread = fwidth(at);
  vec2 away = abs(fract(at - 0.5) - 0.5);
  vec2 on = 1.0 - smoothstep(vec2(width), vec2(width) + spread * 1.5, away);
  // Lines closer than a pixel melt into a tone.
  on *= clamp(1.0 - spread * 2.0, 0.0, 1.0);
  return max(on.x, on.y);
}
void main() {
  vec3 floor_colour = vec3(0.83, 0.85, 0.87);
  float fine = lines(place.xz, 0.004);
  float coarse = lines(place.xz / 5.0, 0.0016);
  vec3 shown = mix(floor_colour, vec3(0.70, 0.73, 0.77), fine);
  shown = mix(shown, vec3(0.52, 0.56, 0.62), coarse);
  // From higher up one sees farther.
  float height = abs(dot(up_view, position_view));
  float fade = smoothstep(12.0 + 4.0 * height, 45.0 + 8.0 * height,
                          length(position_view));
  gl_FragColor = vec4(mix(shown, background, fade), 1.0);
}
)glsl";

inline constexpr const char* kShadowVertex = R"glsl(#version 120
void main() { gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex; }
)glsl";

inline constexpr const char* kShadowFragment = R"glsl(#version 120
void main() { gl_FragColor = vec4(0.10, 0.12, 0.16, 0.05); }
)glsl";

inline constexpr const char* kLineVertex = R"glsl(#version 120
varying vec4 colour;
void main() {
  colour = gl_Color;
  gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;
}
)glsl";

inline constexpr const char* kLineFragment = R"glsl(#version 120
varying vec4 colour;
void main() { gl_FragColor = colour; }
)glsl";

}  // namespace limber::viewer::internal
