/** The bytes of a film (docs/film-format.md) and a page with films in it. */

import { gzipSync } from 'node:zlib';

const elementTypes = { f64: Float64Array, f32: Float32Array, i32: Int32Array, u32: Uint32Array, u8: Uint8Array };

/** @param arrays name → [type, numbers] */
export function encodeFilm({ name, complete = true, stop = 'end-time', summary = null, first, features = [], scene, arrays }) {
  const blocks = [];
  const table = {};
  let offset = 0;
  for (const [array, [type, numbers]] of Object.entries(arrays)) {
    const block = elementTypes[type].from(numbers);
    table[array] = { type, offset, length: block.length };
    blocks.push({ offset, bytes: new Uint8Array(block.buffer) });
    offset += Math.ceil(block.byteLength / 8) * 8;
  }
  const start = { sample: 0, energy: 0, event: 0, contact: 0, jump: 0, joint: 0, load: 0, feature: 0, ...first };
  const header = { film: 2, name, complete, stop, summary, first: start, features, scene, arrays: table };
  const json = new TextEncoder().encode(JSON.stringify(header));
  const headerLength = Math.ceil(json.length / 8) * 8;
  const bytes = new Uint8Array(16 + headerLength + offset);
  bytes.set(new TextEncoder().encode('CAROMFLM'));
  const view = new DataView(bytes.buffer);
  view.setUint32(8, headerLength, true);
  view.setUint32(12, 2, true);
  bytes.fill(0x20, 16, 16 + headerLength);
  bytes.set(json, 16);
  for (const block of blocks) bytes.set(block.bytes, 16 + headerLength + block.offset);
  return bytes;
}

/** A page with films in it, as `carom export --html` makes it. */
export function embedFilms(page, films) {
  const scripts = films.map(({ name, bytes }, index) => {
    const safe = name.replace(/[^\w.-]/g, '_');
    const text = gzipSync(bytes).toString('base64');
    return `<script type="application/octet-stream;base64" id="film-${index}" data-name="${safe}">${text}</script>`;
  });
  const marker = '<!-- films -->';
  if (page.split(marker).length !== 2) throw new Error(`the page must have ${marker} exactly once`);
  return page.replace(marker, () => scripts.join('\n'));
}

/** The arrays of events: {time, kind, contacts, jumps, energy: [before, after], flags}, in order of time. */
export function eventColumns(events) {
  const contacts = events.flatMap((event) => event.contacts);
  const jumps = events.flatMap((event) => event.jumps);
  const joints = events.flatMap((event) => event.joints ?? []);
  const of = (value) => events.map(value);
  const running = (rows) => events.map((_, i) => events.slice(0, i).reduce((sum, e) => sum + e[rows].length, 0));
  const least = (event, key) => (event.contacts.length > 0 ? Math.min(...event.contacts.map((c) => c[key])) : NaN);
  return {
    'event.time': ['f64', of((e) => e.time)],
    'event.energy_before': ['f64', of((e) => e.energy[0])],
    'event.energy_after': ['f64', of((e) => e.energy[1])],
    'event.contact_work': ['f64', of((e) => e.work ?? e.energy[1] - e.energy[0])],
    'event.min_impulse': ['f64', of((e) => least(e, 'impulse'))],
    'event.min_gap_rate_after': ['f64', of((e) => least(e, 'after'))],
    'event.constraint_residual': ['f64', of(() => NaN)],
    'event.complementarity_residual': ['f64', of(() => 0)],
    'event.kind': ['u8', of((e) => e.kind)],
    'event.stop': ['u8', of(() => 0)],
    'event.law': ['i32', of((e) => (e.kind === 0 ? 0 : -1))],
    'event.round': ['i32', of(() => 0)],
    'event.steps': ['i32', of((e) => e.contacts.length)],
    'event.flags': ['u32', of((e) => e.flags)],
    'event.first_contact': ['u32', running('contacts')],
    'event.contact_count': ['u32', of((e) => e.contacts.length)],
    'event.first_jump': ['u32', running('jumps')],
    'event.jump_count': ['u32', of((e) => e.jumps.length)],
    'event.first_joint': ['u32', events.map((_, i) => events.slice(0, i).reduce((n, e) => n + (e.joints ?? []).length, 0))],
    'event.joint_count': ['u32', of((e) => (e.joints ?? []).length)],
    'joint_impulse.joint': ['i32', joints.map((j) => j.joint)],
    'joint_impulse.force': ['f32', joints.flatMap((j) => j.force)],
    'joint_impulse.couple': ['f32', joints.flatMap((j) => j.couple)],
    'contact.a': ['i32', contacts.map((c) => c.a)],
    'contact.b': ['i32', contacts.map((c) => c.b)],
    'contact.point': ['f32', contacts.flatMap((c) => c.point)],
    'contact.normal': ['f32', contacts.flatMap((c) => c.normal)],
    'contact.tangential_impulse': ['f32', contacts.flatMap((c) => c.tangential)],
    'contact.impulse': ['f64', contacts.map((c) => c.impulse)],
    'contact.rate_before': ['f64', contacts.map((c) => c.before)],
    'contact.rate_after': ['f64', contacts.map((c) => c.after)],
    'jump.body': ['i32', jumps.map((j) => j.body)],
    'jump.velocity_before': ['f32', jumps.flatMap((j) => j.before)],
    'jump.velocity_after': ['f32', jumps.flatMap((j) => j.after)],
    'jump.angular_velocity_before': ['f32', jumps.flatMap((j) => j.spinBefore)],
    'jump.angular_velocity_after': ['f32', jumps.flatMap((j) => j.spinAfter)],
  };
}
