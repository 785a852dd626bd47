/** @returns file name in src/core -> the text that the file must have */
export function coreTables(): Promise<Record<string, string>>;
/** Writes the files whose text has changed. */
export function writeCoreTables(): Promise<void>;
