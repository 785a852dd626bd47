// Records fixtures/recordings again, one small chain for each mining mode: node scripts/record-fixtures.mjs [dist]
// Only after a deliberate change of the chain's behaviour; otherwise `devnet replay` must report the recordings as equal.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const [dist = 'dist'] = process.argv.slice(2);
const { createDevnet } = await import(join(root, dist, 'index.js'));
const folder = join(root, 'fixtures/recordings');
const Token = JSON.parse(readFileSync(join(root, 'fixtures/contracts/Token.json'), 'utf8'));

const MODES = {
  interval: {},
  automine: { automine: true },
  manual: { noMining: true },
  mixed: { mixedMining: true },
};
/** ABI words behind the constructor: name, symbol, supply; enough of a token to be sent around. */
const word = (value) => value.toString(16).padStart(64, '0');
const ARGUMENTS = [0x60, 0xa0, 1000, 1, `54${'0'.repeat(62)}`, 1, `54${'0'.repeat(62)}`]
  .map((part) => (typeof part === 'string' ? part : word(part)))
  .join('');

mkdirSync(folder, { recursive: true });
for (const [name, options] of Object.entries(MODES)) {
  const record = join(folder, `${name}.jsonl`);
  rmSync(record, { force: true });
  const node = await createDevnet({ ...options, timestamp: 1_700_000_000, manualClock: true, record });
  const ask = (method, ...params) => node.provider.request({ method, params });
  const [from, to, third] = node.accounts.map(({ address }) => address.toLowerCase());
  const impersonated = `0x${'aa'.repeat(20)}`;
  const send = (request) => ask('eth_sendTransaction', { from, gas: '0x100000', ...request });
  const tick = (ms = 200) => node.clock.advance(ms);

  await send({ to, value: '0x1' });
  const deployed = await send({ data: Token.bytecode + ARGUMENTS, gas: '0x300000' });
  await tick(2_200);
  if (name === 'manual') await ask('evm_mine');
  const { contractAddress } = await ask('eth_getTransactionReceipt', deployed);
  const transfer = (amount) => `0xa9059cbb${word(BigInt(to))}${word(amount)}`;
  await send({ to: contractAddress, data: transfer(5n) });
  await send({ to: contractAddress, data: transfer(5_000_000n) }).catch(() => {});
  await tick();
  await ask('anvil_setBalance', third, '0xde0b6b3a7640000');
  const snapshot = await ask('evm_snapshot');
  await ask('evm_increaseTime', 3_600);
  await send({ from: third, to, value: '0x5' });
  await tick(4_000);
  await ask('evm_mine');
  await ask('evm_revert', snapshot);
  await ask('anvil_impersonateAccount', impersonated);
  await ask('anvil_setBalance', impersonated, '0xde0b6b3a7640000');
  await send({ from: impersonated, to, value: '0x1' });
  await tick(1_000);
  await ask('anvil_setNextBlockBaseFeePerGas', '0x77359400');
  await ask('anvil_mine', '0x2', '0x5');
  await send({ to, value: '0x2' });
  await tick();
  await node.close();
}
