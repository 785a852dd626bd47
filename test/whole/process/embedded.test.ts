import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';

const run = promisify(execFile);

it('a script that leaves its chain open ends when it has nothing more to do', async () => {
  const api = join(dirname(inject('command')), 'index.js');
  const script = `
    const { createDevnet } = await import(${JSON.stringify(api)});
    const { provider } = await createDevnet({ automine: true });
    const [from] = await provider.request({ method: 'eth_accounts' });
    await provider.request({ method: 'eth_sendTransaction', params: [{ from, to: from }] });
    console.log(await provider.request({ method: 'eth_call', params: [{ from, to: from }, 'latest'] }));`;
  // A call's time limit is a minute: its timer doesn't keep the process.
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 45_000,
  });
  expect([stdout, stderr]).toEqual(['0x\n', '']);
});

it('an error is printed as a DevnetError with its kind', async () => {
  const api = join(dirname(inject('command')), 'index.js');
  const script = `
    const { createDevnet } = await import(${JSON.stringify(api)});
    const chain = await createDevnet({ automine: true });
    console.log(await chain.provider.request({ method: 'eth_foo' }).catch((error) => error));
    await chain.close();`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  expect(stdout).toMatch(/^DevnetError: Method eth_foo not found\n[\s\S]*\bkind: 'methodNotFound'/);
});
