import { loadBundle } from './cli/bundle.ts';

const { bundle, keeping } = loadBundle('command');
const { command } = await bundle.command();
await command(keeping);
