import {
  HEADER_FIELDS,
  type HeaderField,
  LOG_FIELDS,
  TRANSACTION_FIELDS,
} from '../../src/core/tables/fields.ts';
import { ALIASES } from '../../src/rpc/aliases.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { HEAD, signatureOf } from './request-types.ts';

type Schema = Readonly<Record<string, unknown>>;

const HEX: Schema = { type: 'string', pattern: '^0x[0-9a-fA-F]*$' };
const QUANTITY: Schema = { type: 'string', pattern: '^0x(0|[1-9a-f][0-9a-f]*)$' };
const HASHES: Schema = { type: 'array', items: HEX };
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** The text of src/rpc/openrpc.json: what the OpenRPC specification says of an API, from the definitions in src/rpc/methods. */
export function openRpc(): string {
  const objects = new Map<string, string>();
  const methods = METHODS.map((method) => {
    const { params, answer, text, returns } = signatureOf(method, objects);
    const names = [method.name, ...Object.keys(ALIASES).filter((alias) => ALIASES[alias] === method.name)];
    return names.map((name) => ({
      name,
      summary: text,
      params: params.map(({ name: param, isOptional, type }) => ({
        name: param,
        ...(!isOptional && { required: true }),
        schema: schemaOf(isOptional ? `${type} | null` : type),
      })),
      result: { name: 'answer', description: returns, schema: schemaOf(answer) },
    }));
  });
  const document = {
    openrpc: '1.3.2',
    // The node puts its version in.
    info: { title: 'devnet', version: '0', license: { name: 'MIT' } },
    methods: methods.flat(),
    components: {
      schemas: {
        Hex: HEX,
        RpcObject: { type: 'object' },
        RpcNumber: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        RpcBlockRef: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'object' }] },
        RpcBlock: blockSchema(),
        RpcTransaction: membersSchema(TRANSACTION_FIELDS),
        RpcLog: membersSchema(LOG_FIELDS),
        RpcReceipt: interfaceSchema(/interface RpcReceipt \{[^}]*\}/.exec(HEAD)![0]),
        ...Object.fromEntries([...objects].map(([name, text]) => [name, interfaceSchema(text)])),
      },
    },
  };
  return `${JSON.stringify(document)}\n`;
}

/** A block, or its header. Of a field that a hardfork brought the description says so. */
function blockSchema(): Schema {
  const field = ({ kind, since, eip }: HeaderField) => ({
    ...(kind === 'quantity' ? QUANTITY : HEX),
    ...(since && { description: `since ${since} (EIP-${eip})` }),
  });
  const whole = { anyOf: [HEX, ref('RpcTransaction')] };
  return {
    type: 'object',
    required: HEADER_FIELDS.filter(({ since }) => !since).map(({ rpc, name }) => rpc ?? name),
    properties: {
      // null while it isn't sealed, in modes that tell none before.
      hash: { anyOf: [HEX, { type: 'null' }] },
      ...Object.fromEntries(HEADER_FIELDS.map((row) => [row.rpc ?? row.name, field(row)])),
      size: QUANTITY,
      transactions: { type: 'array', items: whole },
      uncles: HASHES,
      withdrawals: { type: 'array', items: { type: 'object' }, description: 'since shanghai (EIP-4895)' },
    },
  };
}

function membersSchema(fields: typeof TRANSACTION_FIELDS | typeof LOG_FIELDS): Schema {
  const types = (list: readonly number[]) =>
    `only of type ${list.map((type) => `0x${type.toString(16)}`).join(', ')}`;
  return {
    type: 'object',
    required: fields.filter(({ types, core }) => !types && core && !core.types).map(({ name }) => name),
    properties: Object.fromEntries(
      fields.map((field) => [field.name, field.types ? { description: types(field.types) } : {}]),
    ),
  };
}

/** @param text an interface whose members stand on a line each */
function interfaceSchema(text: string): Schema {
  const members = [...text.matchAll(/^ {2}(?:readonly )?(\w+)(\?)?: (.+);$/gm)];
  return {
    type: 'object',
    required: members.filter(([, , mark]) => !mark).map(([, name]) => name),
    properties: Object.fromEntries(members.map(([, name, , type]) => [name, schemaOf(type!)])),
  };
}

const WORDS: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  null: { type: 'null' },
  true: { const: true },
  false: { const: false },
  unknown: {},
  never: { not: {} },
  None: { type: 'null' },
  AnyText: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  AnyNumber: { anyOf: [ref('RpcNumber'), { type: 'null' }] },
  AnyBlock: { anyOf: [ref('RpcBlockRef'), { type: 'null' }] },
  AnyObject: { anyOf: [ref('RpcObject'), { type: 'null' }] },
};

/** The schema of one of the types that src/api/rpc-methods.ts is written in. */
function schemaOf(type: string): Schema {
  const parts = alternativesOf(type);
  if (parts.length > 1) return { anyOf: parts.map(schemaOf) };
  const list = /^readonly (.+)\[\]$/.exec(type);
  if (list) return { type: 'array', items: schemaOf(list[1]!.replace(/^\((.+)\)$/, '$1')) };
  const fields = /^RpcFields<(.+)>$/.exec(type);
  if (fields) {
    const [always = '', some = ''] = fields[1]!
      .split(', ')
      .map((names) => [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name!));
    return {
      type: 'object',
      required: always,
      properties: Object.fromEntries([...always, ...some].map((name) => [name, {}])),
    };
  }
  return WORDS[type] ?? ref(type);
}

/** The parts of a union; those in brackets belong to one. */
function alternativesOf(type: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const token of type.split(/( \| |[<>()])/)) {
    if (token === '<' || token === '(') depth++;
    if (token === '>' || token === ')') depth--;
    if (token === ' | ' && depth === 0) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts;
}
