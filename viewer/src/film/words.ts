/** What an event means, in sentences. */

import { formatNumber, formatPercent, formatTiny } from '../app/numbers';
import { energyScale } from './energy';
import type { Contact, Film, FilmEvent } from './film';
import { pushing } from './pushing';

export interface Sentence {
  text: string;
  /** `good`: a property that holds; `bad`: one that is violated; `remark`: a flag of no harm; `note`: plain telling. */
  tone: 'good' | 'bad' | 'remark' | 'note';
}

/** Relative changes of energy below this are rounding. */
const roundOff = 1e-10;

export const kindWords: Record<string, string> = {
  impact: 'Impact',
  rest: 'Comes to rest',
  release: 'Release',
  'contact-start': 'Contact begins',
  'contact-end': 'Contact ends',
  swallowed: 'Swallowed',
  slip: 'Slips',
  stick: 'Sticks',
  scripted: 'Scripted',
};

export function kindTitle(kind: string): string {
  return kindWords[kind] ?? kind;
}

/** The two that touch, or the limit of a joint. */
export function contactName(film: Film, contact: { a: number; b: number; joint?: number; upper?: boolean }): string {
  const joint = film.scene.joints[contact.joint ?? -1];
  if (joint !== undefined) return `${joint.name}, ${contact.upper === true ? 'upper' : 'lower'} limit`;
  return `${film.objectName(contact.a)} – ${film.objectName(contact.b)}`;
}

/** As above, the one that pushes first: `cue → ball 1`. */
export function pushName(film: Film, event: FilmEvent, contact: Contact): string {
  const found = pushing(film, event, contact);
  if (found === null) return contactName(film, contact);
  return `${film.objectName(found.by)} → ${film.objectName(found.whom)}`;
}

/** What of the two touches: `block corner +x−y`; empty where there is nothing to tell. */
export function featureWords(film: Film, { a, b, featureA, featureB }: Contact): string {
  const told = [
    { object: a, feature: featureA },
    { object: b, feature: featureB },
  ].filter(({ feature }) => feature !== '');
  return told.map(({ object, feature }) => `${film.objectName(object)}, ${feature.replace(/-/g, '−')}`).join('; ');
}

/** At the limit of a turn an impulse is a couple, and rates are angular. */
export function impulseUnit(contact: { turn: boolean }): string {
  return contact.turn ? 'N m s' : 'N s';
}
export function rateUnit(contact: { turn: boolean }): string {
  return contact.turn ? 'rad/s' : 'm/s';
}

function listed(names: readonly string[], limit = 4): string {
  const unique = [...new Set(names)];
  if (unique.length <= limit) return unique.join(', ');
  return `${unique.slice(0, limit).join(', ')} and ${unique.length - limit} more`;
}

const pairs = (film: Film, event: FilmEvent): string => listed(event.contacts.map((c) => contactName(film, c)));

/** −γ⁺/γ⁻ of a contact that approached; null where it did not. */
export function observedRestitution(contact: Contact): number | null {
  if (!(contact.rateBefore < 0)) return null;
  const e = -contact.rateAfter / contact.rateBefore;
  return Object.is(e, -0) ? 0 : e;
}

/** Rates below this are rounding, compared with the speeds of this event. */
function rateTolerance(event: FilmEvent): number {
  let fastest = 0;
  for (const { rateBefore, rateAfter } of event.contacts) {
    fastest = Math.max(fastest, Math.abs(rateBefore), Math.abs(rateAfter));
  }
  return 1e-9 * fastest;
}

/** Rates below this are nothing, compared with speeds that the energies of the film could give to what touches. */
export function rateRoundOff(film: Film, event: FilmEvent): number {
  const masses = event.contacts.flatMap(({ a, b }) => [a, b].map((object) => film.scene.objects[object]?.mass ?? 0));
  const rates = event.contacts.flatMap(({ rateBefore, rateAfter }) => [Math.abs(rateBefore), Math.abs(rateAfter)]);
  const heaviest = Math.max(...masses, 0);
  return 1e-12 * Math.max(...rates, heaviest > 0 ? Math.sqrt((2 * energyScale(film)) / heaviest) : 0);
}

