import { loadBundle } from './cli/bundle.ts';

const { bundle, keep } = loadBundle('command');
const { command } = await bundle.command();
await command(keep);
