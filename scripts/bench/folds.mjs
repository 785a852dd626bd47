import { hexToBytes } from '@ethereumjs/util';
import { median } from './stats.mjs';

/**
 * Measures the state root of small blocks in the executor and in the node's own tries, which must be equal, and the lists of nodes to
 * store. Each block contains the changes of one ERC-20 transfer: nonce and balance of the sender, balance of the coinbase, two slots of the
 * token, and the three slots of EIP-4788 and EIP-2935.
 */
export async function measureFolds({ Executor, run, recover, state }, { rounds, blocks }) {
  console.log(
    '\n| accounts | executor, us of CPU a fold: median / best | and the list | TrieState | and the list | ratio, lists included |\n|---|---|---|---|---|---|',
  );
  const word = (n) => `0x${n.toString(16).padStart(64, '0')}`;
  const addressOf = (n) => `0x${(n + 0x10000).toString(16).padStart(40, '0')}`;
  const [beacon, history, token, coinbase] = [1, 2, 3, 4].map((n) => addressOf(-n));
  for (const size of [1000, 20_000]) {
    const holders = Array.from({ length: size }, (_, n) => n);
    const one = new Uint8Array([1]);
    const balances = new Map(holders.map((n) => [word(n), one]));
    const alloc = new Map(holders.map((n) => [addressOf(n), { balance: 10n ** 20n }]));
    for (const contract of [beacon, history, token])
      alloc.set(contract, { balance: 0n, nonce: 1n, storage: contract === token ? balances : new Map() });
    const stored = new state.MemorySource();
    const source = new state.CachedSource({}, stored);
    let trie = state.TrieState.at(source, state.EMPTY_ROOT).fold(state.genesisWrites(alloc));
    stored.store(trie.unstored());
    trie = trie.asStored(source);
    const executor = new Executor(
      { chainId: 31337n },
      {
        recover,
        source: {
          getAccount: (address) => trie.getAccount(address),
          getStorage: (address, slot) => trie.getStorage(address, slot),
          getCode: () => new Uint8Array(0),
          getNode: (hash) => stored.getNode(hash),
        },
      },
    );
    executor.useState(trie.root);
    const entryOf = (address) => run(executor.loadAccount(hexToBytes(address)));
    const entries = new Map([...alloc.keys(), coinbase].map((address) => [address, entryOf(address)]));
    for (const n of holders) run(executor.loadSlot(entries.get(token), BigInt(n)));
    const times = { fold: [], list: [], trieFold: [], trieList: [] };
    const clock = (name, work) => {
      const start = process.cpuUsage();
      const result = work();
      const { user, system } = process.cpuUsage(start);
      sums[name] += user + system;
      return result;
    };
    let sums;
    let block = 0;
    for (let round = 0; round < rounds + 3; round++) {
      sums = { fold: 0, list: 0, trieFold: 0, trieList: 0 };
      for (let i = 0; i < blocks; i++) {
        block++;
        const from = (block * 7919) % size;
        const to = (block * 104_729 + 1) % size;
        const value = BigInt(block + 1);
        const slots = [
          [token, BigInt(from), value],
          [token, BigInt(to), value + 1n],
          [beacon, value % 8191n, value],
          [beacon, (value % 8191n) + 8191n, 5n],
          [history, value % 8191n, value << 100n],
        ];
        for (const [address, slot] of slots) run(executor.loadSlot(entries.get(address), slot));
        executor.core.closeBlock();
        for (const [address, slot, content] of slots) executor.setSlot(entries.get(address), slot, content);
        const sender = addressOf(from);
        executor.setNonce(entries.get(sender), value);
        executor.setBalance(entries.get(sender), 10n ** 20n - value);
        executor.setBalance(entries.get(coinbase), value);
        const root = clock('fold', () => executor.stateRoot());
        const list = clock('list', () => {
          const { nodes, preimages } = executor.changedNodes().parts;
          return [...nodes, ...preimages];
        });
        const storage = new Map();
        for (const [address, slot, content] of slots) {
          if (!storage.has(address)) storage.set(address, { cleared: false, slots: new Map() });
          const digits = content.toString(16);
          storage
            .get(address)
            .slots.set(
              word(slot),
              Uint8Array.from(Buffer.from(digits.padStart(digits.length + (digits.length & 1), '0'), 'hex')),
            );
        }
        const accounts = new Map([
          [sender, { ...state.NEW_ACCOUNT, nonce: value, balance: 10n ** 20n - value }],
          [coinbase, { ...state.NEW_ACCOUNT, balance: value }],
        ]);
        const folded = clock('trieFold', () => {
          const next = trie.fold({ accounts, storage, code: new Map() });
          next.root;
          return next;
        });
        const unstored = clock('trieList', () => {
          const { nodes, preimages } = folded.unstored();
          const all = [...nodes, ...preimages];
          trie = folded.asStored(source);
          return all;
        });
        if (!Buffer.from(root).equals(trie.root)) throw new Error('roots differ');
        if (Math.abs(list.length - unstored.length) > 20) throw new Error('lists differ');
        for (const [hash, node] of unstored) stored.store({ nodes: [[hash, node]], code: [] });
      }
      if (round < 3) continue;
      for (const [name, sum] of Object.entries(sums)) times[name].push(sum / blocks);
    }
    const show = (list) => `${median(list).toFixed(1)} / ${Math.min(...list).toFixed(1)}`;
    const whole = (a, b) => median(times[a].map((time, i) => time + times[b][i]));
    console.log(
      `| ${size} | ${show(times.fold)} | ${show(times.list)} | ${show(times.trieFold)} | ${show(times.trieList)} | ${(whole('trieFold', 'trieList') / whole('fold', 'list')).toFixed(1)} |`,
    );
  }
}
