/** The picture of the films: three.js below, a 2D canvas for arrows and texts above. */

import {
  Color,
  type InstancedMesh,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  type WebGLRenderer,
} from 'three';
import type { CompareMode, FramingMode, Theme, ViewPreset } from '../app/state';
import { Film } from '../film/film';
import type { Vector } from '../film/format';
import { drawCaption, drawLabels, drawRuler, drawSmallBodies } from './annotations';
import { type Drawing, drawKey, type KeyEntry } from './arrows';
import { StageCamera } from './camera';
import { filmColour, stageColours } from './colours';
import { drawCompass } from './compass';
import { drawContactForces } from './contact_forces';
import { drawEvent } from './event_arrows';
import { drawJointForces } from './joint_forces';
import { Extents } from './extents';
import { FilmView } from './film_view';
import { sceneAxes } from './axes';
import { Lights, roomEnvironment } from './lights';
import { type Field, fieldsFor, Overlay, project, Taken } from './overlay';
import { drawPlaneEdges } from './plane_edges';
import { isSoftware, layOver, makeRenderer } from './renderer';
import { finest, type Look } from './solids';

/** One drawing request. */
export interface Frame {
  films: readonly Film[];
  time: number;
  activeFilm: number;
  /** The event whose arrows are shown, of `activeFilm`; other films show theirs of the same instant. */
  event: number | null;
  side: 'before' | 'after';
  selectedBody: number | null;
  follow: number | null;
  framing: FramingMode;
  /** The event that the camera goes close to, of `activeFilm`. */
  closeUp: number | null;
  /** The body that the ruler reaches to from the selected one. */
  ruler: number | null;
  arrows: boolean;
  forces: boolean;
  trails: boolean;
  labels: boolean;
  compare: CompareMode;
}

const noWebGL =
  'This browser cannot draw in three dimensions (WebGL is missing or switched off). ' +
  'Timeline, impacts and plots work all the same.';
/** A press that moves by less than this many pixels is a click. */
const clickReach = 5;
const nearReach = 14;

/** The event of a film at an instant, for comparing; null where there is none. */
function eventAt(film: Film, time: number): number | null {
  const times = film.eventTimes;
  const tolerance = 1e-9 * Math.max(Math.abs(time), film.scene.output_step);
  const last = Film.lastAtOrBefore(times, time + tolerance);
  return last >= 0 && times[last] >= time - tolerance ? last : null;
}

/** What tells films apart: their laws, or their names where the laws agree. */
function captions(films: readonly Film[]): string[] {
  const laws = films.map(({ scene }) => scene.law || scene.engine);
  const differ = new Set(laws).size === films.length;
  return films.map((film, i) => (differ ? `${laws[i]} · ${film.name}` : film.name));
}

export class Stage {
  /** A body, or none, was clicked; with shift it is measured to. */
  onPick: ((body: number | null, measures: boolean) => void) | null = null;
  onCameraMoved: (() => void) | null = null;
  private readonly renderer: WebGLRenderer | null;
  private readonly scene = new Scene();
  private readonly lights: Lights;
  private readonly overlay = new Overlay();
  private readonly camera: StageCamera;
  private theme: Theme = 'light';
  private views: FilmView[] = [];
  private readonly extents = new Extents();
  private shown: { view: FilmView; field: Field }[] = [];
  private width = 1;
  private height = 1;
  private readonly reflects: boolean;
  private drawn: Frame | null = null;
  private closeTo: string | null = null;
  /** The film whose camera was taken over. */
  private cameraOf: Film | null = null;
  private pressed: Vector2 | null = null;

  constructor(private readonly host: HTMLElement) {
    if (getComputedStyle(host).position === 'static') host.style.position = 'relative';
    this.renderer = makeRenderer();
    const cheap = this.renderer !== null && isSoftware(this.renderer);
    this.lights = new Lights(this.scene, cheap);
    this.reflects = !cheap;
    const element = this.renderer?.domElement ?? document.createElement('div');
    Object.assign(element.style, { position: 'absolute', inset: '0', touchAction: 'none', cursor: 'grab' });
    host.append(element, this.overlay.canvas);
    this.camera = new StageCamera(element);
    this.camera.onMoved = () => this.onCameraMoved?.();
    this.scene.add(this.camera.rig);
    this.reflect();
    this.listen(element);
    this.setTheme(this.theme);
    this.resize();
    // A canvas of a new size is empty: it is drawn before the page shows it.
    new ResizeObserver(() => {
      if (this.resize() && this.drawn !== null) this.draw(this.drawn);
    }).observe(host);
  }

