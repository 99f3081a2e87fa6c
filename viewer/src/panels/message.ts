/** What the user must know: a film that cannot be read, a server that is gone. */

import { button, byId, element } from '../app/dom';

/** Shows a text over the film; null takes it away. */
export function showMessage(text: string | null): void {
  const host = byId('message');
  host.hidden = text === null;
  if (text === null) {
    host.replaceChildren();
    return;
  }
  const close = button({ class: 'chip quiet', 'aria-label': 'Close the message' }, ['×'], () => showMessage(null));
  host.replaceChildren(element('p', {}, [text]), close);
}
