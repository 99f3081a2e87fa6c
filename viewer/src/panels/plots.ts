/** The rows of plots under the film. */

import { type Actions, mostPlotRows } from '../app/actions';
import { button, byId, element, setText, throttled } from '../app/dom';
import { fileStem, saveFile } from '../app/saving';
import { type PlotRow, type State, type Store, activeFilm, wholeSpan } from '../app/state';
import { filmLabel } from './films';
import { Chart } from './plot_chart';
import { type RowData, rowData, valueWords } from './plot_data';
import { plotPicker } from './plot_picker';
import { curveColour, filmDashes } from './plot_picture';
import { quantityTitle, vectorQuantityName } from './quantities';

interface RowView {
  row: PlotRow;
  chart: Chart;
  data: RowData;
  /** Where the value of each curve is written; null where it is not. */
  values: (HTMLElement | null)[];
}

/** A short stroke in the dash of the curve. */
function key(colour: string, film: number): HTMLElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
  svg.setAttribute('class', 'key');
  svg.setAttribute('viewBox', '0 0 18 6');
  for (const [name, value] of Object.entries({ x1: 0, x2: 18, y1: 3, y2: 3, 'stroke-width': 2.2, stroke: colour })) {
    line.setAttribute(name, String(value));
  }
  line.setAttribute('stroke-dasharray', filmDashes[film % filmDashes.length].join(' '));
  svg.append(line);
  return svg as unknown as HTMLElement;
}

export class Plots {
  private readonly host = byId('plots');
  private views: RowView[] = [];

  constructor(
    private readonly store: Store,
    private readonly actions: Actions,
  ) {
    const refresh = throttled(700, () => this.refresh());
    const values = throttled(66, () => this.showValues());
    store.subscribe(['films', 'plotRows', 'theme', 'activeFilm'], () => this.build());
    store.subscribe(['plots', 'tab', 'clean'], () => this.build());
    store.subscribe(['filmRevision'], () => refresh());
    store.subscribe(['span'], () => this.refresh());
    store.subscribe(['time', 'event'], () => {
      for (const { chart } of this.views) chart.showTime(store.state.time);
      values();
    });
    new ResizeObserver(() => this.resize()).observe(this.host);
  }

  /** Nothing is computed for plots that are not in sight. */
  private get visible(): boolean {
    return this.host.offsetParent !== null && this.store.state.films.length > 0;
  }

  private get window(): readonly [number, number] {
    return this.store.state.span ?? wholeSpan(this.store.state.films);
  }

  private build(): void {
    for (const { chart } of this.views) chart.destroy();
    this.views = [];
    this.host.replaceChildren();
    if (!this.visible) return;
    this.store.state.plotRows.forEach((row, index) => this.addRow(this.store.state, row, index));
    const heads = this.host.querySelectorAll('.plot-head');
    if (heads.length < mostPlotRows) (heads[heads.length - 1] ?? this.host).append(this.addButton());
    this.resize();
    this.showValues();
  }

  private addRow(state: Readonly<State>, row: PlotRow, index: number): void {
    const film = activeFilm(state);
    if (film === null) return;
    const data = rowData(state.films, row);
    const { legend, values } = this.makeLegend(state, data);
    const change = (patch: Partial<PlotRow>): void => {
      this.actions.setPlotRows(state.plotRows.map((other, i) => (i === index ? { ...other, ...patch } : other)));
    };
    const pressed = { 'aria-pressed': String(row.spectrum), title: 'Amplitude over frequency (Welch, Hann)' };
    const spectrum = button({ class: 'chip', ...pressed }, ['Spectrum'], () => change({ spectrum: !row.spectrum }));
    spectrum.hidden = data.stems;
    const words = { 'aria-label': 'Remove this plot', title: 'Remove this plot' };
    const remove = button({ class: 'chip quiet', ...words }, ['×'], () =>
      this.actions.setPlotRows(state.plotRows.filter((_, i) => i !== index)),
    );
    const save = button({ class: 'chip', title: 'Save this plot as a picture' }, ['Save'], () => {
      const title = quantityTitle(film, row.quantity);
      void chart.picture(`${title}${row.spectrum ? ', amplitudes' : ''} [${data.unit}]`).then((picture) => {
        if (picture !== null) saveFile(picture, `${fileStem(film.name)}-${fileStem(title)}.png`);
      });
    });
    const picker = plotPicker(film, row.quantity, (quantity) => change({ quantity }));
    const spring = element('span', { class: 'spring' });
    const head = element('div', { class: 'plot-head' }, [picker, legend, spring, spectrum, save, remove]);
    const canvas = element('div', { class: 'plot-canvas' });
    this.host.append(element('div', { class: 'plot-row' }, [head, canvas]));
    const chart = new Chart(canvas, {
      seek: (time) => {
        this.store.set({ playing: false });
        this.actions.seek(time);
      },
      zoom: (span) => this.store.set({ span }),
    });
    this.views.push({ row, chart, data, values });
    if (data.curves.length === 0) {
      const why = row.spectrum ? 'Too few samples for a spectrum.' : 'This film has no such quantity.';
      canvas.append(element('p', { class: 'empty' }, [why]));
      return;
    }
    chart.build(data, state.theme, this.window);
    chart.showTime(state.time);
  }

  /** Names and values of the curves of the film looked at; then which dash is which film. */
  private makeLegend(state: Readonly<State>, data: RowData): { legend: HTMLElement; values: (HTMLElement | null)[] } {
    const legend = element('span', { class: 'legend' });
    const values = data.curves.map((curve) => {
      if (curve.film !== state.activeFilm) return null;
      const value = element('span', { class: 'value' });
      const stroke = key(curveColour(curve, state.theme), curve.film);
      legend.append(element('span', { class: 'legend-item' }, [stroke, curve.label, value]));
      return value;
    });
    if (state.films.length > 1) {
      state.films.forEach((film, k) => {
        const stroke = key('currentColor', k);
        legend.append(element('span', { class: 'legend-item film' }, [stroke, filmLabel(film, state.films)]));
      });
    }
    return { legend, values };
  }

  private addButton(): HTMLElement {
    return button({ class: 'chip add-plot', title: 'One more plot' }, ['+ Plot'], () => {
      const { plotRows, selectedBody } = this.store.state;
      const quantity = plotRows.length === 0 ? 'energy' : vectorQuantityName('velocity', selectedBody ?? 0, 'xyz');
      this.actions.setPlotRows([...plotRows, { quantity, spectrum: false }]);
    });
  }

  private refresh(): void {
    if (!this.visible) return;
    const { films, time } = this.store.state;
    if (this.views.length === 0) return this.build();
    for (const view of this.views) {
      const curves = view.data.curves;
      view.data = rowData(films, view.row);
      const isSame = view.data.curves.length === curves.length && curves.every(({ label }, i) => view.data.curves[i].label === label);
      if (!isSame) return this.build();
      view.chart.update(view.data, this.window);
      view.chart.showTime(time);
    }
    this.showValues();
  }

  private resize(): void {
    if (!this.visible) return;
    if (this.views.length === 0 && this.store.state.plotRows.length > 0) return this.build();
    for (const { chart } of this.views) {
      chart.resize();
      chart.showTime(this.store.state.time);
    }
  }

  private showValues(): void {
    if (!this.visible) return;
    const { time, event } = this.store.state;
    for (const { data, values } of this.views) {
      data.curves.forEach((curve, i) => {
        const target = values[i];
        if (target === null) return;
        setText(target, data.spectrum ? '' : valueWords(curve, data, time, event !== null));
      });
    }
  }
}
