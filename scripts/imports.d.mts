/** The modules whose values a TypeScript or JavaScript text imports, as they are written there. */
export function importsOf(text: string): string[];