function meetsMovingObstacle(film: Film, event: FilmEvent): boolean {
  const moves = (object: number): boolean => {
    if (object < 0) return false; // the ground that a joint is fixed to
    const { body, velocity, angular_velocity: spin, motion } = film.object(object);
    return !body && (motion !== undefined || [...(velocity ?? []), ...(spin ?? [])].some((x) => x !== 0));
  };
  return event.contacts.some(({ a, b }) => moves(a) || moves(b));
}

function energySentence(film: Film, event: FilmEvent): Sentence | null {
  const { energyBefore: before, energyAfter: after } = event;
  if (Number.isNaN(before) || Number.isNaN(after)) return null;
  const change = after - before;
  if (change === 0) return { text: 'Energy is kept exactly.', tone: 'good' };
  const scale = Math.max(Math.abs(before), Math.abs(after));
  const share = Math.abs(change) / scale;
  if (share < roundOff) return { text: `Energy is kept to ${formatTiny(share)}.`, tone: 'good' };
  if (meetsMovingObstacle(film, event)) {
    const gained = change > 0 ? 'gained' : 'lost';
    return { text: `The bodies ${gained} ${formatNumber(Math.abs(change), 3)} J; an obstacle moves.`, tone: 'note' };
  }
  if (change < 0) return { text: `${formatPercent(share)} of the energy was lost.`, tone: 'note' };
  return { text: `Energy was created: ${formatNumber(change, 3)} J more than before.`, tone: 'bad' };
}

function separationSentences(film: Film, event: FilmEvent): Sentence[] {
  if (event.contacts.length === 0) return [];
  const tolerance = rateTolerance(event);
  const approaching = event.contacts.filter((contact) => contact.rateAfter < -tolerance);
  if (approaching.length > 0) {
    return approaching.slice(0, 4).map((contact) => ({
      text: `Contact ${contactName(film, contact)} still approaches at ${formatNumber(-contact.rateAfter, 3)} ${rateUnit(contact)}.`,
      tone: 'bad',
    }));
  }
  const touching = event.contacts.filter((contact) => contact.rateAfter <= tolerance).length;
  const { length } = event.contacts;
  const good = (text: string): Sentence[] => [{ text, tone: 'good' }];
  if (touching === 0) return good(length === 1 ? 'The contact separates.' : 'All contacts separate.');
  if (touching === length) return good(length === 1 ? 'The contact stays closed.' : 'All contacts stay closed.');
  return good(`No contact approaches any more; ${touching} of ${length} stay closed.`);
}

/** Who pushes whom: whose motion before the event brought the two together. */
function pushSentences(film: Film, event: FilmEvent): Sentence[] {
  const found = event.contacts.map((contact) => pushing(film, event, contact)).filter((push) => push !== null);
  const words = listed(found.map(({ by, whom }) => `${film.objectName(by)} pushes ${film.objectName(whom)}`));
  return words === '' ? [] : [{ text: `${words}.`, tone: 'note' }];
}

function pullSentences(film: Film, event: FilmEvent): Sentence[] {
  const largest = Math.max(...event.contacts.map((contact) => Math.abs(contact.impulse)), 0);
  return event.contacts
    .filter((contact) => contact.impulse < -1e-12 * largest)
    .slice(0, 4)
    .map((contact) => ({
      text: `An impulse pulls: ${contactName(film, contact)}, ${formatNumber(contact.impulse, 3)} ${impulseUnit(contact)}.`,
      tone: 'bad',
    }));
}

function stopSentence(event: FilmEvent): Sentence | null {
  switch (event.stop) {
    case 'at-rest':
      return { text: 'The law came to rest on its contacts.', tone: 'note' };
    case 'step-limit':
      return { text: `The law did not finish: it reached its limit of ${event.steps} steps.`, tone: 'bad' };
    case 'no-exit-direction':
      return { text: 'The contacts leave no velocity to go out with.', tone: 'bad' };
    case 'infeasible':
      return { text: 'The conditions of the law contradict each other.', tone: 'bad' };
    default:
      return null;
  }
}

