/** Buttons on the film: where to look from, and what to draw besides the bodies. */

import type { Actions } from '../app/actions';
import { button, byId, element, setPressed, setText } from '../app/dom';
import { type State, type Store, type ViewPreset, activeFilm } from '../app/state';

const views: readonly { view: ViewPreset; text: string }[] = [
  { view: 'iso', text: '3D' },
  { view: 'front', text: 'Front' },
  { view: 'side', text: 'Side' },
  { view: 'top', text: 'Top' },
];

const layers = [
  { key: 'arrows', text: 'Arrows', title: 'Impulses and velocities at an impact (a)' },
  { key: 'forces', text: 'Forces', title: 'Forces of contacts and joints, at the last sample (j)' },
  { key: 'trails', text: 'Trails', title: 'Where the bodies came from (t)' },
  { key: 'labels', text: 'Labels', title: 'Names of the bodies (l)' },
] as const;

export function mountStageTools(store: Store, actions: Actions): void {
  const cameras = views.map(({ view, text }, i) => {
    return button({ title: `${text} (${i + 1})` }, [text], () => actions.setView(view));
  });
  const flat = button({ title: 'Without perspective (o)' }, ['Flat'], () => actions.toggleFlat());
  const closeUps = button({ title: 'The camera goes close to an impact that is stepped to, and back (g)' }, ['Zoom'], () =>
    actions.toggleCloseUps(),
  );
  const fit = button({ title: 'Fit the scene into the picture (0)' }, ['Fit'], () => actions.fit());
  const toggles = layers.map(({ key, text, title }) => button({ title }, [text], () => actions.toggle(key)));
  const goesWith = { title: 'The camera goes with the selected body (f)' };
  const follow = button(goesWith, ['Follow'], () => actions.toggleFollow());
  byId('stage-tools').append(
    element('div', { class: 'segments', role: 'group', 'aria-label': 'View' }, [...cameras, flat, fit]),
    element('div', { class: 'segments', role: 'group', 'aria-label': 'Layers' }, [...toggles, closeUps, follow]),
  );

  const show = (state: Readonly<State>): void => {
    cameras.forEach((camera, i) => setPressed(camera, state.view === views[i].view));
    toggles.forEach((toggle, i) => setPressed(toggle, state[layers[i].key]));
    setPressed(follow, state.follow !== null);
    setPressed(flat, state.flat);
    setPressed(closeUps, state.closeUps);
  };
  store.subscribe(['view', 'flat', 'closeUps', 'arrows', 'forces', 'trails', 'labels', 'follow'], show);
  show(store.state);

  const caption = byId('stage-caption');
  store.subscribe(['follow', 'activeFilm', 'films'], (state) => {
    const film = activeFilm(state);
    caption.hidden = film === null || state.follow === null;
    if (film !== null && state.follow !== null) setText(caption, `following: ${film.objectName(state.follow)}`);
  });

  const save = button({ title: 'Save this picture' }, ['Picture'], () => void actions.savePicture());
  byId('stage-tools').append(element('div', { class: 'segments', role: 'group', 'aria-label': 'Export' }, [save]));
}
