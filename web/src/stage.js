// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies, lines and floor in one WebGL scene.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry,
  Color, ConeGeometry, CylinderGeometry, DirectionalLight, DoubleSide, Fog,
  Group, HemisphereLight, LineBasicMaterial, LineSegments, Matrix4, Mesh,
  MeshBasicMaterial, MeshLambertMaterial, PerspectiveCamera, PlaneGeometry,
  Quaternion, SRGBColorSpace, Scene, SphereGeometry, Vector3,
  WebGLRenderer,
} from 'three';

/** Where the light comes from; shadows fall the other way onto the floor. */
const kLight = new Vector3(0.45, 1, 0.55).normalize();
/** Shadows lie so far above the floor, so that neither hides the other [m]. */
const kShadowHeight = 0.003;
/** Figures stand so far apart when they are seen side by side [m]. */
const kApart = 1.2;
/** A push of 100 N s or a force of 1000 N is drawn as long as this [m]. */
const kArrowLength = 0.8;

/** Of the floor [m]; it ends in the haze. */
const kFloorSize = 60;

const kThemes = {
  light: {sky: '#e9edf2', floor: '#d9d6cf', grid: '#b5b0a6', shadow: '#b3aea4'},
  dark: {sky: '#1a1e24', floor: '#2a2f37', grid: '#444c57', shadow: '#1b1f25'},
};

function colourOf([r, g, b]) {
  return new Color().setRGB(r, g, b, SRGBColorSpace);
}

function geometryOf(part) {
  switch (part.kind) {
    case 'box': return new BoxGeometry(...part.size);
    case 'capsule':
      return new CapsuleGeometry(part.radius, part.length ?? 0, 5, 12);
    case 'cylinder':
      return new CylinderGeometry(part.radius, part.radius, part.length, 18);
    case 'ellipsoid': {
      const ball = new SphereGeometry(0.5, 18, 12);
      return ball.scale(...part.size);
    }
    default: return new SphereGeometry(part.radius, 14, 10);
  }
}

/** Flattens what it is applied to onto the floor, away from the light. */
function shadowMatrix() {
  const {x, y, z} = kLight;
  return new Matrix4().set(
      1, -x / y, 0, 0,
      0, 0, 0, kShadowHeight,
      0, -z / y, 1, 0,
      0, 0, 0, 1);
}

const kFlat = shadowMatrix();

/** The ends of lines of a metre each; some drawers lose longer ones that begin
 *  behind the camera. */
function gridEnds(reach) {
  const ends = [];
  for (let i = -reach; i <= reach; ++i) {
    for (let k = -reach; k < reach; ++k) {
      ends.push(i, 0, k, i, 0, k + 1, k, 0, i, k + 1, 0, i);
    }
  }
  return new Float32Array(ends);
}

/** Whether WebGL is drawn by the processor. */
function drawsInSoftware() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

/** The meshes of one actor. */
class Body {
  constructor(actor, theme) {
    this.actor = actor;
    this.group = new Group();
    this.shift = new Vector3();
    this.pieces = actor.parts.map((part) => this.makePiece(part, theme));
    this.makeLines();
    if (actor.character) this.group.add(actor.character.scene);
    // Without solids the bones are all there is.
    this.hasSolids = actor.parts.some((part) => part.layer === 'body');
  }

  makePiece(part, theme) {
    const isClear = part.opacity < 1;
    const material = new MeshLambertMaterial({
      color: colourOf(part.colour), transparent: isClear, opacity: part.opacity,
      depthWrite: !isClear,
      // Where a ghost and a body are in one place, the body is seen.
      polygonOffset: isClear, polygonOffsetFactor: 2, polygonOffsetUnits: 8,
    });
    const mesh = new Mesh(geometryOf(part), material);
    mesh.name = part.name;
    const piece = {part, mesh, fixed: new Matrix4().compose(
        new Vector3(...part.X.slice(0, 3)),
        new Quaternion(part.X[4], part.X[5], part.X[6], part.X[3]),
        new Vector3(1, 1, 1))};
    mesh.matrixAutoUpdate = false;
    this.group.add(mesh);
    if (!isClear) {
      piece.shadow = new Mesh(mesh.geometry, theme.shadowMaterial);
      piece.shadow.matrixAutoUpdate = false;
      piece.shadow.renderOrder = -1;
      piece.shadow.frustumCulled = false;
      this.group.add(piece.shadow);
    }
    return piece;
  }

