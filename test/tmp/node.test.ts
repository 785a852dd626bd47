import { test } from 'vitest';
import { createDevnet } from '../../src/index.ts';
test('node', async () => {
  for (const mode of [{ automine: true }, { noMining: true }, { blockTime: 2 }] as any[]) {
    const node = await createDevnet({ hardfork: 'amsterdam' as any, port: 0, ...mode } as any);
    const call = async (method: string, params: any[] = []) => node.provider.request({ method, params } as any).catch((e: any) => ({ error: e.message }));
    const [from] = (await call('eth_accounts')) as string[];
    console.log(mode, await call('eth_estimateGas', [{ from, to: '0x00000000000000000000000000000000000000aa', value: '0x1' }]), await call('eth_estimateGas', [{ from, to: from, value: '0x1' }]), await call('eth_estimateGas', [{ from, to: '0x4e59b44847b379578588920ca78fbf26c0b4956c', value: '0x0' }]));
    const tx = await call('eth_sendTransaction', [{ from, to: '0x00000000000000000000000000000000000000aa', value: '0x1' }]);
    console.log(tx);
    await call('evm_mine');
    await call('evm_mine');
    if (mode.blockTime) await new Promise((r) => setTimeout(r, 2500));
    console.log(await call('eth_getTransactionReceipt', [tx]));
    console.log(await call('eth_getBlockByNumber', ['0x1', false]));
    console.log(await call('eth_getBlockByNumber', ['pending', false]));
    console.log(JSON.stringify(await call('eth_simulateV1', [{ blockStateCalls: [{ calls: [{ from, to: '0x00000000000000000000000000000000000000bb', value: '0x1' }] }], traceTransfers: true }, 'latest'])));
    console.log(JSON.stringify(await call('eth_simulateV1', [{ blockStateCalls: [{ calls: [{ from, to: '0x00000000000000000000000000000000000000bb', value: '0x1' }] }], traceTransfers: true, returnFullTransactions: true }, 'latest'])));
    await node.stop?.(); await (node as any).close?.();
  }
}, 60_000);
