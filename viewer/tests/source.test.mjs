// Films that are served: in parts, growing, beginning anew, and with a server that goes away.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { smallFilm, smallScene } from './support/small_film.mjs';
import { sources } from './support/sources.mjs';

const { openFilms } = await sources('film/source');

afterEach(() => {
  for (const name of ['document', 'location', 'fetch']) delete globalThis[name];
});

/** A server that answers with the samples up to what `reach()` says. */
function serve(reach, { live = true, partSize = Infinity, planned = 10 } = {}) {
  globalThis.document = { getElementById: () => null };
  globalThis.location = { protocol: 'http:' };
  globalThis.fetch = async (address) => {
    if (address === 'films') return new Response(JSON.stringify({ films: [{ name: 'small.h5', live }] }));
    const reached = reach();
    if (reached === null) throw new TypeError('refused');
    const asked = Number(new URLSearchParams(address.split('?')[1]).get('sample'));
    const first = asked > reached ? 0 : asked;
    const last = Math.min(reached, first + partSize);
    const samples = Array.from({ length: last - first }, (_, i) => ({ time: first + i }));
    const complete = last >= planned;
    // A part without the scene is the same bytes with another header: the encoder leaves `undefined` out.
    const scene = first === 0 ? smallScene() : { ...smallScene(), toJSON: () => undefined };
    const bytes = smallFilm({ scene, samples, first: { sample: first, event: 0, contact: 0, jump: 0 }, complete });
    return new Response(bytes);
  };
}

/** Opens and resolves when `until` holds of the films and of what was told. */
function watch(until) {
  const seen = { films: [], messages: [], loading: [], grown: 0 };
  return new Promise((resolve, reject) => {
    const check = () => until(seen) && resolve(seen);
    openFilms({
      loaded: (films) => {
        seen.films = films;
        check();
      },
      grown: (index, film) => {
        seen.films[index] = film;
        seen.grown += 1;
        check();
      },
      loading: (text) => seen.loading.push(text),
      trouble: (text) => {
        seen.messages.push(text);
        check();
      },
    }).catch(reject);
  });
}

test('a large record is shown with its first part, and the others come', async () => {
  serve(() => 10, { live: false, partSize: 3 });
  let first = null;
  const { films, grown, loading } = await watch(({ films: [film] }) => {
    first ??= film && { rows: film.times.length, isLoading: film.isLoading };
    return film?.complete;
  });
  assert.deepEqual(first, { rows: 3, isLoading: true });
  assert.deepEqual([...films[0].times], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.equal(films[0].isLoading, false);
  assert.equal(grown, 3);
  assert.equal(loading.at(-1), null);
});

test('a run is followed to its end', async () => {
  let reached = 2;
  serve(() => (reached = Math.min(reached + 4, 10)));
  const { films, messages } = await watch(({ films }) => films[0]?.complete);
  assert.equal(films[0].times.length, 10);
  assert.deepEqual(messages, []);
});

test('a run that has no sample yet is waited for', async () => {
  const answers = [0, 0, 10];
  serve(() => (answers.length > 0 ? answers.shift() : 10));
  const { films } = await watch(({ films }) => films.length > 0);
  assert.equal(films[0].times.length, 10);
});

test('another run in the place of the record begins the film anew', async () => {
  const answers = [8, 2, 10];
  serve(() => (answers.length > 0 ? answers.shift() : 10));
  const { films } = await watch(({ films }) => films[0]?.complete);
  assert.deepEqual([...films[0].times], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a server that goes away is told of, and it is well again when it comes back', async () => {
  const answers = [4, null, null, 10];
  serve(() => (answers.length > 0 ? answers.shift() : 10));
  const { films, messages } = await watch(({ films }) => films[0]?.complete);
  assert.equal(messages.length, 2);
  assert.match(messages[0], /does not answer any more.*as far as it came/);
  assert.equal(messages[1], null);
  assert.equal(films[0].times.length, 10);
});

test('no film at all is told of', async () => {
  globalThis.document = { getElementById: () => null };
  globalThis.location = { protocol: 'file:' };
  await assert.rejects(watch(() => false), /no film in this page/);
  globalThis.location = { protocol: 'http:' };
  globalThis.fetch = async () => new Response('gone', { status: 404 });
  await assert.rejects(watch(() => false), /answers 404/);
});