  makeLines() {
    const most = this.actor.links.length + this.actor.lines.slots.length;
    const geometry = new BufferGeometry();
    this.ends = new BufferAttribute(new Float32Array(6 * most), 3);
    this.colours = new BufferAttribute(new Float32Array(6 * most), 3);
    geometry.setAttribute('position', this.ends);
    geometry.setAttribute('color', this.colours);
    const lines = new LineSegments(geometry, new LineBasicMaterial(
        {vertexColors: true, depthTest: false}));
    lines.renderOrder = 1;
    lines.frustumCulled = false;
    this.group.add(lines);
    this.lineGeometry = geometry;
  }

  /** Moves everything to where the actor's tracks are. */
  place(options) {
    const bones = options.bones || !this.hasSolids;
    // A character stands for the plain bodies; they throw its shadow.
    const {character} = this.actor;
    if (character) {
      character.scene.visible = !options.bones;
      character.scene.position.copy(this.shift);
    }
    const shift = new Matrix4().makeTranslation(this.shift);
    for (const piece of this.pieces) {
      const track = this.actor.tracks[piece.part.track];
      const {layer} = piece.part;
      const isSeen = track.isSeen &&
          (layer === 'all' || (layer === 'bone') === bones);
      piece.mesh.visible = isSeen && !(character && !options.bones);
      if (piece.shadow) piece.shadow.visible = isSeen;
      if (!isSeen) continue;
      piece.mesh.matrix.copy(shift).multiply(track.world).multiply(piece.fixed);
      if (piece.shadow) {
        piece.shadow.matrix.copy(kFlat).multiply(piece.mesh.matrix);
        piece.shadow.visible = piece.mesh.matrix.elements[13] > 0;
      }
    }
    this.placeLines(options);
  }

  placeLines(options) {
    if (this.ends.count === 0) return;
    let count = 0;
    const add = (ends, [r, g, b]) => {
      const colour = colourOf([r, g, b]);
      for (let i = 0; i < 6; ++i) {
        this.ends.array[6 * count + i] =
            ends[i] + this.shift.getComponent(i % 3);
        this.colours.array[6 * count + i] =
            [colour.r, colour.g, colour.b][i % 3];
      }
      ++count;
    };
    const {tracks, lines, nearest} = this.actor;
    if (options.lines) {
      for (const link of this.actor.links) {
        const [a, b] = [tracks[link.a], tracks[link.b]];
        if (!a.isSeen || !b.isSeen) continue;
        const from = new Vector3().setFromMatrixPosition(a.world);
        const to = new Vector3().setFromMatrixPosition(b.world);
        add([from.x, from.y, from.z, to.x, to.y, to.z], link.colour);
      }
      for (const slot of lines.slots) {
        const ends = lines.at(slot, nearest);
        if (ends) add(ends, slot.colour);
      }
    }
    this.ends.needsUpdate = true;
    this.colours.needsUpdate = true;
    this.lineGeometry.setDrawRange(0, 2 * count);
  }
}

/** Everything that is seen, and the camera. */
export class Stage {
  constructor(canvas, actors, recording) {
    // Without a graphics card every pixel counts: no smooth edges, and no
    // floor but its lines.
    this.isSoftware = drawsInSoftware();
    this.renderer = new WebGLRenderer({canvas, antialias: !this.isSoftware});
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(35, 1, 0.02, 500);
    this.recording = recording;
    this.theme = {shadowMaterial: new MeshBasicMaterial({depthWrite: false})};
    this.bodies = actors.map((actor) => new Body(actor, this.theme));
    for (const body of this.bodies) this.scene.add(body.group);
    this.arrows = recording.events.map((event) => this.makeArrow(event));
    this.addFloor();
    this.scene.add(new HemisphereLight(0xffffff, 0x8d8678, 1.7));
    const sun = new DirectionalLight(0xffffff, 1.9);
    sun.position.copy(kLight).multiplyScalar(10);
    this.scene.add(sun);
    this.setTheme(false);
  }

