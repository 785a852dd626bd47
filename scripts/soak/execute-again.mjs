import { createBlockFromRPC } from '@ethereumjs/block';
import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { RPCStateManager } from '@ethereumjs/statemanager';
import { bytesToHex } from '@ethereumjs/util';
import { createVM, runBlock } from '@ethereumjs/vm';

/** Executes the last block but one in EthereumJS's own VM, on the state that the node returns for the block before it. */
export async function executeAgain(port, client) {
  const head = BigInt(await client.call('eth_blockNumber'));
  if (head < 3n) return;
  const number = head - 1n;
  const json = await client.call('eth_getBlockByNumber', [`0x${number.toString(16)}`, true]);
  const common = createCustomCommon({ chainId: 31337 }, Mainnet, { hardfork: 'prague' });
  common.consensusType = () => 'pos';
  const block = createBlockFromRPC(json, [], { common });
  const stateManager = new RPCStateManager({
    provider: `http://127.0.0.1:${port}`,
    blockTag: number - 1n,
    common,
  });
  const blockchain = {
    getBlock: async () => ({ hash: () => block.header.parentHash }),
    putBlock: async () => {},
  };
  const vm = await createVM({ common, stateManager, blockchain });
  // A state without tries has no root to compare.
  const options = { block, generate: true, skipBlockValidation: true, skipHeaderValidation: true };
  const result = await runBlock(vm, options).catch((error) => error);
  // If the block or its parent was removed by a reorg or pruned meanwhile, the node may have returned another state.
  const isThere = async ({ number: at, hash }) =>
    (await client.call('eth_getBlockByNumber', [at, false]))?.hash === hash;
  const parent = { number: `0x${(number - 1n).toString(16)}`, hash: json.parentHash };
  if (!(await isThere(json)) || !(await isThere(parent))) return;
  if (result instanceof Error) throw result;
  for (const [what, got, expected] of [
    ['gas', `0x${result.gasUsed.toString(16)}`, json.gasUsed],
    ['receipts root', bytesToHex(result.receiptsRoot), json.receiptsRoot],
    ['bloom', bytesToHex(result.logsBloom), json.logsBloom],
  ])
    if (got !== expected) throw new Error(`block ${number}: ${what} ${got} instead of ${expected}`);
}
