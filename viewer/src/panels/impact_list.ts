/** The list of events. Only the rows in sight exist, so that a million are no more work than twenty. */

import type { Actions } from '../app/actions';
import { button, byId, element, option, setPressed, throttled } from '../app/dom';
import { eventIndex, firstWhere } from '../app/event_index';
import { formatCount, formatEventTime } from '../app/numbers';
import { type Store, activeFilm } from '../app/state';
import { Film } from '../film/film';
import { kindTitle } from '../film/words';
import { type EventFilter, filterEvents, kindsPresent, noFilter } from './event_filter';
import { contactWords, energyWords, nothingWords, rowTitle } from './event_row_words';

const rowHeight = 40;
/** Browsers stop at some tens of millions of pixels; beyond this height the scroll bar runs faster than the rows. */
const tallest = 8_000_000;

/** The row that stands for the contacts that are closed from the start on. */
const foldedRow = -1;

export class ImpactList {
  private filter: EventFilter = noFilter;
  private events = new Int32Array(0);
  private readonly host = byId('impact-list');
  private readonly runway = element('div', { class: 'runway' });
  private readonly kind = element('select', { 'aria-label': 'Kind of event' });
  private readonly object = element('select', { 'aria-label': 'Body' });
  private readonly multiple = button({ class: 'chip', title: 'Impacts with several contacts' }, ['◆ multiple'], () =>
    this.change({ multipleOnly: !this.filter.multipleOnly }),
  );
  private readonly flagged = button({ class: 'chip', title: 'Events the audit remarks on' }, ['⚑ flagged'], () =>
    this.change({ flaggedOnly: !this.filter.flaggedOnly }),
  );
  /** Whether contacts at rest from the start are one row. */
  private folded = true;
  private pointerInside = false;
  private listedFilm: Film | null = null;

  constructor(
    private readonly store: Store,
    private readonly actions: Actions,
  ) {
    this.host.append(this.runway);
    byId('impact-filters').append(this.kind, this.object, this.multiple, this.flagged);
    this.listen();
    const refresh = throttled(400, () => this.refilter());
    const showTime = throttled(150, () => this.showPlace());
    store.subscribe(['films', 'activeFilm'], () => {
      this.filter = noFilter;
      this.folded = true;
      this.fillFilters();
      this.refilter();
    });
    store.subscribe(['filmRevision'], () => {
      this.fillFilters();
      refresh();
    });
    store.subscribe(['event'], () => this.showPlace());
    store.subscribe(['time', 'tab'], () => showTime());
  }

  private get film(): Film | null {
    return activeFilm(this.store.state);
  }

  /** The filters are offered only where they can filter something. */
  private fillFilters(): void {
    const { film } = this;
    if (film === null) return;
    const kinds = kindsPresent(film);
    const chosen = this.filter.kind;
    const choices = kinds.map((name) => option(name, kindTitle(name), name === chosen));
    this.kind.replaceChildren(option('', 'any kind'), ...choices);
    this.kind.hidden = kinds.length < 2;
    if (this.listedFilm !== film) {
      const names = film.scene.objects.map((object, i) => option(String(i), object.name));
      this.object.replaceChildren(option('', 'any body'), ...names);
      this.object.hidden = film.scene.objects.length < 2;
      this.listedFilm = film;
    }
    const { multipleCount, flaggedCount } = eventIndex(film);
    this.multiple.hidden = multipleCount === 0;
    this.flagged.hidden = flaggedCount === 0;
    setPressed(this.multiple, this.filter.multipleOnly);
    setPressed(this.flagged, this.filter.flaggedOnly);
  }

  private change(patch: Partial<EventFilter>): void {
    this.filter = { ...this.filter, ...patch };
    setPressed(this.multiple, this.filter.multipleOnly);
    setPressed(this.flagged, this.filter.flaggedOnly);
    this.refilter();
  }

  private refilter(): void {
    const { film } = this;
    if (film === null) return;
    const passed = filterEvents(film, this.filter);
    const { restingCount, impactCount, steps, stepWord } = eventIndex(film);
    const resting = firstWhere(passed.length, (i) => passed[i] >= restingCount);
    const folds = this.folded && resting > 1;
    this.events = new Int32Array(passed.subarray(folds ? resting - 1 : 0));
    if (folds) this.events[0] = foldedRow;
    const total = filterEvents(film, noFilter).length;
    const shown = passed.length;
    const number = shown === total ? formatCount(total) : `${formatCount(shown)} of ${formatCount(total)}`;
    const impactsOnly = impactCount === total;
    const contactsOnly = stepWord === 'contact' && steps.length + restingCount === total;
    byId('event-word').textContent = impactsOnly ? 'Impacts' : contactsOnly ? 'Contacts' : 'Events';
    const impacts = `, ${formatCount(impactCount)} impact${impactCount === 1 ? '' : 's'}`;
    const among = impactsOnly || impactCount === 0 ? '' : impacts;
    byId('event-count').replaceChildren(number, element('span', { class: 'among' }, [among]));
    this.runway.style.height = `${Math.min(this.events.length * rowHeight, tallest)}px`;
    this.paint();
  }

  /** Rows that the scroll position stands for, and where the first of them is drawn. */
  private rowsInSight(): { first: number; last: number; top: number } {
    const { scrollTop, clientHeight } = this.host;
    const height = this.events.length * rowHeight;
    const visible = Math.ceil(clientHeight / rowHeight) + 1;
    if (height <= tallest) {
      const first = Math.max(Math.floor(scrollTop / rowHeight), 0);
      return { first, last: Math.min(first + visible, this.events.length), top: first * rowHeight };
    }
    const share = scrollTop / (tallest - clientHeight);
    const exact = share * (this.events.length - clientHeight / rowHeight);
    const first = Math.max(Math.floor(exact), 0);
    return { first, last: Math.min(first + visible, this.events.length), top: scrollTop - (exact - first) * rowHeight };
  }