  /** A floor with a line every metre that goes along with the camera. */
  addFloor() {
    // Floor, lines and shadows lie in one plane: they are painted in turn.
    this.floor = new Group();
    this.ground = new Mesh(new PlaneGeometry(kFloorSize, kFloorSize),
        new MeshBasicMaterial({side: DoubleSide, depthWrite: false}));
    this.ground.rotation.x = -Math.PI / 2;
    this.ground.renderOrder = -3;
    this.ground.visible = !this.isSoftware;
    this.grid = new LineSegments(new BufferGeometry(),
        new LineBasicMaterial({depthWrite: false}));
    this.grid.geometry.setAttribute('position',
        new BufferAttribute(
            gridEnds(this.isSoftware ? kFloorSize / 6 : kFloorSize / 2), 3));
    this.grid.renderOrder = -2;
    this.floor.add(this.ground, this.grid);
    this.scene.add(this.floor);
  }

  setTheme(isDark) {
    const colours = isDark ? kThemes.dark : kThemes.light;
    const far = this.isSoftware ? colours.floor : colours.sky;
    this.scene.background = new Color(far);
    this.scene.fog = new Fog(far, 8, kFloorSize / 2);
    this.theme.shadowMaterial.color.set(colours.shadow);
    this.ground.material.color.set(colours.floor);
    this.grid.material.color.set(colours.grid);
  }

  /** An arrow that ends at the pushed body while the push lasts. */
  makeArrow(event) {
    if (!event.vector) return null;
    const vector = new Vector3(...event.vector);
    const length = Math.min(1.5, Math.max(0.35, kArrowLength * vector.length()));
    const material = new MeshBasicMaterial({color: 0xe2761b, depthTest: false});
    const shaft = new Mesh(new CylinderGeometry(0.018, 0.018, length - 0.14),
        material);
    shaft.position.y = -0.14 - (length - 0.14) / 2;
    const tip = new Mesh(new ConeGeometry(0.055, 0.14), material);
    tip.position.y = -0.07;
    const arrow = new Group();
    arrow.add(shaft, tip);
    for (const mesh of arrow.children) mesh.renderOrder = 2;
    arrow.quaternion.setFromUnitVectors(new Vector3(0, 1, 0),
        vector.normalize());
    arrow.visible = false;
    this.scene.add(arrow);
    return arrow;
  }

  /** An instant is shown for a moment, so that the eye catches it [s]. */
  placeArrows(time) {
    const kSeen = 0.25;
    this.recording.events.forEach((event, i) => {
      const arrow = this.arrows[i];
      if (!arrow) return;
      arrow.visible = event.from <= time &&
          time <= Math.max(event.to, event.from + kSeen);
      const track = this.bodies[0].actor.tracks[event.track];
      arrow.position.setFromMatrixPosition(track.world)
          .add(this.bodies[0].shift);
    });
  }

  /** Puts actors apart or over one another. */
  arrange(isBeside) {
    const across = this.sideways();
    this.bodies.forEach((body, i) => {
      const place = isBeside ? i - 0.5 * (this.bodies.length - 1) : 0;
      body.shift.copy(across).multiplyScalar(kApart * place);
    });
  }

  /** Level and across the way that is gone, so that nobody runs into another.
   */
  sideways() {
    const {actor} = this.bodies[0];
    actor.set(0, 1);
    const way = actor.centre.place.clone();
    actor.set(actor.frames - 1, 1);
    way.subVectors(actor.centre.place, way).setY(0);
    if (way.length() < 0.5) return new Vector3(1, 0, 0);
    return new Vector3(way.z, 0, -way.x).normalize();
  }

  /** The middle of what is seen. */
  centre() {
    const sum = new Vector3();
    for (const body of this.bodies) {
      sum.add(body.actor.centre.place).add(body.shift);
    }
    return sum.divideScalar(this.bodies.length);
  }

  set(frame, options) {
    for (const body of this.bodies) {
      body.actor.set(frame, this.recording.rate);
      body.group.visible = !body.actor.isGhost || options.others;
      body.place(options);
    }
    this.placeArrows(frame / this.recording.rate);
  }

  resize(width, height) {
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  draw() {
    // Whole metres, so that the lines stay where they are in the room.
    this.floor.position.x = Math.round(this.camera.position.x);
    this.floor.position.z = Math.round(this.camera.position.z);
    this.renderer.render(this.scene, this.camera);
  }

  /** Where the parts of that name are on the canvas [px], by actor. */
  pixelsOf(name, width, height) {
    return this.bodies.map((body) => {
      const piece = body.pieces.find(
          ({part, mesh}) => part.name === name && mesh.visible);
      if (!piece) return null;
      const p = new Vector3().setFromMatrixPosition(piece.mesh.matrix)
          .project(this.camera);
      return [(p.x + 1) / 2 * width, (1 - p.y) / 2 * height];
    });
  }
}
