import { DevnetError, ERRORS } from '../../src/errors.ts';
import { ALIASES } from '../../src/rpc/aliases.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { anyBlock, blockNumber } from '../../src/rpc/codec/block-ref.ts';
import type { Codec } from '../../src/rpc/codec/codec.ts';
import type { RpcMethod } from '../../src/rpc/define-method.ts';
import { DIFFERENCES as OF_ANVIL } from '../suites/anvil-differences.mjs';
import { DIFFERENCES as OF_HARDHAT } from '../suites/hardhat-differences.mjs';
import { type MethodExample, methodExamples, SHOWN } from './method-examples.ts';
import { membersOf, ParsedSource, type SyntaxNode } from './parsed-source.ts';

/** First parts of the methods' names -> what they have in common. */
const NAMESPACES: Readonly<Record<string, string>> = {
  eth: 'The methods of the execution-apis specification, and others of geth, anvil and Hardhat.',
  net: 'As in geth.',
  web3: 'As in geth.',
  rpc: 'As in geth.',
  txpool: 'The mempool, as in geth.',
  debug: 'As in geth.',
  trace: 'As in OpenEthereum and Erigon.',
  ots: "What Otterscan asks, as in Erigon's node.",
  erigon: "What Otterscan asks, as in Erigon's node.",
  personal: 'Accounts with passphrases, as in geth before 1.14.',
  evm: 'The dev methods that Ganache had first; anvil and Hardhat have them too.',
  anvil: "anvil's dev methods. Most have Hardhat's names too.",
  hardhat: "Hardhat's method that isn't another name of one of anvil's.",
  miner: 'As in geth before 1.14.',
  testing: 'As in the execution-apis specification.',
  op: "As in the OP Stack's nodes.",
  base: "As in Base's nodes.",
  devnet: 'What only devnet has.',
};

/** Values that each codec but those of anything refuses at least one of. */
const PROBES = ['x', 0.5, true, [], {}];

/** The pages that are made of the definitions in src/rpc/methods: name of the file in docs -> text. */
export function methodPages(): ReadonlyMap<string, string> {
  const missing = METHODS.filter(({ name }) => !(name.split('_')[0]! in NAMESPACES));
  if (missing.length > 0) throw new Error(`no namespace of ${missing.map(({ name }) => name)}`);
  const examples = new Map(methodExamples().map((example) => [example.method, example]));
  const objects = new Map<string, Map<string, string>>();
  const pages = Object.entries(NAMESPACES).map(([namespace, meaning]): [string, string] => {
    const entries = methodsOf(namespace).map((method) => entry(method, objects, examples.get(method.name)!));
    return [`methods/${namespace}.md`, [pageHead(namespace, meaning), ...entries, ''].join('\n\n')];
  });
  return new Map([
    ['methods.md', [head(), index(), ''].join('\n\n')],
    ...pages,
    ['methods/objects.md', [objectSection(objects), ''].join('\n\n')],
  ]);
}

const methodsOf = (namespace: string) => METHODS.filter(({ name }) => name.startsWith(`${namespace}_`));

const GENERATED = '<!-- npm run docs writes this page from the definitions in src/rpc/methods -->';

const pageHead = (namespace: string, meaning: string) => `# Methods: ${namespace}_

${GENERATED}

${meaning} [Methods](../methods.md) explains the words and lists the other groups. Each example can be sent with curl:
\`curl -s http://127.0.0.1:8545 -d 'REQUEST'\`. Hashes and ids in the examples are those of another chain: put in yours. In the lines
with viem, \`client\` is a [test client](https://viem.sh/docs/clients/test) with public and wallet actions; \`params\` are those of the request above.`;

/** Links to all methods. */
function index(): string {
  const rows = Object.entries(NAMESPACES).map(([namespace, meaning]) => {
    const links = methodsOf(namespace).map(
      ({ name }) => `[${name.slice(namespace.length + 1)}](methods/${namespace}.md#${name.toLowerCase()})`,
    );
    return `### [${namespace}_](methods/${namespace}.md)\n\n${meaning}\n\n${links.join(', ')}`;
  });
  return ['## All methods', ...rows].join('\n\n');
}

