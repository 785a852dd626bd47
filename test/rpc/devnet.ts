import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import kitchen from '../../fixtures/contracts/Kitchen.json' with { type: 'json' };
import { createDevnet } from '../../src/index.ts';
import { callsOf } from '../wire.ts';

const abi = kitchen.abi as Abi;
export const encode = (functionName: string, ...args: unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args });

/** A node with partial blocks on a clock that stands still, and a Kitchen in its first block. */
export async function startKitchen() {
  const lines: string[] = [];
  const node = await createDevnet(
    { blockTime: 2, flashblockInterval: 200, manualClock: true },
    { onConsole: (line) => lines.push(line) },
  );
  const rpc = callsOf(node);
  const [from, other] = node.accounts.map(({ address }) => address.toLowerCase());
  const send = async (tx: Record<string, unknown>): Promise<string> =>
    rpc('eth_sendTransaction', { from, gas: '0x2dc6c0', ...tx });
  const preconfirm = () => node.clock.advance(200);
  const seal = async () => {
    const before = await rpc('eth_blockNumber');
    while ((await rpc('eth_blockNumber')) === before) await preconfirm();
  };
  const bytecode = kitchen.bytecode as Hex;
  const created = await send({ data: encodeDeployData({ abi, bytecode, args: [] }) });
  await seal();
  const { contractAddress: to } = await rpc('eth_getTransactionReceipt', created);
  return { node, rpc, send, preconfirm, seal, from: from!, other: other!, to: to as Hex, created, lines };
}
