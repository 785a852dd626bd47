import { ALIASES } from '../../src/rpc/aliases.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { anyBlock, blockNumber } from '../../src/rpc/codec/block-ref.ts';
import type { Codec } from '../../src/rpc/codec/codec.ts';
import type { RpcMethod } from '../../src/rpc/define-method.ts';
import { expectedBy, isOptional, parameterNames, read } from './method-reference.ts';
import { membersOf, ParsedSource, type SyntaxNode } from './parsed-source.ts';

/** JSON values that tell what a codec takes: one of each type, and of the texts that codecs know. */
const TEXTS = [
  'x',
  '5',
  '0x',
  '0x1',
  '0x12',
  `0x${'1'.repeat(40)}`,
  `0x${'1'.repeat(64)}`,
  `0x${'1'.repeat(130)}`,
  'latest',
];
const NUMBERS = [0, 1, 5, 2 ** 31];

/** The text of src/api/rpc-methods.ts: what each method takes and answers, from the definitions in src/rpc/methods. */
export function requestTypes(): string {
  const objects = new Map<string, string>();
  const rows = METHODS.map((method) => entry(method, objects));
  const aliases = Object.entries(ALIASES).map(
    ([alias, name]) => `  ${/^\w+$/.test(alias) ? alias : `'${alias}'`}: RpcMethods['${name}'];`,
  );
  return [
    HEAD,
    ...objects.values(),
    `/** What each method takes and answers. What no type says of an answer, docs/methods.md does. */
export interface RpcMethods {\n${[...rows, ...aliases].join('\n')}\n}`,
    '',
  ].join('\n\n');
}

/** The types that stand before those of the definitions. */
export const HEAD = `// npm run docs writes this file from the definitions in src/rpc/methods

/** \`0x\` and hex digits. */
export type Hex = \`0x\${string}\`;

/** What stands for a value that is left out. */
type None = null | undefined;

/** An object of which no type says more. */
export type RpcObject = { readonly [field: string]: unknown };

/** A number, or its hex. */
export type RpcNumber = string | number;

/** What a setter answers: null, or true in Hardhat. */
type Done = null | true;

/** An object with fields that are always there, and some that may be. */
type RpcFields<Names extends string, Some extends string = never> = {
  readonly [Name in Names]: unknown;
} & { readonly [Name in Some]?: unknown };

/** A block by its number in hex, tag or hash, an object of EIP-1898, or \`{ blockNumber, flashblockIndex }\`. */
export type RpcBlockRef = string | number | RpcObject;

/** Values that may be left out. */
type AnyBlock = RpcBlockRef | None;
type AnyNumber = RpcNumber | None;
type AnyObject = RpcObject | None;
type AnyText = string | None;

/** A log, as \`eth_getLogs\` answers it. */
export interface RpcLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly transactionIndex: Hex;
  readonly logIndex: Hex;
  readonly [field: string]: unknown;
}

/** A receipt, as \`eth_getTransactionReceipt\` answers it. */
export interface RpcReceipt {
  readonly transactionHash: Hex;
  readonly blockHash: Hex;
  readonly blockNumber: Hex;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly contractAddress: Hex | null;
  /** \`0x1\` or, where it failed, \`0x0\`; absent before Byzantium */
  readonly status?: Hex;
  readonly gasUsed: Hex;
  readonly logs: readonly RpcLog[];
  readonly [field: string]: unknown;
}

/** A transaction, as \`eth_getTransactionByHash\` answers it. */
export interface RpcTransaction {
  readonly hash: Hex;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly nonce: Hex;
  readonly value: Hex;
  readonly gas: Hex;
  readonly input: Hex;
  readonly type: Hex;
  /** null while it waits */
  readonly blockNumber: Hex | null;
  readonly [field: string]: unknown;
}

/** A block or its header, as \`eth_getBlockByNumber\` answers it. */
export interface RpcBlock {
  /** null where the block is not sealed yet in modes that tell none before */
  readonly hash: Hex | null;
  readonly number: Hex;
  readonly parentHash: Hex;
  readonly timestamp: Hex;
  readonly stateRoot: Hex;
  readonly gasLimit: Hex;
  readonly gasUsed: Hex;
  readonly baseFeePerGas?: Hex;
  readonly [field: string]: unknown;
}`;