/** A request, and the line that sends it with viem. */
function exampleOf({ method, params, viem }: MethodExample): string {
  const given = params(SHOWN);
  const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: given });
  const line = viem ?? `client.request({ method: '${method}'${given.length > 0 ? ', params' : ''} })`;
  return `\`\`\`json\n${request}\n\`\`\`\n\nviem: \`await ${line}\``;
}

const head = () => `# Methods

${GENERATED}

All methods, over HTTP, WebSocket, a Unix socket (\`--ipc\`) and in-process (\`provider.request\`). What each takes and checks is what
its definition says; this page is made of that. The node answers the same for tools, as an [OpenRPC](https://open-rpc.org) document:
[\`rpc.discover\`](methods/rpc.md#rpc_discover).

- **Quantities** are \`0x\` and hex digits (at most 256 bits), without leading zeros in answers. **Bytes** are \`0x\` and an even
  number of hex digits. **A storage slot** is a quantity or 32 bytes.
- **A block** is ${expectedBy(anyBlock)}.
  **A block number or tag** is ${expectedBy(blockNumber)}. Where a block is left out, it is \`latest\` (\`pending\` in \`eth_estimateGas\`).
- **pending** is the block being built, with the transactions that are pre-confirmed.
- In square brackets: what may be left out or null. Unknown fields of objects are ignored, as in geth. A parameter too many is refused.
- **Errors** are named as in [Errors](errors.md). Each method with parameters can answer \`invalidParams\` (-32602) beside those listed.
- **as Hardhat** means with \`--compat hardhat\` or \`hardhat2\`.
- **Kinds.** \`read\`: reads blocks and states; a follower answers it itself. \`node\`: needs the mempool, keys or mode of the node that makes the
  blocks. \`send\`: takes a transaction. \`dev\`: changes the chain, or what the next calls do to it. A follower passes these three on.
  A recording has the transactions of \`send\` and the calls of \`dev\`.
- **Differs** from anvil and Hardhat lists what tests find when they ask the other node the same (\`npm run test:clients\`;
  Hardhat beside \`--compat hardhat\`); from geth what its source says (version 1.15 and later). The methods of the groups \`eth_\`, \`net_\`,
  \`web3_\`, \`rpc_\`, \`txpool_\`, \`debug_\`, \`personal_\` and \`testing_\` answer as geth's where nothing is said; geth has none of
  the other groups. In all methods:
${generalDifferences()}`;

function entry(method: RpcMethod, objects: Map<string, Map<string, string>>, example: MethodExample): string {
  const source = new ParsedSource(`src/rpc/methods/${method.name}.ts`);
  const { value, comment } = source.exported(method.name);
  // Comments link to pages of docs by their names; the page of a method is in a folder of its own.
  const { text, tags } = read(comment.replaceAll(/\]\((?=[\w-]+\.md)/g, '](../'));
  if (!text || !tags.returns) throw new Error(`${method.name} says not what it does, or what it @returns`);
  const names = parameterNames(membersOf((value.arguments as SyntaxNode[])[0]!), source);
  const codecs = method.codecs ?? [];
  const lines = codecs.map((codec, i) => {
    const name = `\`${names[i]}\``;
    return `- ${isOptional(codec) ? `[${name}]` : name}: ${describe(codec, objects)}`;
  });
  lines.push(`- Answer: ${tags.returns}`);
  const errors = errorsOf(method, source.text, tags.throws);
  if (errors.length > 0)
    lines.push(`- Errors: ${errors.join(', ').replaceAll('(errors.md', '(../errors.md')}`);
  if (tags.geth) lines.push(`- Differs from geth: ${tags.geth}`);
  const others = Object.keys(ALIASES).filter((alias) => ALIASES[alias] === method.name);
  for (const [node, table] of [
    ['anvil', OF_ANVIL],
    ['Hardhat', OF_HARDHAT],
  ] as const) {
    const reasons = differencesOf([method.name, ...others], table);
    if (reasons.length > 0) lines.push(`- Differs from ${node}: ${reasons.join('; ')}`);
  }
  if (others.length > 0) lines.push(`- Other names: ${others.map((name) => `\`${name}\``).join(', ')}`);
  return `## ${method.name}\n\n\`${method.kind}\` ${text}\n\n${lines.join('\n')}\n\n${exampleOf(example)}`;
}

