// The thread in which tracers written in JavaScript run. Plain JavaScript, since a thread that is started from the sources
// can't read TypeScript. Nothing here may give a tracer an object of this thread's own realm: only text goes in and out.
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';

const { prelude, reads, signal } = workerData;
const program = readFileSync(new URL(prelude), 'utf8');
const arrived = new Int32Array(signal);
const { process } = globalThis;

// `import()` is refused in a context, by a promise that nobody awaits.
process.on('unhandledRejection', () => {});
harden();

/** id -> a function of the context that takes a request and answers it, both as JSON */
const tracers = new Map();

parentPort.on('message', ({ id, text }) => {
  let answer;
  try {
    let tracer = tracers.get(id);
    if (!tracer) {
      const context = createContext(Object.create(null), {
        codeGeneration: { strings: false, wasm: false },
        // What a tracer leaves in promises never runs.
        microtaskMode: 'afterEvaluate',
      });
      tracer = runInContext(program, context, { filename: 'prelude.js' })(
        (read) => ask(id, read),
        (code) => runInContext(code, context, { filename: '<eval>' }),
      );
      tracers.set(id, tracer);
    }
    answer = tracer(text);
  } catch {
    answer = undefined;
  }
  if (typeof answer !== 'string') answer = '{"error":"the tracer has broken its context"}';
  parentPort.postMessage({ id, answer });
});
parentPort.postMessage({});

/** Asks the main thread for a part of the state, and waits for the answer. */
function ask(id, read) {
  if (typeof read !== 'string') return '';
  Atomics.store(arrived, 0, 0);
  reads.postMessage({ id, read });
  Atomics.wait(arrived, 0, 0);
  return receiveMessageOnPort(reads).message;
}

/**
 * Takes from this realm what a tracer could use if it ever got hold of one of its objects: the way from an object to
 * `Function`, and all that isn't ECMAScript, such as `process`.
 */
function harden() {
  const functions = [
    (() => {}).constructor,
    (async () => {}).constructor,
    function* () {}.constructor,
    async function* () {}.constructor,
  ];
  for (const { prototype } of functions) delete prototype.constructor;
  const kept = new Set(runInContext('Reflect.ownKeys(globalThis)', createContext(Object.create(null))));
  for (const name of ['Function', 'eval', 'WebAssembly']) kept.delete(name);
  for (const name of Reflect.ownKeys(globalThis))
    if (!kept.has(name)) Reflect.deleteProperty(globalThis, name);
}
