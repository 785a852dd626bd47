/** Compiles what is older than a source. @returns paths of the modules: core.wasm, and core-steps.wasm, which tells of steps */
export function buildCore(options?: { debug?: boolean }): Promise<[string, string]>;
/** Compiles src/core. @returns the module */
export function compileCore(options?: { debug?: boolean; steps?: boolean }): Promise<Uint8Array>;
