/** A binary heap; `before(a, b)` puts `a` ahead of `b`. */
export class Heap<T> {
  readonly #before: (a: T, b: T) => boolean;
  readonly #items: T[];

  /** @param items becomes the heap's own array; sorted into heap order unless `ordered` */
  constructor(before: (a: T, b: T) => boolean, items: T[] = [], ordered = false) {
    this.#before = before;
    this.#items = items;
    if (!ordered) for (let i = (items.length >> 1) - 1; i >= 0; i--) this.#down(i);
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    let i = this.#items.length;
    this.#items.push(item);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!this.#before(item, this.#items[parent]!)) break;
      this.#items[i] = this.#items[parent]!;
      i = parent;
    }
    this.#items[i] = item;
  }

  pop(): T | undefined {
    const best = this.#items[0];
    const last = this.#items.pop();
    if (this.#items.length > 0) {
      this.#items[0] = last!;
      this.#down(0);
    }
    return best;
  }

  /** An independent heap with the same items, at the cost of one array copy. */
  copy(): Heap<T> {
    return new Heap(this.#before, this.#items.slice(), true);
  }

  #down(start: number): void {
    const items = this.#items;
    const item = items[start]!;
    let i = start;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#before(items[child + 1]!, items[child]!)) child++;
      if (!this.#before(items[child]!, item)) break;
      items[i] = items[child]!;
      i = child;
    }
    items[i] = item;
  }
}
