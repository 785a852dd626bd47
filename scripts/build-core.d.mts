/** Compiles the modules that are older than their sources. @returns their paths: core.wasm, and core-steps.wasm, which reports each step */
export function buildCore(options?: { debug?: boolean }): Promise<[string, string]>;
/** Compiles src/core. @returns the module */
export function compileCore(options?: { debug?: boolean; steps?: boolean }): Promise<Uint8Array>;
