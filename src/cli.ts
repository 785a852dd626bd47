import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileScript } from './cli/compiled-script.ts';

/** What the build makes of src/cli/command.ts and all that it imports: one function. */
type Bundle = (
  require: NodeJS.Require,
  url: string,
) => Promise<{ command: (onRunning: () => void) => Promise<void> }>;

const path = join(import.meta.dirname, process.env.DEVNET_BUNDLE!);
const script = compileScript(path);
const { command } = await (script.run() as Bundle)(createRequire(path), pathToFileURL(path).href);
// The first answer doesn't wait for it.
await command(() => setImmediate(() => script.keep()));
