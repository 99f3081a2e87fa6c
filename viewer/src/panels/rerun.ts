/** Settings of a scene that is watched as it runs: changed here, it is run again. */

import { button, element } from '../app/dom';
import { type Store, activeFilm } from '../app/state';

/** Runs the scene of the active film again; rejects with what is wrong with the settings. */
export type Rerun = (settings: readonly string[]) => Promise<void>;

/** The form; hidden where the film comes from a record. */
export function rerunForm(store: Store, canRerun: (film: number) => boolean, rerun: Rerun): HTMLElement {
  const text = element('textarea', {
    rows: 3,
    spellcheck: 'false',
    'aria-label': 'Settings, one in each line',
    placeholder: 'run.law=newton\nbody.ball.velocity.0=1.5',
  });
  const complaint = element('p', { class: 'complaint', role: 'alert' });
  const start = async (): Promise<void> => {
    complaint.textContent = '';
    run.disabled = true;
    const settings = text.value.split('\n').map((line) => line.trim());
    try {
      await rerun(settings.filter((line) => line !== ''));
    } catch (error) {
      complaint.textContent = error instanceof Error ? error.message : String(error);
    }
    run.disabled = false;
  };
  const run = button({ class: 'button', title: 'Ctrl and Enter in the text' }, ['Run again'], () => void start());
  text.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void start();
  });
  const form = element('div', { class: 'rerun' }, [element('h3', {}, ['Settings']), text, run, complaint]);
  let shownRun: string | null = null;
  const show = (): void => {
    const { activeFilm: index } = store.state;
    const film = activeFilm(store.state);
    form.hidden = film === null || !canRerun(index);
    if (film === null) return;
    // What the user types is not overwritten while the run goes on.
    const key = `${index}/${film.run}`;
    if (key === shownRun) return;
    shownRun = key;
    text.value = film.scene.settings.join('\n');
  };
  store.subscribe(['films', 'activeFilm'], show);
  show();
  return form;
}
