import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileScript } from './compiled-script.ts';

/** What the script that the build makes of src gets, and what it adds. */
interface Bundle {
  readonly url: string;
  readonly require: NodeJS.Require;
  /** A script can't use `import()`. */
  readonly import: (specifier: string) => Promise<unknown>;
  readonly command?: () => Promise<typeof import('./command.ts')>;
  /** src/index.ts */
  readonly api?: () => Promise<Record<string, unknown>>;
}

/**
 * Loads the script that has the command and the API, with the compiled code that an earlier process kept for the same use.
 * @param use what it is loaded for: the command and the API call different functions
 * @returns with `keep`, which keeps the code of the functions that have been called so far for the next process
 */
export function loadBundle(use: 'command' | 'api'): {
  readonly bundle: Required<Bundle>;
  readonly keep: () => void;
} {
  const path = join(import.meta.dirname, process.env.DEVNET_BUNDLE!);
  const { run, keep } = compileScript(path, use);
  const bundle: Bundle = {
    url: pathToFileURL(path).href,
    require: createRequire(path),
    import: (specifier) => import(specifier),
  };
  (run() as (bundle: Bundle) => void)(bundle);
  return { bundle: bundle as Required<Bundle>, keep };
}
