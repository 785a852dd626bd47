// Measures the executor (src/engine/wasm, src/core) in process, compared with the engine ethereumjs (src/engine/ethereumjs) and the node's
// tries (src/state) in the same run:
//   node scripts/bench-core.mjs [--rounds 5] [--blocks 500] [--only blocks|folds|loops] [--hardfork osaka]
// Blocks: processor time and elapsed time from the signed bytes to the header of the sealed block, without a store. Folds: the state root
// after a block with one ERC-20 transfer, and the list of trie nodes to store. Loops: bytecode, 10 Mgas per call, by the processor time of
// the process, including the compiler's threads.
import { parseArgs } from 'node:util';
import { mnemonicToAccount } from 'viem/accounts';
import { measureFolds } from './bench/folds.mjs';
import { recipient, tokenDeployment, transferData } from './bench/senders.mjs';
import { median } from './bench/stats.mjs';
import { importSources } from './import-sources.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    blocks: { type: 'string', default: '500' },
    only: { type: 'string' },
    hardfork: { type: 'string', default: 'osaka' },
  },
});
const rounds = Number(values.rounds);
const blocks = Number(values.blocks);

const {
  Executor,
  EXEMPT,
  add,
  call,
  openBlock,
  sealBlock,
  rulesOf,
  chooseCrypto,
  singleHardfork,
  EthereumjsEngine,
  recoverAuthority,
  finishNow: run,
  ...state
} = await importSources(
  [
    'engine/wasm/executor',
    'engine/wasm/rules',
    'engine/wasm/run',
    'protocol/crypto',
    'protocol/hardfork',
    'engine/ethereumjs/ethereumjs-engine',
    ...['overlay', 'trie-state', 'node-cache', 'genesis', 'account'].map((name) => `state/${name}`),
  ]
    .map((name) => `src/${name}`)
    .concat('test/engine/wasm/core-blocks'),
);
const CHAIN_ID = 31337n;
const GWEI = 10n ** 9n;
const crypto = await chooseCrypto();
const schedule = singleHardfork(CHAIN_ID, values.hardfork, crypto);
const fork = schedule.at(0n, 0n);
// From Amsterdam on a new slot or account takes 100,000 to 200,000 gas (EIP-8037).
const isAmsterdam = fork.has(8037);
const bytes = (hex) => Buffer.from(hex.slice(2), 'hex');
const account = mnemonicToAccount('test test test test test test test test test test test junk');
const owner = account.address;

for (const [name, measure] of Object.entries({
  blocks: measureBlocks,
  folds: () => measureFolds({ Executor, run, recover: crypto.recover, state }, { rounds, blocks }),
  loops: measureLoops,
}))
  if (!values.only || values.only === name) await measure();

function blockFields(number, parentHash) {
  return {
    number,
    timestamp: 1_700_000_000n + number,
    gasLimit: 30_000_000n,
    coinbase: new Uint8Array(20).fill(0xc0),
    baseFeePerGas: GWEI,
    blobBaseFee: 1n,
    excessBlobGas: 0n,
    difficulty: 0n,
    prevRandao: new Uint8Array(32),
    parentHash,
    parentBeaconBlockRoot: new Uint8Array(32),
    extraData: new Uint8Array(0),
  };
}

function newExecutor() {
  const executor = new Executor({ chainId: CHAIN_ID }, { recover: crypto.recover });
  executor.useRules(rulesOf(fork));
  const alloc = state.builtinAlloc({ accounts: [], balance: 0n, builders: isAmsterdam });
  for (const [address, { balance, nonce, code }] of alloc) {
    const entry = executor.account(bytes(address));
    executor.setBalance(entry, balance);
    executor.setNonce(entry, nonce);
    executor.setCode(entry, code);
  }
  executor.setBalance(executor.account(bytes(owner)), 10n ** 30n);
  executor.stateRoot();
  return executor;
}

async function measureBlocks() {
  console.log(
    '| block of | transactions | us a transaction, CPU: median / min | time: median / min |\n|---|---|---|---|',
  );
  for (const [name, perBlock] of [
    ['ERC-20 transfer', 1],
    ['ETH transfer', 1],
    ['ERC-20 transfer', 100],
  ]) {
    const executor = newExecutor();
    let nonce = 0;
    const sign = (fields) =>
      account
        .signTransaction({
          type: 'eip1559',
          chainId: 31337,
          nonce: nonce++,
          maxFeePerGas: 2n * GWEI,
          maxPriorityFeePerGas: GWEI,
          ...fields,
        })
        .then(bytes);
    let number = 1n;
    let parent = new Uint8Array(32);
    const mine = (transactions) => {
      run(openBlock(executor, blockFields(number++, parent), () => undefined));
      const logs = [];
      let created;
      for (const raw of transactions) {
        const result = run(add(executor, raw));
        if (result.kind === 'invalid' || result.halt) throw new Error(result.fault ?? result.halt);
        logs.push(...result.logs);
        created ??= result.createdAddress;
      }
      parent = run(sealBlock(executor, { withdrawals: [], logs })).hash;
      return created;
    };
    const token = mine([
      await sign({ ...tokenDeployment, gas: isAmsterdam ? 8_000_000n : tokenDeployment.gas }),
    ]);
    const to = `0x${Buffer.from(token).toString('hex')}`;
    const transfer = (i) =>
      name.startsWith('ERC')
        ? sign({ to, data: transferData(recipient(i), 1n), gas: isAmsterdam ? 250_000n : 100_000n })
        : sign({ to: recipient(i), value: 1n, gas: isAmsterdam ? 250_000n : 21_000n });
    const cpu = [];
    const time = [];
    for (let round = 0; round < rounds + 2; round++) {
      const count = perBlock === 1 ? blocks : Math.ceil(blocks / perBlock);
      const batches = [];
      for (let i = 0; i < count; i++)
        batches.push(
          await Promise.all(Array.from({ length: perBlock }, (_, j) => transfer(i * perBlock + j))),
        );
      const start = process.hrtime.bigint();
      const before = process.cpuUsage();
      for (const batch of batches) mine(batch);
      const { user, system } = process.cpuUsage(before);
      // The first two rounds warm up.
      if (round < 2) continue;
      cpu.push((user + system) / (count * perBlock));
      time.push(Number(process.hrtime.bigint() - start) / 1000 / (count * perBlock));
    }
    const show = (list) => `${median(list).toFixed(1)} / ${Math.min(...list).toFixed(1)}`;
    console.log(`| ${perBlock} | ${name} | ${show(cpu)} | ${show(time)} |`);
  }
}

