import { test } from 'vitest';
import { createDevnet } from '../../src/index.ts';
test('node', async () => {
    const node = await createDevnet({ hardfork: 'amsterdam' as any, port: 0, automine: true } as any);
    const call = async (method: string, params: any[] = []) => node.provider.request({ method, params } as any).catch((e: any) => ({ error: e.message }));
    const [from] = (await call('eth_accounts')) as string[];
    // creates slot: PUSH1 1 PUSH0 SSTORE ; init returns nothing
    const tx = await call('eth_sendTransaction', [{ from, data: '0x60015f5500', value: '0x1' }]);
    console.log(await call('eth_getTransactionReceipt', [tx]));
    console.log(JSON.stringify(await call('debug_traceTransaction', [tx])), JSON.stringify(await call('debug_traceTransaction', [tx, { tracer: 'callTracer' }])));
    console.log(JSON.stringify(await call('eth_getBlockAccessList', ['latest'])));
    console.log(JSON.stringify(await call('debug_getRawBlockAccessList', ['0x0'])), JSON.stringify(await call('devnet_blockAccesses', ['latest', '0x1'])));
    // 65536 bytes code
    const big = '0x62010000' + '5f' + 'f3';
    console.log(await call('eth_estimateGas', [{ from, data: big }]));
    const tx2 = await call('eth_sendTransaction', [{ from, data: big }]);
    const r2: any = await call('eth_getTransactionReceipt', [tx2]);
    console.log(tx2, r2.status, r2.gasUsed, ((await call('eth_getCode', [r2.contractAddress, 'latest'])) as string).length);
    // 0->x->0
    const nil = '0x' + '60015f55' + '5f5f55' + '00';
    console.log('peak', await call('eth_estimateGas', [{ from, data: nil }]));
    console.log(JSON.stringify(await call('eth_feeHistory', ['0x2', 'latest', []])));
    for (const rft of [false, true]) console.log(JSON.stringify(await call('eth_simulateV1', [{ blockStateCalls: [{ calls: [{ from, to: '0x00000000000000000000000000000000000000bb', value: '0x1' }] }, {}], traceTransfers: true, returnFullTransactions: rft }, 'latest'])).replace(/"logsBloom":"0x0*[^"]*",/g, ''));
    console.log(await call('anvil_mine', ['0x64']), await call('eth_blockNumber'));
    console.log(JSON.stringify(await call('debug_executionWitness', ['0x1'])).slice(0, 200));
    console.log(JSON.stringify(await call('eth_config', [])).slice(0, 900));
    await (node as any).stop?.(); await (node as any).close?.();
}, 60_000);