/** What a method takes and answers, in the types of src/api/rpc-methods.ts. */
export interface Signature {
  readonly params: readonly { readonly name: string; readonly isOptional: boolean; readonly type: string }[];
  readonly answer: string;
  /** what its definition says of it */
  readonly text: string;
  readonly returns: string;
}

/** @param objects receives the interfaces of objects that it takes: name -> text */
export function signatureOf(method: RpcMethod, objects: Map<string, string>): Signature {
  const source = new ParsedSource(`src/rpc/methods/${method.name}.ts`);
  const { value, comment } = source.exported(method.name);
  const names = parameterNames(membersOf((value.arguments as SyntaxNode[])[0]!), source);
  const { text, tags } = read(comment);
  return {
    params: (method.codecs ?? []).map((codec, i) => ({
      name: label(names[i]!),
      isOptional: isOptional(codec),
      type: typeOf(codec, objects),
    })),
    answer: answerType(tags.returns!),
    text,
    returns: tags.returns!,
  };
}

function entry(method: RpcMethod, objects: Map<string, string>): string {
  const { params, answer } = signatureOf(method, objects);
  const firstOfRest = params.findLastIndex(({ isOptional }) => !isOptional) + 1;
  const texts = params.map(({ name, type, isOptional }, i) => {
    const isTaken = params.slice(0, i).some((other) => other.name === name);
    return `${name}${isTaken ? i + 1 : ''}${i >= firstOfRest ? '?' : ''}: ${isOptional ? orNone(type) : type}`;
  });
  return `  ${method.name}(${texts.join(', ')}): ${answer.replace(/^null \| true$/, 'Done')};`;
}

/** Parameters have names that are no reserved words. */
const label = (name: string) =>
  name === 'transactionRequest'
    ? 'request'
    : /^(?:default|function|new|enum)$/.test(name)
      ? `${name}_`
      : name;

/** A type, or what stands for a value that is left out: by the name of both together, where there is one. */
function orNone(type: string): string {
  if (type === 'unknown') return type;
  return type === 'string'
    ? 'AnyText'
    : `${type} | None`.replace(/Rpc(Block|Number|Object)(Ref)? \| None$/, 'Any$1');
}

/** The JSON that a codec takes, as a type. */
function typeOf(codec: Codec<unknown>, objects: Map<string, string>, name = ''): string {
  const expected = expectedBy(codec, name);
  const isBlock = expected === expectedBy(anyBlock) || expected === expectedBy(blockNumber);
  if (isBlock) return 'RpcBlockRef';
  const takes = (given: unknown) => {
    try {
      codec.decode(name ? { [name]: given } : given, 'at');
      return true;
    } catch {
      return false;
    }
  };
  if (codec.fields && !name) return objectType(expected, codec.fields, objects);
  if (codec.items && takes([])) {
    const item = typeOf(codec.items, objects);
    return `readonly ${item.includes('|') ? `(${item})` : item}[]`;
  }
  const types = [
    ...(TEXTS.some(takes) ? ['string'] : []),
    ...(NUMBERS.some(takes) ? ['number'] : []),
    ...(takes(true) ? ['boolean'] : []),
    ...(takes({}) || (codec.items && !takes([])) || /\bobject\b/.test(expected) ? ['RpcObject'] : []),
    ...(takes([]) ? ['readonly unknown[]'] : []),
  ];
  if (types.length === 0 || types.length === 5) return 'unknown';
  return types.join(' | ').replace('string | number', 'RpcNumber');
}