/** Bytecode that repeats its body until it runs out of gas: JUMPDEST body PUSH0 JUMP. */
function loops() {
  const loop = (body) => Uint8Array.from([0x5b, ...body, 0x5f, 0x56]);
  const callee = [0x73, ...new Uint8Array(20).fill(0xee)];
  return {
    // PUSH1 7 CALLVALUE ADD PUSH1 3 MUL PUSH1 5 SWAP1 DIV PUSH1 11 XOR POP
    arithmetic: loop([0x60, 7, 0x34, 0x01, 0x60, 3, 0x02, 0x60, 5, 0x90, 0x04, 0x60, 11, 0x18, 0x50]),
    // PUSH32 PUSH32 PUSH32 MULMOD POP
    mulmod: loop([...[1, 2, 3].flatMap((n) => [0x7f, ...new Uint8Array(32).fill(0xf0 + n)]), 0x09, 0x50]),
    // PUSH1 64 PUSH0 KECCAK256 PUSH0 MSTORE
    keccak: loop([0x60, 64, 0x5f, 0x20, 0x5f, 0x52]),
    // PUSH2 4096 PUSH0 KECCAK256 POP
    'keccak of 4 KiB': loop([0x61, 0x10, 0, 0x5f, 0x20, 0x50]),
    // PUSH1 1 SLOAD PUSH1 1 ADD PUSH1 1 SSTORE
    storage: loop([0x60, 1, 0x54, 0x60, 1, 0x01, 0x60, 1, 0x55]),
    // PUSH0 x 5, callee, PUSH2 10000, CALL POP
    calls: loop([0x5f, 0x5f, 0x5f, 0x5f, 0x5f, ...callee, 0x61, 0x27, 0x10, 0xf1, 0x50]),
  };
}

async function measureLoops() {
  console.log(
    '\n| loop | executor, Mgas/s: median / best | EthereumJS | ratio of medians |\n|---|---|---|---|',
  );
  const gas = 10_000_000n;
  const address = new Uint8Array(20).fill(0xcc);
  const from = new Uint8Array(20).fill(0xca);
  const calleeCode = Uint8Array.from([0x60, 1, 0x60, 2, 0x01, 0x5f, 0x52, 0x60, 32, 0x5f, 0xf3]);
  const { Address } = await import('@ethereumjs/util');
  for (const [name, code] of Object.entries(loops())) {
    const executor = newExecutor();
    executor.setCode(executor.account(address), code);
    executor.setCode(executor.account(new Uint8Array(20).fill(0xee)), calleeCode);
    executor.setBlock(blockFields(1n, new Uint8Array(32)), () => undefined);
    const message = {
      type: 2,
      from: new Address(from),
      to: new Address(address),
      nonce: 0n,
      gasLimit: gas + 21_000n,
      value: 0n,
      data: new Uint8Array(0),
      maxFeePerGas: 0n,
      maxPriorityFeePerGas: 0n,
      accessList: [],
    };
    const engine = new EthereumjsEngine({ schedule, crypto });
    const genesis = state.genesisWrites(
      new Map([
        [`0x${Buffer.from(address).toString('hex')}`, { balance: 0n, code }],
        [`0x${'ee'.repeat(20)}`, { balance: 0n, code: calleeCode }],
      ]),
    );
    const trie = state.TrieState.at(new state.MemorySource(), state.EMPTY_ROOT).fold(genesis);
    const env = {
      number: 1n,
      timestamp: 1n,
      coinbase: new Address(new Uint8Array(20)),
      gasLimit: 30_000_000n,
      difficulty: 0n,
      prevRandao: new Uint8Array(32),
      baseFeePerGas: 0n,
      blobBaseFee: 1n,
      blockHash: () => undefined,
    };
    const rules = { nonce: false, fees: false, sender: false, gasCap: false, transferLogs: false };
    const exempt = EXEMPT.nonce | EXEMPT.fees | EXEMPT.sender | EXEMPT.gasCap;
    const ours = await speeds(() => run(call(executor, message, exempt)), gas, rounds + 3);
    const stockGas = gas / 20n;
    const theirs = await speeds(
      () => engine.execute({ ...message, gasLimit: stockGas + 21_000n }, env, new state.Overlay(trie), rules),
      stockGas,
      rounds,
    );
    const show = (list) => `${Math.round(median(list))} / ${Math.round(Math.max(...list))}`;
    console.log(
      `| ${name} | ${show(ours)} | ${show(theirs)} | ${(median(ours) / median(theirs)).toFixed(0)} |`,
    );
  }
}

/** Mgas per second of processor time, for each run but the first three. */
async function speeds(run, gas, times) {
  const found = [];
  for (let i = 0; i < times + 3; i++) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    if (i >= 3) found.push(Number(gas) / (user + system));
  }
  return found;
}
