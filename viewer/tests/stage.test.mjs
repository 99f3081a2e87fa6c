// What the stage decides without drawing: where to look from, what to frame, which colours.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { sampleFilm } from './support/sample_film.mjs';
import { contact, impact, smallFilm, smallScene } from './support/small_film.mjs';
import { sources } from './support/sources.mjs';

const {
  Film, decodePart, sceneAxes, viewDirection, suggestedView, filmExtent, Extents, framing, closeUpMargin, fieldsFor, niceBelow,
  bodyColour, stageColours, lengthText, formOf, unitGeometry, shapeScale, shapeRadius, Solids, Poses, Sphere, Vector3,
} = await sources(
  'film/film', 'film/format', 'stage/axes', 'stage/suggest', 'stage/bounds', 'stage/extents', 'stage/framing',
  'stage/overlay',  'stage/planes', 'stage/colours', 'stage/compass', 'stage/geometries', 'stage/solids',
  'stage/poses', '../node_modules/three/build/three.module.js',
);
const filmOf = (bytes) => new Film(decodePart(new Uint8Array(bytes).buffer));
const moving = (path, changes = {}, rest = {}) => {
  const samples = Array.from({ length: 21 }, (_, i) => ({ time: i / 20, spin: [0, 0, 0], ...path(i / 20) }));
  return filmOf(smallFilm({ scene: smallScene(1, changes), samples, ...rest }));
};

describe('axes of a scene', () => {
  for (const gravity of [[0, 0, -10], [0, -10, 0], [-10, 0, 0], [3, -4, -5], [0, 0, 0]]) {
    test(`are right-handed and upright for gravity ${gravity}`, () => {
      const { up, right, front } = sceneAxes(smallScene(1, { gravity }));
      for (const axis of [up, right, front]) assert.ok(Math.abs(axis.length() - 1) < 1e-14);
      assert.ok(right.clone().cross(up).distanceTo(front) < 1e-14);
      assert.ok(up.dot(new Vector3(...gravity)) <= 0);
    });
  }
  test('have x to the right and look along y where z is up', () => {
    const { right, front } = sceneAxes(smallScene());
    assert.deepEqual(right.toArray(), [1, 0, 0]);
    assert.ok(front.distanceTo(new Vector3(0, -1, 0)) < 1e-15);
  });
});

describe('the suggested view', () => {
  const cases = [
    ['front', 'a throw in the xz-plane', (t) => ({ position: [t, 0, t * (1 - t)] }), {}],
    ['front', 'a ball that rolls along x', (t) => ({ position: [t, 0, 0.1], spin: [0, 10, 0] }), {}],
    ['side', 'a throw in the yz-plane', (t) => ({ position: [0, t, t * (1 - t)] }), {}],
    ['top', 'a motion in the xy-plane', (t) => ({ position: [Math.cos(t), Math.sin(t), 0.1] }), {}],
    ['front', 'a motion in the xy-plane with gravity along y', (t) => ({ position: [t, t * (1 - t), 0] }),
      { gravity: [0, -10, 0] }],
    ['iso', 'a motion in space', (t) => ({ position: [t, t * t, t * (1 - t)] }), {}],
    ['iso', 'a body that tumbles as it falls', (t) => ({ position: [0, 0, 1 - t * t], spin: [3, 1, 2] }), {}],
    ['iso', 'a body at rest', () => ({ position: [0, 0, 0.1] }), {}],
  ];
  for (const [view, name, path, changes] of cases) {
    test(`is ${view} for ${name}`, () => assert.equal(suggestedView(moving(path, changes)), view));
  }
  test('is top where a motion along x is pushed along y', () => {
    const events = [impact(0.5, { contacts: [contact({ normal: [0.6, 0.8, 0] })] })];
    assert.equal(suggestedView(moving((t) => ({ position: [Math.abs(t - 0.5), 0, 0.1] }), {}, { events })), 'top');
  });
});

describe('the extent of a film', () => {
  test('holds the bodies where they start', () => {
    const sample = filmOf(sampleFilm().bytes);
    const { box } = filmExtent(sample);
    for (let body = 0; body < sample.bodies; ++body) {
      assert.ok(box.containsPoint(new Vector3(...sample.vector('position', body))), sample.objectName(body));
    }
  });
  test('is not drawn out by a ball that flies away after an impact', () => {
    const events = [impact(0.1, { contacts: [contact({ point: [0.2, 0, 0] })] })];
    const x = (t) => (t < 0.1 ? 1 - 8 * t : 0.2 + 1e4 * (t - 0.1));
    const { box } = filmExtent(moving((t) => ({ position: [x(t), 0, 0.1] }), {}, { events }));
    assert.ok(box.max.x < 5 && box.min.x > -5, `${box.min.x} … ${box.max.x}`);
  });
  test('is never empty', () => {
    const { box } = filmExtent(filmOf(smallFilm({ samples: [] })));
    assert.ok(box.max.x > box.min.x);
  });
  test('stays as it is while a film that grows stays within it', () => {
    const samples = [0, 0.5, 1].map((time) => ({ time, position: [time, 0, 1] }));
    const film = filmOf(smallFilm({ samples, complete: false }));
    const extents = new Extents();
    const first = extents.of([film]);
    film.revision += 1;
    assert.equal(extents.of([film]), first);
  });
});