/** A comment's text, and its tags by name. */
export function read(comment: string): { text: string; tags: Readonly<Record<string, string>> } {
  const [text = '', ...tags] = comment.split(/^@/m).map((part) => part.replaceAll('\n', ' ').trim());
  return {
    text: text.replace(/\{@link (\w+)\}/g, '$1'),
    tags: Object.fromEntries(tags.map((tag) => [tag.split(' ')[0], tag.slice(tag.indexOf(' ') + 1)])),
  };
}

/** Codecs of plain values, which many parameters have. */
const PLAIN = /\/(?:values|block-ref|duration)\.ts$/;

/** A codec of its own names its parameter. One of plain values doesn't, so that the name is what the handler calls it. */
export function parameterNames(definition: ReadonlyMap<string, SyntaxNode>, source: ParsedSource): string[] {
  const codecs = ((definition.get('params')?.value as SyntaxNode)?.elements ?? []) as SyntaxNode[];
  const handler = definition.get('handler')?.value as SyntaxNode;
  const taken = handler.type === 'ArrowFunctionExpression' ? (handler.params as SyntaxNode[]).slice(1) : [];
  return codecs.map((codec, i) => {
    const own = nameOf(codec);
    const from = own && source.importOf(own);
    if (own && from && !PLAIN.test(from)) return own;
    // In handlers a block is what a reference to one was resolved to.
    return (taken[i]?.name ?? own ?? 'anything').replace(/^ref$/, 'block');
  });
}

/** @returns `undefined` for a codec that is put together on the spot */
export function nameOf(codec: SyntaxNode): string | undefined {
  if (codec.type !== 'CallExpression') return codec.name;
  if (!['optional', 'withDefault'].includes((codec.callee as SyntaxNode).name!)) return undefined;
  return nameOf((codec.arguments as SyntaxNode[])[0]!);
}

export function isOptional(codec: Codec<unknown>): boolean {
  return expectedOf(codec, undefined) === undefined;
}

/** What a codec says that it expected, when it is given something else; `undefined` when it takes that. */
export function expectedOf(codec: Codec<unknown>, given: unknown, path = 'at'): string | undefined {
  try {
    codec.decode(given, 'at');
  } catch (error) {
    if (!(error instanceof DevnetError)) throw error;
    return new RegExp(`${path}: expected (.*), got `, 's').exec(error.message)?.[1];
  }
  return undefined;
}

export function expectedBy(codec: Codec<unknown>, name = ''): string {
  for (const probe of PROBES) {
    const expected =
      expectedOf(codec, probe) ?? (name ? expectedOf(codec, { [name]: probe }, `at.${name}`) : undefined);
    if (expected) return expected;
  }
  return 'anything';
}

/** In words; the fields of objects go into `objects`. */
function describe(codec: Codec<unknown>, objects: Map<string, Map<string, string>>, name = ''): string {
  const expected = expectedBy(codec, name);
  if (codec.items) return `${expected}, each ${describe(codec.items, objects)}`;
  if (expected === expectedBy(anyBlock)) return 'a block';
  if (expected === expectedBy(blockNumber)) return 'a block number or tag';
  // What they look like is said once, at the top.
  if (!codec.fields) return expected.replace(/ \(0x.*\)$/, '');
  const fields = objects.get(expected) ?? new Map<string, string>();
  objects.set(expected, fields);
  for (const [field, inner] of Object.entries(codec.fields)) {
    const label = isOptional(inner) ? `[\`${field}\`]` : `\`${field}\``;
    if (!fields.has(label)) fields.set(label, describe(inner, objects, field));
  }
  return `[${expected}](objects.md#${anchorOf(expected)})`;
}