  /** Smooth bodies mirror a room, where a graphics card works that out. */
  private reflect(): void {
    if (this.renderer !== null && this.reflects) this.scene.environment = roomEnvironment(this.renderer);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.scene.background = new Color(stageColours[theme].background);
    this.lights.setTheme(theme);
  }

  setView(preset: ViewPreset, animate = false): void {
    this.camera.setView(preset, animate);
    this.onCameraMoved?.();
  }

  /** The standpoint that a scene asks for. */
  private followScene(films: readonly Film[]): void {
    const film = films[0];
    if (film === undefined || film === this.cameraOf) return;
    this.cameraOf = film;
    const { direction, centre, height } = film.scene.camera ?? {};
    if (direction === undefined && centre === undefined && height === undefined) return;
    const view = this.views[0];
    this.camera.setWanted({
      direction: direction && new Vector3(...direction),
      centre: centre && view.toWorld(new Vector3(...centre)),
      height: height && height / view.bounds.radius,
    });
  }

  setFlat(flat: boolean): void {
    this.camera.setFlat(flat);
    this.onCameraMoved?.();
  }

  fit(): void {
    this.camera.fit();
  }

  zoom(factor: number): void {
    this.camera.zoom(factor);
    this.onCameraMoved?.();
  }

  /** Radians to the right and upwards. */
  orbit(dx: number, dy: number): void {
    this.camera.orbit(dx, dy);
    this.onCameraMoved?.();
  }

  /** The same frame gives the same pixels. */
  draw(frame: Frame): void {
    this.drawn = frame;
    this.overlay.clear();
    if (this.renderer === null) {
      this.overlay.message(noWebGL, stageColours[this.theme], this.width, this.height);
      return;
    }
    const ghosts = frame.compare === 'ghosts' && frame.films.length > 1;
    this.prepareViews(frame, ghosts);
    const fields = ghosts || this.views.length === 0 ? 1 : this.views.length;
    const places = fieldsFor(fields, this.width, this.height);
    this.shown = places.flatMap((field, i) => (i < this.views.length ? [{ view: this.views[i], field }] : []));
    this.prepareCamera(frame, places[0]);
    for (const view of this.views) view.update(frame.time);
    const names = captions(frame.films);
    if (this.shown.length === 0) this.renderField(places[0], []);
    this.shown.forEach(({ view, field }, i) => {
      const visible = ghosts ? this.views : [view];
      this.prepareLook(frame, visible, field);
      this.renderField(field, visible);
      this.annotate(frame, visible, field, ghosts ? names : [names[i]], ghosts ? 0 : i);
    });
    this.drawSeams(places);
  }

  // ------------------------------------------------------------------------------------------ what is drawn

  /** One view per film; they are kept as long as films, theme and way of comparing stay. */
  private prepareViews(frame: Frame, ghosts: boolean): void {
    const ghostOf = (index: number): boolean => ghosts && index > 0;
    const fits = (view: FilmView | undefined, film: Film, index: number): boolean =>
      view?.film === film && view.theme === this.theme && (view.look.kind === 'ghost') === ghostOf(index);
    const same =
      frame.films.length === this.views.length && frame.films.every((film, i) => fits(this.views[i], film, i));
    if (!same) {
      for (const view of this.views) {
        this.scene.remove(view.world);
        view.dispose();
      }
      this.views = frame.films.map((film, index) => {
        const { fineness } = this;
        const look: Look = ghostOf(index)
          ? { kind: 'ghost', colour: filmColour(index, this.theme), fineness }
          : { kind: 'solid', fineness };
        return new FilmView(film, look, this.theme);
      });
      for (const view of this.views) this.scene.add(view.world);
    }
    const { box } = this.extents.of(frame.films);
    for (const view of this.views) view.setBounds(box);
  }

