import { loadBundle } from './cli/bundle.ts';

const { bundle, keep } = loadBundle('command');
const { command } = await bundle.command();
// The first answer doesn't wait for it.
await command(() => setImmediate(keep));