function objectSection(objects: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  const entries = [...objects].map(([expected, fields]) => {
    const lines = [...fields].map(([label, text]) => `- ${label}: ${text}`);
    return `## ${titleOf(expected)}\n\n${lines.join('\n').replaceAll('(objects.md#', '(#')}`;
  });
  return [
    '# Methods: objects',
    GENERATED,
    'The objects that parameters of the [methods](../methods.md) are. In square brackets: what may be left out or null.',
    ...entries,
  ].join('\n\n');
}

function titleOf(expected: string): string {
  return expected.replace(/^an? /, '').replace(/^./, (letter) => letter.toUpperCase());
}

/** As GitHub makes it of a heading. */
function anchorOf(expected: string): string {
  return titleOf(expected)
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}

/** By what follows from the kind, what its file throws, and what its comment says. */
function errorsOf(method: RpcMethod, text: string, told = ''): string[] {
  const names = new Set<string>();
  if (method.codecs?.length && /\b(?:blockAt|callViewAt|readState)\(/.test(text)) names.add('headerNotFound');
  for (const [, name] of text.matchAll(/new DevnetError\('(\w+)'/g)) names.add(name!);
  if (/\bnotImplemented\b/.test(text)) names.add('notImplemented');
  for (const name of told.split(', ').filter(Boolean)) names.add(name);
  if (method.computes) for (const name of ['timedOut', 'tooManyLong']) names.add(name);
  if (method.kind === 'read' && method.forkable) names.add('remoteFailed');
  names.delete('invalidParams');
  for (const name of names)
    if (!(name in ERRORS)) throw new Error(`${method.name} @throws ${name}, which is no ErrorName`);
  const list = [...names].map((name) => `\`${name}\``);
  return method.kind === 'send' ? ['those of [-32003](errors.md#-32003)', ...list] : list;
}

/** A pattern's part for the method is what is before its first space outside of brackets. */
function methodPattern(pattern: string): string {
  let depth = 0;
  for (const [i, letter] of [...pattern].entries()) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === ' ' && depth === 0) return pattern.slice(0, i);
  }
  return pattern;
}

const isGeneral = (pattern: string) => /^(?:\\S|eth_\\w)\+[ (]/.test(pattern);

export function differencesOf(names: readonly string[], table: Readonly<Record<string, string>>): string[] {
  const asked = names.includes('eth_subscribe') ? [...names, 'eth_subscription'] : names;
  const reasons = Object.entries(table)
    .filter(([pattern]) => !isGeneral(pattern))
    .filter(([pattern]) => asked.some((name) => new RegExp(`^(?:${methodPattern(pattern)})$`).test(name)))
    .map(([, reason]) => reason);
  return [...new Set(reasons)];
}

function generalDifferences(): string {
  return [['anvil', OF_ANVIL] as const, ['Hardhat', OF_HARDHAT] as const]
    .map(([node, table]) => {
      const rows = Object.entries(table as Readonly<Record<string, string>>).filter(([pattern]) =>
        isGeneral(pattern),
      );
      const texts = rows.map(([pattern, reason]) => `${fieldsOf(pattern)} (${reason})`);
      return `  - ${node}: ${texts.join('; ')}`;
    })
    .join('\n');
}

/** The fields that a pattern names. */
function fieldsOf(pattern: string): string {
  const [, last = ''] = /\\\.\(?([\w|]+)\)?: /.exec(pattern) ?? [];
  const missing = /\\\| absent$/.test(pattern) ? 'not here: ' : 'here: ';
  return (
    missing +
    last
      .split('|')
      .map((field) => `\`${field}\``)
      .join(', ')
  );
}
