/** A typed array with room at its end. */

import type { Column } from './format';

export class Growing<T extends Column = Column> {
  private data: T;
  length: number;

  constructor(first: T) {
    this.data = first;
    this.length = first.length;
  }

  append(more: T): void {
    if (more.length === 0) return;
    this.reserve(this.length + more.length);
    this.data.set(more as never, this.length);
    this.length += more.length;
  }

  push(value: number): void {
    if (this.length === this.data.length) this.reserve(this.length + 1);
    this.data[this.length++] = value;
  }

  private reserve(needed: number): void {
    if (needed <= this.data.length) return;
    const Type = this.data.constructor as new (length: number) => T;
    const larger = new Type(Math.max(needed, 2 * this.data.length, 16));
    larger.set(this.data.subarray(0, this.length) as never);
    this.data = larger;
  }

  get values(): T {
    return this.data.subarray(0, this.length) as T;
  }
}
