/** @returns file name in src/core -> what it has to hold */
export function coreTables(): Promise<Record<string, string>>;
/** Writes those that have changed. */
export function writeCoreTables(): Promise<void>;