/** Adds an interface of an object's fields. @returns its name */
function objectType(
  expected: string,
  fields: Readonly<Record<string, Codec<unknown>>>,
  objects: Map<string, string>,
): string {
  const words = expected.replace(/^an? /, '').match(/\w+/g) ?? [];
  const name = `Rpc${words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')}`;
  if (!objects.has(name)) {
    // Before its fields, which may be of the type themselves.
    objects.set(name, '');
    const lines = Object.entries(fields).map(([field, codec]) => {
      const type = typeOf(codec, objects);
      const mark = isOptional(codec) ? '?' : '';
      return `  ${field}${mark}: ${mark ? orNone(type) : type};`;
    });
    objects.set(
      name,
      `/** ${expected[0]!.toUpperCase()}${expected.slice(1)}. */\nexport interface ${name} {\n${lines.join('\n')}\n  [field: string]: unknown;\n}`,
    );
  }
  return name;
}

/** What \`@returns\` says, in words that have a type. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^null$/, 'null'],
  [/^true$/, 'true'],
  [/^`?false`?$/, 'false'],
  [/^(?:true or false|whether it was)$/, 'boolean'],
  [
    /^(?:a quantity|bytes|32 bytes|a hash|the hash|an address|a signature of 65 bytes|the new transaction's hash)$/,
    'Hex',
  ],
  [
    /^(?:the blob in hex|the gzipped file in hex|the id of the (?:filter|subscription), a quantity|`0x\w+`)$/,
    'Hex',
  ],
  [/^`'(\w+)'`$/, 'string'],
  [/^(?:a (?:decimal )?text|the timestamp as a decimal text)$/, 'string'],
  [/^a number$/, 'number'],
  [/^an error$/, 'never'],
  [/^(?:the block|the header|a header)$/, 'RpcBlock'],
  [/^the transaction$/, 'RpcTransaction'],
  [/^the receipt$/, 'RpcReceipt'],
  [/^a list of addresses$/, 'readonly Hex[]'],
  [/^a list of (?:blobs in hex|bytes)$/, 'readonly Hex[]'],
  [/^a list of logs$/, 'readonly RpcLog[]'],
  [/^a list of logs, or of hashes$/, 'readonly RpcLog[] | readonly Hex[]'],
  [/^a list of receipts$/, 'readonly RpcReceipt[]'],
  [/^a list of transactions$/, 'readonly RpcTransaction[]'],
  [/^a list of blocks with whole transactions$/, 'readonly RpcBlock[]'],
  [/^a list of blocks/, 'readonly RpcBlock[]'],
  [/^a list of texts$/, 'readonly string[]'],
  [/^an empty list$/, 'readonly never[]'],
  [/^a list of calls$/, 'readonly RpcObject[]'],
  [/^a call$/, 'RpcObject'],
];

function answerType(text: string): string {
  // What Hardhat's dialect answers instead comes behind a semicolon.
  const [own = '', ...others] = text.split(/; (?=[^{}]* as Hardhat$)/);
  const parts = [own, ...others.map((other) => other.replace(/ as Hardhat$/, ''))].flatMap((part) =>
    part.split(/, or (?=null$)/),
  );
  const types = new Set(parts.flatMap((part) => wordType(part).split(' | ')));
  return types.has('unknown') ? 'unknown' : [...types].join(' | ');
}

function wordType(text: string): string {
  const object = /^(a list of )?`\{ ([\w?, ]+) \}`/.exec(text);
  if (object) {
    const fields = object[2]!.split(', ');
    const names = [
      fields.filter((field) => !field.endsWith('?')),
      fields.filter((field) => field.endsWith('?')),
    ];
    const [always, some] = names.map((list) =>
      list.map((field) => `'${field.replace('?', '')}'`).join(' | '),
    );
    const type = `RpcFields<${always}${some ? `, ${some}` : ''}>`;
    return object[1] ? `readonly ${type}[]` : type;
  }
  return WORDS.find(([words]) => words.test(text))?.[1] ?? 'unknown';
}
