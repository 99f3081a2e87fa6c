/** Dark or light: what the user chose last, else what the system says. */

import type { Theme } from './state';

const key = 'carom-theme';

/** Storage is forbidden to pages from file:// in some browsers; then nothing is remembered. */
export function rememberedTheme(): Theme {
  try {
    const kept = localStorage.getItem(key);
    if (kept === 'dark' || kept === 'light') return kept;
  } catch {
    // nothing is remembered
  }
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function rememberTheme(theme: Theme): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // nothing is remembered
  }
}
