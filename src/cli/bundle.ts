import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CompiledScript, compileScript } from './compiled-script.ts';

/** The script that the build makes of src: what it is given, and what it adds. */
interface Bundle {
  readonly url: string;
  readonly require: NodeJS.Require;
  /** A script can't use `import()`. */
  readonly import: (specifier: string) => Promise<unknown>;
  readonly command?: () => Promise<typeof import('./command.ts')>;
  /** src/index.ts */
  readonly api?: () => Record<string, unknown>;
}

/** Stores compiled code for the next process. */
export type Keeping = Pick<CompiledScript, 'keep' | 'keepMore'>;

/**
 * Loads the script that contains the command and the API, with the compiled code that an earlier process stored for the same use.
 * @param use what the script is loaded for: the command and the API call different functions
 */
export function loadBundle(use: 'command' | 'api'): {
  readonly bundle: Required<Bundle>;
  readonly keeping: Keeping;
} {
  const path = join(import.meta.dirname, process.env.DEVNET_BUNDLE!);
  const { run, ...keeping } = compileScript(path, use);
  const bundle: Bundle = {
    url: pathToFileURL(path).href,
    require: createRequire(path),
    import: (specifier) => import(specifier),
  };
  (run() as (bundle: Bundle) => void)(bundle);
  return { bundle: bundle as Required<Bundle>, keeping };
}
