// What src/engine/wasm uses of the WebAssembly API: TypeScript declares it with the browser's interfaces only.
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  /** What a trap throws. */
  class RuntimeError extends Error {}
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
}
