import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { methodEntry } from './pages.ts';

/** Creates a contract inside its init code, and leaves one byte of code behind. */
const INIT_CODE = '0x600060006000f0506001600c60003960016000f300';

/** What differs from run to run. */
interface Facts {
  readonly from: string;
  readonly to: string;
  /** hash of a transaction that made a contract */
  readonly creation: string;
  readonly contract: string;
  /** of the block with the creation, in RLP */
  readonly block: string;
  readonly blockHash: string;
  /** a transaction that could be in the next block */
  readonly signed: string;
}

/** Methods whose answers are objects -> parameters that bring such an answer. */
const EXAMPLES: Readonly<Record<string, (facts: Facts) => readonly unknown[]>> = {
  anvil_metadata: () => [],
  anvil_nodeInfo: () => [],
  base_transactionStatus: ({ creation }) => [creation],
  debug_accountInfoAt: ({ from }) => ['0x1', 0, from],
  debug_executionWitness: () => ['0x1'],
  debug_storageRangeAt: ({ blockHash, contract }) => [blockHash, 0, contract, '0x', 1],
  debug_traceBlock: ({ block }) => [block],
  debug_traceBlockByHash: ({ blockHash }) => [blockHash],
  debug_traceBlockByNumber: () => ['0x1'],
  debug_traceCall: ({ from, to }) => [{ from, to }],
  debug_traceTransaction: ({ creation }) => [creation],
  devnet_chainOptions: () => [],
  devnet_coverage: () => [],
  devnet_searchTransactions: () => [{ limit: 1 }],
  devnet_stackTrace: () => [{ data: '0xfe' }],
  devnet_stateAt: () => ['pending', 0],
  devnet_transactionStatus: ({ creation }) => [creation],
  eth_callBundle: ({ signed }) => [{ txs: [signed], blockNumber: '0x2', stateBlockNumber: 'latest' }],
  eth_capabilities: () => [],
  eth_config: () => [],
  eth_createAccessList: ({ from, to }) => [{ from, to }],
  eth_feeHistory: () => ['0x1', 'latest'],
  eth_fillTransaction: ({ from, to }) => [{ from, to }],
  eth_getAccount: ({ from }) => [from],
  eth_getAccountInfo: ({ from }) => [from],
  eth_getProof: ({ from }) => [from, []],
  ots_getBlockDetails: () => ['0x1'],
  ots_getBlockDetailsByHash: ({ blockHash }) => [blockHash],
  ots_getBlockTransactions: () => ['0x1', '0x0', '0xa'],
  ots_getContractCreator: ({ contract }) => [contract],
  ots_getInternalOperations: ({ creation }) => [creation],
  ots_searchTransactionsAfter: ({ from }) => [from, '0x0', '0xa'],
  ots_searchTransactionsBefore: ({ from }) => [from, '0x0', '0xa'],
  ots_traceTransaction: ({ creation }) => [creation],
  trace_blockOpcodeGas: () => ['0x1'],
  trace_call: ({ from, to }) => [{ from, to }, ['trace']],
  trace_callMany: ({ from, to }) => [[[{ from, to }, ['trace']]]],
  trace_rawTransaction: ({ signed }) => [signed, ['trace']],
  trace_replayBlockTransactions: () => ['0x1', ['trace']],
  trace_replayTransaction: ({ creation }) => [creation, ['trace']],
  trace_transactionOpcodeGas: ({ creation }) => [creation],
  txpool_content: () => [],
  txpool_contentFrom: ({ from }) => [from],
  txpool_inspect: () => [],
  txpool_status: () => [],
};

/** `{ name, maybe?, other: ... }` at the beginning of what a method @returns, or after "a list of" -> its fields. */
function fieldsOf(name: string): string[] | undefined {
  const entry = methodEntry(name);
  const [, fields] =
    /^- Answer: (?:a list of |the tracer's result; without a tracer )?`\{ (.*?) \}`/m.exec(entry) ?? [];
  // A map has keys of its own: `{ address: ... }`.
  if (fields === undefined || /^(?:address|namespace):/.test(fields)) return undefined;
  return fields.replace(/: (?:\{.*?\}|'[^,]*)/g, '').split(', ');
}

describe('docs/methods tells the fields that answers have:', () => {
  let node: Devnet;
  let facts: Facts;
  const request = <T>(method: string, ...params: readonly unknown[]) =>
    node.provider.request({ method, params }) as Promise<T>;

  beforeAll(async () => {
    // With flashblocks, too, of which some methods tell.
    node = await createDevnet({ mixedMining: true, blockTime: 60 });
    const [from, to] = node.accounts.map(({ address }) => address.toLowerCase()) as [string, string];
    const creation = await request<string>('eth_sendTransaction', { from, data: INIT_CODE });
    const receipt = await request<{ contractAddress: string; blockHash: string }>(
      'eth_getTransactionReceipt',
      creation,
    );
    facts = {
      from,
      to,
      creation,
      contract: receipt.contractAddress,
      blockHash: receipt.blockHash,
      block: await request('debug_getRawBlock', '0x1'),
      signed: await request('eth_signTransaction', { from, to }),
    };
  });
  afterAll(() => node.close());

  it('there is an example of each', () => {
    const documented = METHODS.map(({ name }) => name).filter((name) => fieldsOf(name));
    expect(Object.keys(EXAMPLES)).toEqual(documented.sort());
  });

  it.each(Object.keys(EXAMPLES))('%s', async (method) => {
    const given = await request<object | object[]>(method, ...EXAMPLES[method]!(facts));
    const answer = Array.isArray(given) ? given[0] : given;
    const fields = fieldsOf(method)!;
    const known = fields.map((field) => field.replace('?', ''));
    expect(known).toEqual(expect.arrayContaining(Object.keys(answer)));
    expect(Object.keys(answer)).toEqual(
      expect.arrayContaining(fields.filter((field) => !field.endsWith('?'))),
    );
  });
});
