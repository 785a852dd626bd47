import { render } from 'preact';
import { loadDecoder } from './abi/contracts.ts';
import { connect } from './app.ts';
import { loadInIdleTime, Shell } from './parts/shell.tsx';

render(<Shell />, document.getElementById('root')!);
connect();
loadDecoder().catch(() => {
  // The connection to the node ended: the page shows what was loaded, and other data undecoded.
});
loadInIdleTime();
