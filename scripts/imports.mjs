// Reads a module's imports, for the scripts that depend on them.

/** `import a, { b } from 'c'`, `export * from 'c'`, `import 'c'`, `import('c')` */
const IMPORT =
  /(?:^(?:import|export) (?!type\b)(?:([\w$*, ]*?)(?:\{([^}]*)\})? ?from )?|\bimport\()\s*'([^']+)'/gm;

/**
 * The modules from which a TypeScript or JavaScript text imports values, as the text names them. Type imports are left out: they are
 * gone at run time.
 */
export function importsOf(text) {
  return [...text.matchAll(IMPORT)]
    .filter(
      ([, name, names]) => name || !names || names.split(',').some((one) => /^\s*(?!type )\w/.test(one)),
    )
    .map(([, , , target]) => target);
}
