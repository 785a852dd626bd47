// The parts of the WebAssembly API that src/engine/wasm uses. TypeScript declares them only together with the browser's interfaces.
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  /** The error that a trap throws. */
  class RuntimeError extends Error {}
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
}
