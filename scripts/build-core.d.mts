/** Compiles src/core if a source is newer than the module. @returns the module's path */
export function buildCore(options?: { debug?: boolean }): Promise<string>;
/** Compiles src/core. @returns the module */
export function compileCore(options?: { debug?: boolean }): Promise<Uint8Array>;