  /** The processor draws as many corners as a picture of this height shows. */
  private get fineness(): number {
    return this.reflects ? finest : Math.min(Math.max(this.height / 180, 1.5), finest);
  }

  private prepareCamera(frame: Frame, field: Field): void {
    const first = this.views[0];
    if (first === undefined) return;
    const axes = sceneAxes(first.film.scene);
    const { balls } = this.extents.of(frame.films);
    const held = frame.framing === 'bodies' ? this.views.flatMap((view) => view.bodyBalls(frame.time)) : balls;
    this.camera.setScene(held.length > 0 ? held : balls, axes, field.width / field.height);
    const { follow } = frame;
    let carried: Vector3 | null = null;
    const leader = this.views[Math.min(frame.activeFilm, this.views.length - 1)];
    if (follow !== null && follow < leader.film.bodies) {
      leader.poses.update(frame.time);
      carried = leader.placeOf(follow, new Vector3());
    }
    this.followScene(frame.films);
    this.goClose(frame, leader);
    this.camera.prepare(carried);
    const { centre, distance } = this.camera.focus;
    this.lights.place(axes, centre, distance);
  }

  /** Close to the bodies and points of an event, or away from it. */
  private goClose({ closeUp, activeFilm, time }: Frame, view: FilmView): void {
    const key = closeUp === null ? null : `${activeFilm}/${closeUp}`;
    if (key === this.closeTo) return;
    this.closeTo = key;
    const animate = !(window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false);
    this.camera.closeUp(closeUp === null ? null : view.eventBalls(closeUp, time), animate);
  }

  private prepareLook(frame: Frame, visible: readonly FilmView[], field: Field): void {
    const { selectedBody } = frame;
    for (const view of visible) {
      const selected = selectedBody !== null && selectedBody < view.film.bodies ? selectedBody : null;
      view.showTrails(frame.trails, frame.time, selected, 2.2);
      view.setResolution(field.width, field.height);
      const place = selected === null ? null : view.placeOf(selected, new Vector3());
      view.showOutline(selected, place === null ? 0 : this.camera.pixelAt(place, field.height));
    }
  }

  private renderField(field: Field, visible: readonly FilmView[]): void {
    const { renderer } = this;
    if (renderer === null) return;
    for (const view of this.views) view.world.visible = visible.includes(view);
    const y = this.height - field.y - field.height;
    renderer.setViewport(field.x, y, field.width, field.height);
    renderer.setScissor(field.x, y, field.width, field.height);
    renderer.setScissorTest(true);
    renderer.render(this.scene, this.camera.camera);
  }

  private annotate(
    frame: Frame,
    visible: readonly FilmView[],
    field: Field,
    names: readonly string[],
    firstIndex: number,
  ): void {
    this.overlay.within(field, (context) => {
      const taken = new Taken(field);
      const drawing = (view: FilmView): Drawing => ({
        context, view, field, taken, camera: this.camera, theme: this.theme,
      });
      if (frame.films.length > 1) {
        names.forEach((name, i) => {
          const below = { ...field, y: field.y + 30 * i };
          const index = firstIndex + i;
          drawCaption({ ...drawing(visible[0]), field: below }, name, index, index === frame.activeFilm);
        });
      }
      drawPlaneEdges(drawing(visible[0]));
      const entries: KeyEntry[] = [];
      const busy: Vector[] = [];
      for (const view of visible) {
        const own = this.shownEvent(frame, view.film, visible.length === 1);
        if (own === null) continue;
        entries.push(...drawEvent(drawing(view), own, frame.side));
        busy.push(...view.film.contactsOf(own).map(({ point }) => point));
      }
      for (const view of visible) drawSmallBodies(drawing(view));
      // At an impact its impulses are shown instead.
      if (frame.forces && entries.length === 0) {
        entries.push(...drawContactForces(drawing(visible[0]), frame.time));
        entries.push(...drawJointForces(drawing(visible[0]), frame.time));
      }
      const { selectedBody, ruler } = frame;
      const { bodies } = visible[0].film;
      if (selectedBody !== null && ruler !== null && selectedBody < bodies && ruler < bodies) {
        drawRuler(drawing(visible[0]), selectedBody, ruler);
      }
      if (firstIndex === 0) drawKey(drawing(visible[0]), entries, busy);
      if (frame.labels) drawLabels(drawing(visible[0]), frame.selectedBody);
      if (firstIndex === 0) drawCompass(drawing(visible[0]));
    });
  }

