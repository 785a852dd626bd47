import type { Clock, Task } from '../clock.ts';

/** The browser's clock. */
export class BrowserClock implements Pick<Clock, 'now' | 'after'> {
  now(): number {
    return Date.now();
  }

  after(ms: number, task: Task): Disposable {
    const timer = setTimeout(() => void task(), ms);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  }
}

// Polyfill for browsers that have Promise.withResolvers but not yet explicit resource management.
(Symbol as { dispose?: symbol }).dispose ??= Symbol('Symbol.dispose');