describe('framing', () => {
  test('a close-up leaves a body room for its arrows, and a crowd less', () => {
    const ball = (x) => new Sphere(new Vector3(x, 0, 0), 1);
    assert.ok(Math.abs(closeUpMargin([ball(0)]) - 2.6) < 1e-12);
    assert.ok(closeUpMargin([-10, -5, 0, 5, 10].map(ball)) < 1.7);
    assert.ok(Math.abs(closeUpMargin([new Sphere(new Vector3(), 0)]) - 2.6) < 1e-12);
  });

  const balls = [[0, 0, 0, 0.3], [1, 0.2, -0.4, 0.1], [-0.7, 0.5, 0.6, 0.2], [0.2, -0.9, 0.3, 0.05]]
    .map(([x, y, z, radius]) => new Sphere(new Vector3(x, y, z), radius));
  const { up } = sceneAxes(smallScene());
  for (const preset of ['iso', 'front', 'side', 'top']) {
    for (const aspect of [0.5, 1, 16 / 9]) {
      test(`shows all balls from ${preset} at aspect ${aspect.toFixed(2)}, and could not be closer`, () => {
        const direction = viewDirection(sceneAxes(smallScene()), preset);
        const slopes = { up: 0.2, right: 0.2 * aspect };
        const { target, distance } = framing(balls, direction, up, slopes);
        const right = new Vector3().crossVectors(up, direction).normalize();
        const upward = new Vector3().crossVectors(direction, right);
        const camera = target.clone().addScaledVector(direction, distance);
        // How far balls reach towards the edges of the field: 1 is the edge.
        const filled = (axis, slope) => Math.max(...balls.map(({ center, radius }) => {
          const offset = center.clone().sub(camera);
          return (Math.abs(offset.dot(axis)) + radius * Math.hypot(1, slope)) / (-offset.dot(direction) * slope);
        }));
        const fullest = Math.max(filled(right, slopes.right), filled(upward, slopes.up));
        assert.ok(fullest < 1.02 && fullest > 0.97, `${fullest}`);
      });
    }
  }
});

describe('fields side by side', () => {
  for (const count of [1, 2, 3, 5]) {
    for (const [width, height] of [[1280, 720], [390, 500]]) {
      test(`${count} in ${width} × ${height} lie inside and apart`, () => {
        const fields = fieldsFor(count, width, height);
        assert.equal(fields.length, count);
        fields.forEach((a, i) => {
          assert.ok(a.x >= 0 && a.y >= 0 && a.width > 0 && a.height > 0);
          assert.ok(a.x + a.width <= width && a.y + a.height <= height);
          for (const b of fields.slice(i + 1)) {
            const beside = a.x + a.width <= b.x || b.x + b.width <= a.x;
            assert.ok(beside || a.y + a.height <= b.y || b.y + b.height <= a.y);
          }
        });
      });
    }
  }
});

test('steps of the grid are 1, 2 or 5 times a power of ten', () => {
  const cases = [[1, 1], [1.99, 1], [2, 2], [4.9, 2], [5.1, 5], [0.03, 0.02], [7e-7, 5e-7], [1234, 1000]];
  for (const [value, step] of cases) {
    assert.ok(Math.abs(niceBelow(value) / step - 1) < 1e-12, `${value}`);
  }
});

test('lengths are told with a fitting unit', () => {
  const cases = [
    [1000, '1 km'], [20, '20 m'], [0.2, '0.2 m'], [0.05, '50 mm'], [1e-3, '1 mm'], [5e-4, '500 µm'], [2e-9, '2 nm'],
  ];
  for (const [metres, text] of cases) assert.equal(lengthText(metres), text);
});

