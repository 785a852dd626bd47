/** The modules from which a TypeScript or JavaScript text imports values, as the text names them. */
export function importsOf(text: string): string[];
