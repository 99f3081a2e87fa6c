// The bytes of a film, and a film that grows.

import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { describe, test } from 'node:test';

import { encodeFilm } from './support/encode_film.mjs';
import { sampleFilm } from './support/sample_film.mjs';
import { contact, impact, jump, smallFilm, smallScene } from './support/small_film.mjs';
import { sources } from './support/sources.mjs';

const { Film, decodePart, decodeBase64, gunzip } = await sources('film/film', 'film/format', 'film/source');
const buffer = (bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const film = (bytes) => new Film(decodePart(buffer(bytes)));

describe('decoding', () => {
  test('gives back the header and every array', () => {
    const sample = sampleFilm();
    const part = decodePart(buffer(sample.bytes));
    assert.equal(part.header.name, 'sample.h5');
    assert.equal(part.header.scene.title, sample.scene.title);
    for (const [name, [, numbers]] of Object.entries(sample.arrays)) {
      assert.equal(part.arrays.get(name).length, numbers.length, name);
    }
    assert.deepEqual(part.arrays.get('time'), Float64Array.from(sample.arrays.time[1]));
  });

  test('a film cut off anywhere is told of', () => {
    const { bytes } = sampleFilm();
    for (const length of [0, 7, 15, 16, 100, bytes.length - 8]) {
      assert.throws(() => decodePart(buffer(bytes.slice(0, length))), /cut off/, `${length} bytes`);
    }
  });

  test('other bytes are no film', () => {
    const bytes = smallFilm({ samples: [{ time: 0 }] });
    bytes[0] = 0x58;
    assert.throws(() => decodePart(buffer(bytes)), /not a film/);
  });

  test('a newer format is named', () => {
    const bytes = smallFilm({ samples: [{ time: 0 }] });
    new DataView(bytes.buffer).setUint32(12, 3, true);
    assert.throws(() => decodePart(buffer(bytes)), /format 3.*reads 2/);
  });

  test('numbers of an unknown type are told of', () => {
    const bytes = encodeFilm({ name: 'x', scene: smallScene(), arrays: { time: ['f64', [0]] } });
    const text = new TextDecoder().decode(bytes).indexOf('"f64"');
    bytes.set(new TextEncoder().encode('"f16"'), text);
    assert.throws(() => decodePart(buffer(bytes)), /unknown type f16/);
  });

  test('base64 and gzip of a page are undone', async () => {
    const { bytes } = sampleFilm();
    const text = gzipSync(bytes).toString('base64');
    assert.deepEqual(new Uint8Array(await gunzip(decodeBase64(`\n${text}\n`))), bytes);
    await assert.rejects(gunzip(decodeBase64(text.slice(0, 400))));
  });
});

describe('a film', () => {
  test('puts an event together from its rows', () => {
    const events = [
      impact(0.1, { contacts: [contact(), contact({ a: 1, impulse: 2 })], jumps: [jump()], flags: 0b101 }),
      impact(0.2, { kind: 1, contacts: [] }),
      impact(0.3, { contacts: [contact({ impulse: 5 })], jumps: [jump({ body: 1 }), jump()] }),
    ];
    const scene = smallScene(2);
    const shown = film(smallFilm({ scene, samples: [[{ time: 0 }], [{ time: 0 }]], events }));
    const first = shown.event(0);
    assert.deepEqual(first.contacts.map(({ impulse }) => impulse), [1, 2]);
    assert.deepEqual(first.flags.map(({ name }) => name), ['energy-created', 'negative-impulse']);
    assert.equal(first.law, 'newton');
    assert.equal(shown.event(1).kind, 'rest');
    assert.equal(shown.event(1).law, '');
    assert.deepEqual(shown.event(2).jumps.map(({ body }) => body), [1, 0]);
    assert.deepEqual([...shown.jumpRows(0)], [0, 2]);
    assert.equal(shown.jumpTime(2), 0.3);
  });

  const parts = () => {
    const scene = smallScene();
    const samples = [0, 0.1, 0.2].map((time) => ({ time, position: [time, 0, 0] }));
    const start = smallFilm({ scene, samples: samples.slice(0, 1), events: [impact(0.05)], complete: false });
    const rest = smallFilm({
      scene, samples: samples.slice(1), events: [impact(0.15)], first: { sample: 1, event: 1, contact: 1, jump: 0 },
    });
    return { start, rest };
  };

  test('grows by parts', () => {
    const { start, rest } = parts();
    const grown = film(start);
    assert.equal(grown.endTime, 0);
    assert.equal(grown.complete, false);
    grown.append(decodePart(buffer(rest)));
    assert.deepEqual([...grown.times], [0, 0.1, 0.2]);
    assert.deepEqual([...grown.eventTimes], [0.05, 0.15]);
    assert.deepEqual([...grown.column('position')].filter((_, i) => i % 3 === 0), [0, 0.1, 0.2]);
    assert.equal(grown.complete, true);
    assert.equal(grown.revision, 1);
  });

  test('a part that does not fit is refused, and nothing is changed', () => {
    const { start, rest } = parts();
    const grown = film(start);
    grown.append(decodePart(buffer(rest)));
    assert.throws(() => grown.append(decodePart(buffer(rest))), /missing/);
    assert.equal(grown.times.length, 3);
  });

  test('many parts keep their order', () => {
    const scene = smallScene();
    const grown = film(smallFilm({ scene, samples: [{ time: 0 }], complete: false }));
    for (let i = 1; i < 200; ++i) {
      const first = { sample: i, event: 0, contact: 0, jump: 0 };
      grown.append(decodePart(buffer(smallFilm({ scene, samples: [{ time: i }], first, complete: i === 199 }))));
    }
    assert.deepEqual([...grown.times], Array.from({ length: 200 }, (_, i) => i));
  });
});
