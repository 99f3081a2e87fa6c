/**
 * Where the page gets its films from: written into it, or served over loopback by `carom view`.
 *
 * Written: <script type="application/octet-stream;base64" id="film-K" data-name="…">, the film's bytes, gzip, base64.
 * Served:  GET films → {"films": [{"name", "live"}]};
 *          GET film/K?sample=&energy=&event=&contact=&jump=&joint=&load=&feature=&run= → the part from these counts.
 */

import { Film } from './film';
import { decodePart } from './format';

export interface FilmListener {
  /** All films have their first part. */
  loaded(films: Film[]): void;
  /** Film K has grown, or is complete now; where another run took the record's place it is another film. */
  grown(index: number, film: Film): void;
  /** Something is on its way; null: it is there. */
  loading(message: string | null): void;
  /** Something to tell the user; null: it is well again. */
  trouble(message: string | null): void;
}

const pollInterval = 500;
/** Between parts of a record that is being read. */
const soon = 20;
/** A part with as many new events was cut to a handy size: there is more to fetch at once. */
const fullPart = 500;

export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return await new Response(stream).arrayBuffer();
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A capital and a full stop. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
}

async function readEmbedded(): Promise<Film[]> {
  const films: Film[] = [];
  for (let k = 0; ; ++k) {
    const script = document.getElementById(`film-${k}`);
    if (script === null) return films;
    const name = script.dataset.name ?? '';
    let bytes: ArrayBuffer;
    try {
      bytes = await gunzip(decodeBase64(script.textContent ?? ''));
    } catch {
      throw new Error(`the film ${name} in this page is damaged or cut off`);
    }
    films.push(new Film(decodePart(bytes)));
    script.remove(); // megabytes of text that nobody needs any more
  }
}

async function fetchPart(index: number, film: Film | null): Promise<ReturnType<typeof decodePart>> {
  const rows = Object.entries(film?.counts ?? {}).map(([table, count]) => `${table}=${count}`);
  if (film !== null) rows.push(`run=${film.run}`);
  const answer = await fetch(`film/${index}?${rows.join('&')}`);
  if (!answer.ok) throw new Error((await answer.text()).trim() || `the server answers ${answer.status}`);
  return decodePart(await answer.arrayBuffer());
}

/** The film with its next part; a new film where the server begins anew, since another run took the record's place. */
async function grownFilm(index: number, film: Film): Promise<Film> {
  const part = await fetchPart(index, film);
  if (part.header.scene !== undefined) return new Film(part);
  film.append(part);
  return film;
}

/** Asks for more until the film is complete. A server that is gone is told of once, and asked more and more rarely. */
function follow(index: number, first: Film, listener: FilmListener): void {
  let failures = 0;
  let more = false;
  let film = first;
  const poll = async (): Promise<void> => {
    try {
      const before = film.revision;
      const eventsBefore = film.counts.event;
      const next = await grownFilm(index, film);
      next.isLoading = film.isLoading && !next.complete && next.run === film.run;
      more = next.isLoading || next.counts.event - eventsBefore >= fullPart;
      if (failures > 1) listener.trouble(null);
      failures = 0;
      if (next !== film || next.revision !== before) listener.grown(index, next);
      film = next;
    } catch (error) {
      failures += 1;
      more = false;
      if (failures === 2) {
        const lost = error instanceof TypeError ? 'carom does not answer any more' : reason(error);
        listener.trouble(sentence(`${lost}. The film is shown as far as it came`));
      }
    }
    if (!film.complete) setTimeout(() => void poll(), more ? soon : Math.min(pollInterval * 2 ** failures, 8000));
  };
  setTimeout(() => void poll(), first.complete || first.isLoading ? soon : pollInterval);
}

/** The first part: of a long record the others come while it is watched; of a run its first sample is waited for. */
async function fetchFirst(index: number, live: boolean, listener: FilmListener): Promise<Film> {
  let film = new Film(await fetchPart(index, null));
  while (!film.complete && film.counts.sample === 0) {
    listener.loading(`Waiting for ${film.name} to begin …`);
    await new Promise((resolve) => setTimeout(resolve, live ? pollInterval : soon));
    film = await grownFilm(index, film);
  }
  film.isLoading = !live && !film.complete;
  listener.loading(null);
  return film;
}

/** Films that the server can make anew, by their place; null from file://. */
const rerunnable = new Set<number>();

export function canRerun(index: number): boolean {
  return rerunnable.has(index);
}

/** Runs the scene of a film again with these settings. Throws an Error that can be shown where that does not work. */
export async function rerun(index: number, settings: readonly string[], film: Film, listener: FilmListener): Promise<void> {
  const answer = await fetch(`film/${index}/rerun`, { method: 'POST', body: settings.join('\n') });
  if (!answer.ok) throw new Error(sentence((await answer.text()).trim() || `the server answers ${answer.status}`));
  // A film that still grows is followed already, and comes anew by itself.
  if (film.complete) follow(index, film, listener);
}

async function readServed(listener: FilmListener): Promise<Film[]> {
  let answer: Response;
  try {
    answer = await fetch('films');
  } catch {
    throw new Error('there is no film in this page, and carom does not answer');
  }
  if (!answer.ok) throw new Error(`there is no film in this page, and the server answers ${answer.status}`);
  const { films: list } = (await answer.json()) as { films: { name: string; live: boolean; rerun?: boolean }[] };
  const films: Film[] = [];
  for (let k = 0; k < list.length; ++k) films.push(await fetchFirst(k, list[k].live, listener));
  list.forEach(({ rerun: again }, k) => again === true && rerunnable.add(k));
  films.forEach((film, k) => {
    if (!film.complete) follow(k, film, listener);
  });
  return films;
}

/** Loads the films of this page and goes on to tell of those that grow. Throws what it told as trouble. */
export async function openFilms(listener: FilmListener): Promise<void> {
  try {
    let films = await readEmbedded();
    if (films.length === 0) {
      if (location.protocol === 'file:') {
        throw new Error('there is no film in this page: make one with “carom export RUN.h5 --html FILE.html”');
      }
      films = await readServed(listener);
    }
    if (films.length === 0) throw new Error('there is no film to show');
    const empty = films.find((film) => film.times.length === 0);
    if (empty !== undefined) throw new Error(`the film ${empty.name} has no samples`);
    listener.loaded(films);
  } catch (error) {
    listener.loading(null);
    const text = sentence(reason(error));
    listener.trouble(text);
    throw new Error(text);
  }
}