/** A residual is an error of the numerics as long as it is far below the speeds of the event. */
function residualSentences(event: FilmEvent): Sentence[] {
  const tone = (residual: number): Sentence['tone'] => (residual <= 1000 * rateTolerance(event) ? 'good' : 'bad');
  const sentences: Sentence[] = [];
  const { complementarityResidual: complementarity, constraintResidual: constraint } = event;
  if (complementarity > 0) {
    const text = `Impulse and separation exclude each other to ${formatTiny(complementarity)} m/s.`;
    sentences.push({ text, tone: tone(complementarity) });
  }
  if (constraint > 0) {
    const text = `Lasting contacts and rods hold to ${formatTiny(constraint)} m/s.`;
    sentences.push({ text, tone: tone(constraint) });
  }
  return sentences;
}

/** Flags that a sentence with names and figures says better. */
const told = new Set(['still-approaching', 'negative-impulse']);
/** Flags that say how an answer was found; the others say that it lacks something. */
const harmless = new Set(['parallel-contacts-merged', 'impulses-not-unique', 'contact-fixed-by-constraint']);

function flagSentences(event: FilmEvent, others: readonly Sentence[]): Sentence[] {
  const named = others.some(({ tone }) => tone === 'bad');
  return event.flags
    .filter(({ name }) => !(named && told.has(name)))
    .map(({ name, words }) => ({
      text: `${words.charAt(0).toUpperCase()}${words.slice(1)}.`,
      tone: harmless.has(name) ? 'remark' : 'bad',
    }));
}

/** The audit of an impact. */
export function auditSentences(film: Film, event: FilmEvent): Sentence[] {
  const optional = [energySentence(film, event), stopSentence(event)];
  const sentences = [
    ...optional.filter((sentence): sentence is Sentence => sentence !== null),
    ...separationSentences(film, event),
    ...pullSentences(film, event),
    ...residualSentences(event),
  ];
  return [...sentences, ...flagSentences(event, sentences)];
}

function plainSentence(film: Film, event: FilmEvent): string {
  const who = pairs(film, event) || listed(event.jumps.map((jump) => film.objectName(jump.body)));
  switch (event.kind) {
    case 'rest':
      return `Infinitely many bounces have ended here: from now on ${who || 'the bodies'} stay in touch.`;
    case 'release':
      return `${who || 'A contact'}: what lasted until now opens.`;
    case 'contact-start':
      return film.scene.engine === 'smooth'
        ? `${who || 'Bodies'}: the contact begins to press.`
        : `${who || 'Bodies'} touch from here on, without a series of bounces.`;
    case 'contact-end':
      return `${who || 'Bodies'}: the contact force has ended.`;
    case 'slip':
      return `${who || 'A contact'}: begins to slide against friction.`;
    case 'stick':
      return `${who || 'A contact'}: the slip has ended; from here on it sticks or rolls.`;
    case 'scripted':
      return 'What the scene asks for at this instant.';
    case 'swallowed':
      return `${who || 'A body'} fell into a pocket and left play.`;
    default:
      return `${kindTitle(event.kind)}: ${who}`;
  }
}

/** Every event in words. */
export function eventSentences(film: Film, event: FilmEvent): Sentence[] {
  const pushes = pushSentences(film, event);
  if (event.kind === 'impact') return [...pushes, ...auditSentences(film, event)];
  return [{ text: plainSentence(film, event), tone: 'note' }, ...pushes, ...flagSentences(event, [])];
}

/** How a run ended. */
export function stopWords(film: Film): string {
  switch (film.stop) {
    case 'running':
      return film.isLoading ? 'loading' : 'running';
    case 'duration':
      return `ran to ${formatNumber(film.endTime)} s`;
    case 'at-rest':
      return `came to rest at ${formatNumber(film.endTime)} s`;
    case 'event-limit':
      return `stopped at the limit of events, ${formatNumber(film.endTime)} s`;
    case 'interrupted':
      return `interrupted at ${formatNumber(film.endTime)} s`;
    case 'failed':
      return `failed at ${formatNumber(film.endTime)} s`;
    default:
      return film.stop;
  }
}