  /** The event whose arrows a film shows: its own of the instant that is looked at. */
  private shownEvent({ arrows, event, films, activeFilm }: Frame, film: Film, alone: boolean): number | null {
    const active = films[activeFilm];
    if (!arrows || event === null || active === undefined) return null;
    if (film === active) return event;
    return alone ? eventAt(film, active.eventTimes[event]) : null;
  }

  private drawSeams(fields: readonly Field[]): void {
    if (fields.length < 2) return;
    this.overlay.within({ x: 0, y: 0, width: this.width, height: this.height }, (context) => {
      context.fillStyle = stageColours[this.theme].planeLine;
      for (const { x, y, width, height } of fields) {
        if (x > 0) context.fillRect(x - 0.5, y, 1, height);
        if (y > 0) context.fillRect(x, y - 0.5, width, 1);
      }
    });
  }

  /** What was drawn last, with its arrows and texts. It has to be asked for in the same task as the drawing. */
  picture(): ImageData {
    const { canvas } = this.overlay;
    const { width, height } = canvas;
    const above = this.overlay.pixels();
    const gl = this.renderer?.getContext();
    if (gl === undefined) return above;
    const below = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, below);
    layOver(below, above);
    return above;
  }

  /** The last frame, drawn again. */
  redrawn(): ImageData {
    if (this.drawn !== null) this.draw(this.drawn);
    return this.picture();
  }

  // ------------------------------------------------------------------------------------------ the host

  /** True where the size has changed. */
  private resize(): boolean {
    const width = Math.max(this.host.clientWidth, 1);
    const height = Math.max(this.host.clientHeight, 1);
    const ratio = Math.min(window.devicePixelRatio, 2);
    const changed = width !== this.width || height !== this.height || ratio !== this.renderer?.getPixelRatio();
    if (!changed) return false;
    this.width = width;
    this.height = height;
    this.renderer?.setPixelRatio(ratio);
    this.renderer?.setSize(width, height);
    this.lights.setHeight(height * ratio);
    this.overlay.resize(width, height, ratio);
    return true;
  }

  private listen(element: HTMLElement): void {
    element.addEventListener('pointerdown', (event) => {
      this.pressed = event.isPrimary ? new Vector2(event.clientX, event.clientY) : null;
    });
    element.addEventListener('pointerup', (event) => {
      const { pressed } = this;
      this.pressed = null;
      if (pressed === null || pressed.distanceTo(new Vector2(event.clientX, event.clientY)) > clickReach) return;
      const corner = element.getBoundingClientRect();
      this.onPick?.(this.bodyAt(event.clientX - corner.left, event.clientY - corner.top), event.shiftKey);
    });
    element.addEventListener('webglcontextrestored', () => {
      this.reflect();
      this.onCameraMoved?.();
    });
  }

  /** The body under a point of the host, or the nearest to it within a finger's width. */
  private bodyAt(x: number, y: number): number | null {
    const inside = ({ field }: { field: Field }): boolean =>
      x >= field.x && x < field.x + field.width && y >= field.y && y < field.y + field.height;
    const found = this.shown.find(inside);
    if (found === undefined) return null;
    const { view, field } = found;
    const device = new Vector2(((x - field.x) / field.width) * 2 - 1, 1 - ((y - field.y) / field.height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(device, this.camera.camera);
    for (const hit of ray.intersectObject(view.pickable, true)) {
      const object = view.objectOf(hit.object as InstancedMesh, hit.instanceId ?? -1);
      if (object !== null && object < view.film.bodies) return object;
    }
    let nearest: number | null = null;
    let least = nearReach;
    const place = new Vector3();
    for (let body = 0; body < view.film.bodies; ++body) {
      const at = project(view.placeOf(body, place), this.camera.camera, field);
      const distance = at === null ? Infinity : Math.hypot(at.x - x, at.y - y);
      if (distance < least) [nearest, least] = [body, distance];
    }
    return nearest;
  }
}