  private scrollTo(row: number): void {
    const { clientHeight, scrollTop } = this.host;
    const height = this.events.length * rowHeight;
    const middle = row * rowHeight - (clientHeight - rowHeight) / 2;
    const inSight = row * rowHeight >= scrollTop && (row + 1) * rowHeight <= scrollTop + clientHeight;
    if (height > tallest) this.host.scrollTop = (middle / (height - clientHeight)) * (tallest - clientHeight);
    else if (!inSight) this.host.scrollTop = middle;
  }

  /** The row of the event looked at, or of the last event so far. */
  private currentRow(): number {
    const { film } = this;
    const { event, time } = this.store.state;
    if (film === null) return -1;
    const last = event ?? Film.lastAtOrBefore(film.eventTimes, time);
    return firstWhere(this.events.length, (i) => this.events[i] > last) - 1;
  }

  private showPlace(): void {
    const row = this.currentRow();
    const { event } = this.store.state;
    if (row >= 0 && (event !== null || !this.pointerInside)) this.scrollTo(row);
    this.paint();
  }

  private paint(): void {
    const { film } = this;
    if (film === null) return;
    if (this.events.length === 0) {
      const text = film.eventTimes.length === 0 ? nothingWords(film) : 'No event passes the filter.';
      this.runway.replaceChildren(element('p', { class: 'empty' }, [text]));
      return;
    }
    const { first, last, top } = this.rowsInSight();
    const current = this.currentRow();
    const rows: HTMLElement[] = [];
    for (let row = first; row < last; ++row) rows.push(this.makeRow(film, row, row === current));
    const looked = this.store.state.event;
    if (looked === null) this.host.removeAttribute('aria-activedescendant');
    else this.host.setAttribute('aria-activedescendant', `event-${looked}`);
    const block = element('div', { class: 'rows', style: `transform: translateY(${top}px)` }, rows);
    this.runway.replaceChildren(block);
  }

  private makeRow(film: Film, row: number, current: boolean): HTMLElement {
    const event = this.events[row];
    if (event === foldedRow) return this.makeFoldedRow(film);
    const kind = film.kindOf(event);
    const multiple = eventIndex(film).multiple[event] === 1;
    const flags = film.column('event.flags')[event];
    const looked = this.store.state.event === event;
    const classes = `row ${multiple ? 'multiple' : kind === 'impact' ? 'single' : 'other'}${current ? ' current' : ''}`;
    const flag = element('span', { class: 'row-flag', title: 'The audit remarks on it', 'aria-label': 'flagged' }, ['⚑']);
    const { names, more, whole } = contactWords(film, event);
    const selected = { role: 'option', 'aria-selected': String(looked), id: `event-${event}` };
    const attributes = { class: classes, ...selected, 'data-event': event };
    return element('div', attributes, [
      element('span', { class: 'mark', 'aria-hidden': 'true' }),
      element('span', { class: 'row-time' }, [`${formatEventTime(film.eventTimes, event, film.endTime)} s`]),
      element('span', { class: 'row-kind' }, [rowTitle(film, event)]),
      element('span', { class: 'row-energy' }, [energyWords(film, event)]),
      element('span', { class: 'row-contacts' }, [element('span', { class: 'names', title: whole }, [names]), more]),
      flags === 0 ? null : flag,
    ]);
  }

  private makeFoldedRow(film: Film): HTMLElement {
    const { restingCount } = eventIndex(film);
    const contacts = Array.from(film.column('event.contact_count').subarray(0, restingCount));
    const count = contacts.reduce((sum, own) => sum + own, 0);
    const attributes = { class: 'row other folded', role: 'option', 'aria-selected': 'false', 'data-fold': true };
    return element('div', attributes, [
      element('span', { class: 'mark', 'aria-hidden': 'true' }),
      element('span', { class: 'row-time' }, [`${formatEventTime(film.eventTimes, 0, film.endTime)} s`]),
      element('span', { class: 'row-kind' }, ['At rest']),
      element('span', { class: 'row-energy' }, ['show']),
      element('span', { class: 'row-contacts' }, [`${formatCount(count)} contacts are closed from the start`]),
    ]);
  }

  private unfold(): void {
    this.folded = false;
    this.refilter();
  }

  private listen(): void {
    const { host } = this;
    host.addEventListener('scroll', () => this.paint());
    host.addEventListener('pointerenter', () => (this.pointerInside = true));
    host.addEventListener('pointerleave', () => (this.pointerInside = false));
    host.addEventListener('click', (event) => {
      const row = (event.target as Element).closest<HTMLElement>('[data-event]');
      if (row !== null) this.actions.visitEvent(Number(row.dataset.event));
      else if ((event.target as Element).closest('[data-fold]') !== null) this.unfold();
    });
    host.addEventListener('keydown', (event) => {
      const direction = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (direction === 0) return;
      event.preventDefault();
      // Between events, up leads to the last one that was passed.
      const step = this.store.state.event !== null || direction > 0 ? direction : 0;
      const row = Math.min(Math.max(this.currentRow() + step, 0), this.events.length - 1);
      if (this.events[row] === foldedRow) this.unfold();
      else if (row >= 0) this.actions.visitEvent(this.events[row]);
    });
    new ResizeObserver(() => this.showPlace()).observe(host);
    const choose = (select: HTMLSelectElement, use: (value: string | null) => void): void => {
      select.addEventListener('change', () => use(select.value === '' ? null : select.value));
    };
    choose(this.kind, (kind) => this.change({ kind }));
    choose(this.object, (value) => this.change({ object: value === null ? null : Number(value) }));
  }
}
