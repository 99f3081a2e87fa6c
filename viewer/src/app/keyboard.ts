/** Keys. They are listed for the user in panels/help.ts. */

import type { Actions } from './actions';
import type { Store, ViewPreset } from './state';

const views: Record<string, ViewPreset> = { '1': 'iso', '2': 'front', '3': 'side', '4': 'top' };

/** What the camera turns by [px of a drag], and zooms by, per key press. */
const turn = 40;
const zoom = 1.15;

export function keyActions(store: Store, actions: Actions, openHelp: () => void): Record<string, () => void> {
  return {
    ' ': () => actions.togglePlay(),
    ArrowLeft: () => actions.stepFrame(-1),
    ArrowRight: () => actions.stepFrame(1),
    'Shift+ArrowLeft': () => actions.previousImpact(),
    'Shift+ArrowRight': () => actions.nextImpact(),
    ',': () => actions.previousImpact(),
    '.': () => actions.nextImpact(),
    Home: () => actions.first(),
    End: () => actions.last(),
    '+': () => actions.changeSpeed(1),
    '=': () => actions.changeSpeed(1),
    '-': () => actions.changeSpeed(-1),
    m: () => actions.toggle('slowMotion'),
    b: () => actions.toggleSide(),
    f: () => actions.toggleFollow(),
    a: () => actions.toggle('arrows'),
    j: () => actions.toggle('forces'),
    t: () => actions.toggle('trails'),
    l: () => actions.toggle('labels'),
    p: () => actions.toggle('plots'),
    c: () => actions.toggleCompare(),
    d: () => actions.toggleTheme(),
    o: () => actions.toggleFlat(),
    g: () => actions.toggleCloseUps(),
    v: () => store.set({ axis: store.state.axis === 'time' ? 'event' : 'time' }),
    ']': () => actions.zoomSpan(2),
    '[': () => actions.zoomSpan(0.5),
    '\\': () => store.set({ span: null }),
    '0': () => actions.fit(),
    q: () => actions.orbit(-turn, 0),
    e: () => actions.orbit(turn, 0),
    w: () => actions.orbit(0, turn),
    s: () => actions.orbit(0, -turn),
    z: () => actions.zoom(zoom),
    x: () => actions.zoom(1 / zoom),
    '?': openHelp,
    Escape: () => (store.state.clean ? store.set({ clean: false }) : actions.select(null)),
    ...Object.fromEntries(Object.entries(views).map(([key, view]) => [key, () => actions.setView(view)])),
  };
}

export function mountKeyboard(store: Store, actions: Actions, openHelp: () => void): void {
  const table = keyActions(store, actions, openHelp);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as Element | null;
    if (target?.closest('select, input, textarea, dialog')) return;
    // A focused button keeps the keys that press it.
    if (target?.closest('button') && (event.key === ' ' || event.key === 'Enter')) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = (event.shiftKey ? table[`Shift+${name}`] : undefined) ?? table[name];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  // A click leaves the focus where it is, so that space plays on; keys reach the buttons all the same.
  document.addEventListener('mousedown', (event) => {
    if ((event.target as Element).closest('button')) event.preventDefault();
  });
}
