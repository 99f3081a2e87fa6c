/** Colours of the stage and of everything that speaks of the same bodies. Okabe and Ito's set, told apart by all. */

import type { Theme } from '../app/state';
import type { Film } from '../film/film';
import { poolColour } from './pool_balls';

// Okabe, M. and Ito, K.: Color Universal Design (2008). Blue is lightened on dark ground; on light ground orange, sky
// blue, yellow and vermilion are darkened (vermilion most, to stay apart from orange); black is replaced by grey. Each
// has a contrast of at least 2.8 with its ground.
const palettes: Record<Theme, readonly string[]> = {
  light: ['#0072b2', '#d18200', '#009e73', '#bf4a00', '#399ada', '#c4639a', '#a89200', '#5b6470'],
  dark: ['#3f9fe0', '#f0ab1f', '#1fb58a', '#f07a2b', '#7cc8f2', '#dc8fba', '#f0e442', '#b4bcc8'],
};

/** After a full round of the palette the next round is lighter, then darker. */
const rounds = [0, 0.38, -0.3];

function mixChannel(channel: number, amount: number): number {
  const target = amount > 0 ? 255 : 0;
  return Math.round(channel + (target - channel) * Math.abs(amount));
}

/** A colour moved towards white (amount > 0) or black (amount < 0). */
export function shade(colour: string, amount: number): string {
  const value = Number.parseInt(colour.slice(1), 16);
  const channels = [value >> 16, (value >> 8) & 255, value & 255].map((channel) => mixChannel(channel, amount));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** The colour of a body: the same in all films, on the stage, in plots and in lists. */
export function bodyColour(index: number, theme: Theme): string {
  const palette = palettes[theme];
  const colour = palette[index % palette.length];
  return shade(colour, rounds[Math.floor(index / palette.length) % rounds.length]);
}

/** What an arrow on an object is drawn in, and its name in lists: a body's own colour, the ground's where it is none. */
export function objectColour(film: Film, object: number, theme: Theme): string {
  if (object < 0 || object >= film.scene.objects.length) return stageColours[theme].faintText;
  const own = film.object(object).colour;
  if (own !== undefined) return own;
  return poolColour(film, object) ?? (object < film.bodies ? bodyColour(object, theme) : stageColours[theme].push);
}

/** The colour of a film among several: captions and ghosts. */
export function filmColour(index: number, theme: Theme): string {
  const order = [7, 3, 2, 5, 0, 1, 4, 6];
  const palette = palettes[theme];
  return palette[order[index % order.length]];
}

export interface StageColours {
  background: string;
  text: string;
  faintText: string;
  plane: string;
  planeLine: string;
  felt: string;
  feltLine: string;
  obstacle: string;
  cushion: string;
  glass: string;
  metal: string;
  pocket: string;
  joint: string;
  dent: string;
  /** Arrows on obstacles. */
  push: string;
  velocity: string;
  selection: string;
  caption: string;
  sky: string;
  ground: string;
  /** Strengths of the lights. */
  ambient: number;
  key: number;
  reflections: number;
}

export const stageColours: Record<Theme, StageColours> = {
  light: {
    background: '#f7f8fa',
    text: '#1b2430',
    faintText: '#5a6675',
    plane: '#d3d9e0',
    planeLine: '#a3aebc',
    felt: '#549a7d',
    feltLine: '#467f68',
    obstacle: '#7d899b',
    cushion: '#3c7a61',
    glass: '#7b8a9c',
    metal: '#8b95a3',
    pocket: '#12161b',
    joint: '#3d4754',
    dent: '#c23b00',
    push: '#6b7683',
    velocity: '#182230',
    selection: '#101820',
    caption: 'rgba(255,255,255,0.86)',
    sky: '#ffffff',
    ground: '#b8c0cc',
    ambient: 1.75,
    key: 1.85,
    reflections: 0.35,
  },
  dark: {
    background: '#12151a',
    text: '#eef2f7',
    faintText: '#a3aebb',
    plane: '#353c47',
    planeLine: '#566171',
    felt: '#23614a',
    feltLine: '#2f7058',
    obstacle: '#7c8794',
    cushion: '#2b7657',
    glass: '#a9b8ca',
    metal: '#8792a0',
    pocket: '#040506',
    joint: '#d7dee8',
    dent: '#ff8a4c',
    push: '#9aa6b4',
    velocity: '#f4f7fb',
    selection: '#ffffff',
    caption: 'rgba(24,28,35,0.86)',
    sky: '#dfe8f5',
    ground: '#3a4452',
    ambient: 1.2,
    key: 2.2,
    reflections: 0.3,
  },
};
