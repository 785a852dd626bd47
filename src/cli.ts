import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileScript } from './cli/compiled-script.ts';

/** What the build makes of src/cli/command.ts and all that it imports: a function that adds `command` to its argument. */
type Bundle = (bundle: {
  readonly url: string;
  readonly require: NodeJS.Require;
  readonly import: (specifier: string) => Promise<unknown>;
  command?: (onRunning: () => void) => Promise<void>;
}) => Promise<void>;

const path = join(import.meta.dirname, process.env.DEVNET_BUNDLE!);
const script = compileScript(path);
const bundle: Parameters<Bundle>[0] = {
  url: pathToFileURL(path).href,
  require: createRequire(path),
  import: (specifier) => import(specifier),
};
await (script.run() as Bundle)(bundle);
// The first answer doesn't wait for it.
await bundle.command!(() => setImmediate(() => script.keep()));
