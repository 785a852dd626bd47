import { render } from 'preact';
import { loadDecoder } from './abi/contracts.ts';
import { connect } from './app.ts';
import { Shell } from './parts/shell.tsx';

render(<Shell />, document.getElementById('root')!);
connect();
loadDecoder().catch(() => {
  // The node ended meanwhile: what was loaded is shown, and the rest raw.
});
