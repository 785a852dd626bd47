import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { freePort, startNode, startProgram } from './node.mjs';
import { ms } from './stats.mjs';
import { suiteNodes } from './suite-nodes.mjs';
import { waitsDuring } from './waits.mjs';

/** Number of slots of each account that has storage in the second state; a tenth of the accounts have storage. */
const SLOTS = 10;
const BATCH = 1_000;
const NO_BLOCKS = '"best_block_number":0,"blocks":[],"transactions":[],"historical_states":null';

/**
 * The processor time that large states cost, compared with anvil: `anvil_loadState`, `anvil_dumpState` and `--load-state` of many accounts,
 * without storage and with as many slots in addition, and batches of `anvil_setBalance`; and how long another client's requests wait
 * meanwhile.
 */
export async function largeStates({ bin, accounts, progress }) {
  const { foundryBinary } = await suiteNodes();
  const folder = mkdtempSync(join(tmpdir(), 'devnet-large-states-'));
  const starts = {
    devnet: (flags) =>
      startNode(bin, [
        '--automine',
        '--silent',
        '--max-body-size',
        `${64 << 20}`,
        '--rpc-timeout',
        '0',
        ...flags,
      ]),
    async anvil(flags) {
      const port = await freePort();
      const own = ['--port', `${port}`, '--silent', '--cache-path', folder, '--no-request-size-limit'];
      return startProgram(foundryBinary('anvil'), [...own, ...flags], port);
    },
  };
  const found = { devnet: {}, anvil: {} };
  try {
    for (const [kind, text] of Object.entries(states(accounts))) {
      const file = join(folder, `${kind}.json`);
      writeFileSync(file, text);
      const gzipped = `0x${gzipSync(text, { level: 1 }).toString('hex')}`;
      for (const [name, start] of Object.entries(starts)) {
        progress(`  ${kind}, ${name}`);
        const empty = await start([]);
        const startCpu = empty.cpu();
        const measure = measuring(empty, found[name], progress);
        await measure(`anvil_loadState, ${kind}`, () => empty.client.call('anvil_loadState', [gzipped]));
        await measure(`anvil_dumpState, ${kind}`, () => empty.client.text('anvil_dumpState'));
        await empty.stop();
        const loaded = await start(['--load-state', file]);
        found[name][`--load-state, ${kind}`] = { cpu: loaded.cpu() - startCpu };
        progress(`    --load-state, ${kind}: ${ms(loaded.cpu() - startCpu)}`);
        await loaded.stop();
      }
    }
    for (const [name, start] of Object.entries(starts)) {
      progress(`  setBalance, ${name}`);
      const node = await start([]);
      const measure = measuring(node, found[name], progress);
      await measure(`anvil_setBalance, batches of ${BATCH}`, () => balances(node.port, accounts));
      await node.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return Object.entries(found.devnet).map(([label, { cpu, max, busy }]) => {
    const peer = found.anvil[label];
    const waits = max === undefined ? '' : `; others wait ${ms(max)}, ${ms(busy)} of processor time`;
    return [
      `${label}, ${accounts}`,
      ms(cpu),
      `anvil ${ms(peer.cpu)}: ${(cpu / peer.cpu).toFixed(1)} times that${waits}`,
    ];
  });
}

const measuring = (node, into, progress) => async (label, work) => {
  const before = node.cpu();
  const { max, busy } = await waitsDuring(node, work);
  const cpu = node.cpu() - before;
  into[label] = { cpu, max, busy };
  progress(`    ${label}: ${ms(cpu)}`);
};

/** Sends batches of JSON-RPC calls, which the client doesn't support. */
async function balances(port, count) {
  for (let first = 0; first < count; first += BATCH) {
    const calls = Array.from({ length: BATCH }, (_, i) => ({
      jsonrpc: '2.0',
      id: i,
      method: 'anvil_setBalance',
      params: [address(first + i), '0xde0b6b3a7640000'],
    }));
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls),
    });
    const answers = await response.json();
    if (answers.some(({ error }) => error)) throw new Error('a balance was refused');
  }
}

/** name -> a state file in anvil's format */
function states(count) {
  const accounts = (storage) =>
    Array.from(
      { length: count },
      (_, i) =>
        `"${address(i)}":{"nonce":${i % 7},"balance":"0x${(10n ** 18n + BigInt(i)).toString(16)}","code":"0x","storage":{${storage(i)}}}`,
    ).join(',');
  const slots = (i) =>
    i >= count / 10
      ? ''
      : Array.from({ length: SLOTS }, (_, k) => `"${word(k)}":"${word(i * SLOTS + k + 1)}"`).join(',');
  const file = (storage) => `{"block":null,"accounts":{${accounts(storage)}},${NO_BLOCKS}}`;
  return { accounts: file(() => ''), 'accounts and slots': file(slots) };
}

/** An address; the addresses are spread over the whole range, like those of real accounts. */
function address(i) {
  let [hex, x] = ['', BigInt(i) + 1n];
  while (hex.length < 40) {
    x = (x * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    hex += x.toString(16).padStart(16, '0').slice(0, 8);
  }
  return `0x${hex}`;
}

const word = (n) => `0x${n.toString(16).padStart(64, '0')}`;