describe('colours', () => {
  const luminance = (colour) => {
    const value = Number.parseInt(colour.slice(1), 16);
    const linear = [value >> 16, (value >> 8) & 255, value & 255].map((c) => {
      const share = c / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  for (const theme of ['light', 'dark']) {
    const ground = stageColours[theme].background;
    test(`of the first eight bodies stand out on the ${theme} ground`, () => {
      for (let body = 0; body < 8; ++body) {
        const found = contrast(bodyColour(body, theme), ground);
        assert.ok(found >= 2.8, `${body}: ${found}`);
      }
    });
    test(`of 24 bodies differ on the ${theme} ground`, () => {
      assert.equal(new Set(Array.from({ length: 24 }, (_, body) => bodyColour(body, theme))).size, 24);
    });
    test(`of texts and arrows are readable on the ${theme} ground`, () => {
      const { text, faintText, velocity } = stageColours[theme];
      for (const colour of [text, faintText, velocity]) {
        assert.ok(contrast(colour, ground) >= 4.5, colour);
      }
      assert.ok(contrast(stageColours[theme].push, ground) >= 3);
    });
  }
});

describe('the surfaces of shapes', () => {
  const octahedron = {
    kind: 'convex',
    vertices: [[1, 0, 0], [0, 2, 0], [-1, 0, 0], [0, -2, 0], [0, 0, 3], [0, 0, -3]],
    faces: [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [1, 0, 5], [2, 1, 5], [3, 2, 5], [0, 3, 5]],
  };
  // Of each shape the corners of the box around it, in its own frame.
  const cases = [
    [{ kind: 'sphere', radius: 2 }, [-2, -2, -2], [2, 2, 2]],
    [{ kind: 'cylinder', radius: 2, half_length: 3 }, [-2, -2, -3], [2, 2, 3]],
    [{ kind: 'capsule', radius: 2, half_length: 3 }, [-2, -2, -5], [2, 2, 5]],
    [{ kind: 'cone', radius: 2, height: 3 }, [-2, -2, 0], [2, 2, 3]],
    [{ kind: 'half_cylinder', radius: 2, half_length: 3 }, [-2, -2, -3], [2, 0, 3]],
    [{ kind: 'rod', half_length: 3 }, [-0.03, -0.03, -3], [0.03, 0.03, 3]],
    [octahedron, [-1, -2, -3], [1, 2, 3]],
  ];
  for (const [shape, low, high] of cases) {
    test(`of a ${shape.kind} reach as far as it does and look outwards`, () => {
      const form = formOf(shape);
      const geometry = unitGeometry(form, shape, 4).scale(...shapeScale(shape).toArray());
      geometry.computeBoundingBox();
      const { min, max } = geometry.boundingBox;
      for (const [found, expected] of [[min, low], [max, high]]) {
        assert.ok(found.distanceTo(new Vector3(...expected)) < 1e-5, `${found.toArray()} is not ${expected}`);
      }
      const flat = geometry.index === null ? geometry : geometry.toNonIndexed();
      const at = (i) => new Vector3().fromBufferAttribute(flat.getAttribute('position'), i);
      let volume = 0;
      for (let i = 0; i < flat.getAttribute('position').count; i += 3) {
        volume += at(i).dot(at(i + 1).cross(at(i + 2))) / 6;
      }
      assert.ok(volume > 0);
    });
  }
  test('of one form are shared, and those of others are not', () => {
    const capsule = (radius, half_length) => formOf({ kind: 'capsule', radius, half_length });
    assert.equal(capsule(1, 2), capsule(2, 4));
    assert.notEqual(capsule(1, 2), capsule(1, 3));
    assert.equal(formOf({ kind: 'plane' }), null);
  });
  test('of a compound stand where its parts do', () => {
    const half = Math.SQRT1_2;
    const parts = [
      { shape: { kind: 'sphere', radius: 0.5 }, position: [0, 0, 2], orientation: [1, 0, 0, 0] },
      { shape: { kind: 'box', half_sizes: [0.1, 0.1, 1] }, position: [3, 0, 0], orientation: [half, 0, half, 0] },
    ];
    const shape = { kind: 'compound', parts };
    assert.ok(Math.abs(shapeRadius(shape) - (3 + Math.hypot(0.1, 0.1, 1))) < 1e-12);
    const scene = smallScene(1, {});
    const film = filmOf(smallFilm({ scene: { ...scene, objects: [{ ...scene.objects[0], shape }, ...scene.objects.slice(1)] } }));
    const solids = new Solids(film, { kind: 'solid', fineness: 4 }, 'light');
    solids.update(new Poses(film), new Vector3());
    const places = solids.shapesOf(0).map(({ matrix }) => new Vector3().setFromMatrixPosition(matrix));
    const body = new Vector3(...film.vector('position', 0));
    assert.equal(places.length, 2);
    assert.ok(Math.abs(places[0].distanceTo(body) - 2) < 1e-6);
    assert.ok(Math.abs(places[1].distanceTo(body) - 3) < 1e-6);
  });
});
