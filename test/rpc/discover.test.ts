import { expect, it, onTestFinished } from 'vitest';
import { createDevnet } from '../../src/index.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';

type Schema = { readonly [member: string]: unknown };

interface Document {
  readonly info: { readonly version: string };
  readonly methods: readonly {
    readonly name: string;
    readonly params: unknown;
    readonly result: { readonly schema: Schema };
  }[];
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Whether a value is as a schema says, as far as the document's schemas go. */
function matches(value: unknown, schema: Schema, { components: { schemas } }: Document): boolean {
  const within = (part: unknown, its: unknown) =>
    matches(part, its as Schema, { components: { schemas } } as Document);
  if (typeof schema.$ref === 'string') return within(value, schemas[schema.$ref.split('/').at(-1)!]);
  if (schema.anyOf) return (schema.anyOf as Schema[]).some((one) => within(value, one));
  if (schema.not) return false;
  if ('const' in schema && value !== schema.const) return false;
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (schema.type && schema.type !== kind) return false;
  if (schema.pattern && !new RegExp(schema.pattern as string).test(value as string)) return false;
  if (schema.items && !(value as unknown[]).every((item) => within(item, schema.items))) return false;
  const object = value as Record<string, unknown>;
  if (((schema.required as string[]) ?? []).some((name) => object[name] === undefined)) return false;
  return Object.entries(schema.properties ?? {}).every(
    ([name, its]) => object?.[name] === undefined || within(object[name], its),
  );
}

it('describes all methods, and what they answer', async () => {
  const node = await createDevnet({ hardfork: 'amsterdam', automine: true });
  onTestFinished(() => node.close());
  const call = (method: string, ...params: unknown[]) =>
    // biome-ignore lint/suspicious/noExplicitAny: answers are compared with their schemas
    node.provider.request({ method, params }) as Promise<any>;
  const document = (await call('rpc.discover')) as Document;
  expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
  const names = document.methods.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([...METHODS.map(({ name }) => name), 'hardhat_mine', 'rpc.discover']),
  );
  expect(new Set(names).size).toBe(names.length);
  for (const [, name] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
    expect(document.components.schemas, name).toHaveProperty(name!);

  const [from, to] = await call('eth_accounts');
  const hash = await call('eth_sendTransaction', { from, to, value: '0x1' });
  const { blockHash } = await call('eth_getTransactionByHash', hash);
  const { blockAccessListHash, slotNumber } = document.components.schemas.RpcBlock!.properties as Record<
    string,
    Schema
  >;
  expect([blockAccessListHash, slotNumber].map((schema) => schema!.description)).toEqual([
    'since amsterdam (EIP-7928)',
    'since amsterdam (EIP-7843)',
  ]);
  for (const [method, ...params] of [
    ['eth_getBlockByNumber', 'latest', true],
    ['eth_getBlockByHash', blockHash, false],
    ['eth_getTransactionByHash', hash],
    ['eth_getTransactionReceipt', hash],
    ['eth_getLogs', { blockHash }],
    ['eth_getBalance', from],
    ['eth_accounts'],
    ['eth_feeHistory', '0x1', 'latest', []],
    ['eth_getBlockAccessList', 'latest'],
    ['eth_estimateGas', { from, to }],
  ] as const) {
    const answer = await call(method, ...params);
    const { schema } = document.methods.find(({ name }) => name === method)!.result;
    expect(matches(answer, schema, document), `${method}: ${JSON.stringify(answer)}`).toBe(true);
  }
  const block = await call('eth_getBlockByNumber', 'latest', false);
  expect(matches({ ...block, gasUsed: undefined }, { $ref: '#/components/schemas/RpcBlock' }, document)).toBe(
    false,
  );
  expect(matches({ ...block, slotNumber: 5 }, { $ref: '#/components/schemas/RpcBlock' }, document)).toBe(
    false,
  );
});
