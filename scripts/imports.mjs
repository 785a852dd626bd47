// Reads what a module imports, for the scripts that go by it.

/** `import a, { b } from 'c'`, `export * from 'c'`, `import 'c'`, `import('c')` */
const IMPORT =
  /(?:^(?:import|export) (?!type\b)(?:([\w$*, ]*?)(?:\{([^}]*)\})? ?from )?|\bimport\()\s*'([^']+)'/gm;

/**
 * The modules whose values a TypeScript or JavaScript text imports, as they are written there. Types are left out: they are gone
 * when the code runs.
 */
export function importsOf(text) {
  return [...text.matchAll(IMPORT)]
    .filter(
      ([, name, names]) => name || !names || names.split(',').some((one) => /^\s*(?!type )\w/.test(one)),
    )
    .map(([, , , target]) => target);
}
