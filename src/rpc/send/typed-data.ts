import { bytesToHex, concatBytes, setLengthLeft, setLengthRight, utf8ToBytes } from '@ethereumjs/util';
import { integerWord } from '../../state/integers.ts';
import { keccak256 } from '../../state/keccak.ts';
import { array, type Codec, invalid, isObject, object, record } from '../codec/codec.ts';
import { address, boolean, data, string } from '../codec/values.ts';

type Types = ReadonlyMap<string, readonly { readonly name: string; readonly type: string }[]>;

/** The typed structured data of EIP-712. */
export interface TypedData {
  readonly types: Types;
  readonly primaryType: string;
  readonly domain: unknown;
  readonly message: unknown;
}

const anything: Codec<unknown> = { decode: (value) => value };
const fields = object('typed data (EIP-712)', {
  types: record('an object of types', string, array(object('a field', { name: string, type: string }))),
  primaryType: string,
  domain: anything,
  message: anything,
});

/** Typed data as an object, or as a string of JSON. */
export const typedData: Codec<TypedData> = {
  decode: (value, path) => {
    let json = value;
    if (typeof value === 'string') {
      try {
        json = JSON.parse(value);
      } catch {
        return invalid(path, 'typed data (EIP-712)', value);
      }
    }
    const { types, primaryType, domain, message } = fields.decode(json, path);
    return { types: new Map(types), primaryType, domain, message };
  },
};

/** Returns the hash to sign: keccak256 of 0x1901, the domain's hash and the message's hash. @throws DevnetError -32602 */
export function typedDataHash({ types, primaryType, domain, message }: TypedData): Uint8Array {
  const withDomain: Types = types.has('EIP712Domain') ? types : new Map([...types, ['EIP712Domain', []]]);
  const parts = [Uint8Array.of(0x19, 1), hashStruct(withDomain, 'EIP712Domain', domain ?? {}, 'domain')];
  if (primaryType !== 'EIP712Domain') parts.push(hashStruct(types, primaryType, message, 'message'));
  return keccak256(concatBytes(...parts));
}

function hashStruct(types: Types, type: string, value: unknown, path: string): Uint8Array {
  const members = types.get(type) ?? invalid(path, 'a type that is defined', type);
  if (!isObject(value)) return invalid(path, `an object of type ${type}`, value);
  const words = members.map(({ name, type: kind }) =>
    encode(types, kind, Object.hasOwn(value, name) ? value[name] : undefined, `${path}.${name}`),
  );
  return keccak256(concatBytes(keccak256(utf8ToBytes(encodeType(types, type))), ...words));
}

/** EIP-712's `encodeType`: the type's signature, followed by those of the types that it uses, sorted by name. */
function encodeType(types: Types, type: string): string {
  const used = new Set<string>();
  const collect = (name: string) => {
    for (const member of types.get(name) ?? []) {
      const base = member.type.replace(/\[.*$/, '');
      if (!types.has(base) || base === type || used.has(base)) continue;
      used.add(base);
      collect(base);
    }
  };
  collect(type);
  const members = (name: string) => types.get(name)!.map((member) => `${member.type} ${member.name}`);
  return [type, ...[...used].sort()].map((name) => `${name}(${members(name).join(',')})`).join('');
}

/** EIP-712's `encodeData` of one field. @returns 32 bytes */
function encode(types: Types, type: string, value: unknown, path: string): Uint8Array {
  const list = /^(.*)\[(\d*)\]$/.exec(type);
  if (list) {
    const [, item = '', length] = list;
    if (!Array.isArray(value) || (length && value.length !== Number(length)))
      return invalid(path, `a list ${type}`, value);
    return keccak256(concatBytes(...value.map((entry, i) => encode(types, item, entry, `${path}[${i}]`))));
  }
  if (types.has(type)) {
    // A missing struct is a zero word, as in MetaMask, so that types may refer to themselves.
    return value === undefined || value === null ? new Uint8Array(32) : hashStruct(types, type, value, path);
  }
  if (type === 'string') return keccak256(utf8ToBytes(string.decode(value, path)));
  if (type === 'bytes') return keccak256(data.decode(value, path));
  if (type === 'bool') return setLengthLeft(Uint8Array.of(boolean.decode(value, path) ? 1 : 0), 32);
  if (type === 'address') return setLengthLeft(address.decode(value, path).bytes, 32);
  const sized = /^(bytes|u?int)(\d*)$/.exec(type);
  if (!sized) return invalid(path, 'a type of EIP-712', type);
  const size = Number(sized[2] || 256);
  if (sized[1] !== 'bytes') return encodeInteger(value, size, sized[1] === 'int', path);
  const bytes = data.decode(value, path);
  if (bytes.length !== size || size > 32) return invalid(path, `${type} of that length`, bytesToHex(bytes));
  return setLengthRight(bytes, 32);
}

/** Encodes a JSON number, or a decimal or hex string, in two's complement. */
function encodeInteger(value: unknown, bits: number, signed: boolean, path: string): Uint8Array {
  const isText = typeof value === 'string' && /^(-?\d+|0x[\da-f]+)$/i.test(value);
  if (!isText && !Number.isSafeInteger(value)) return invalid(path, 'an integer', value);
  const number = BigInt(value as string | number);
  const [min, max] = signed ? [-(1n << BigInt(bits - 1)), 1n << BigInt(bits - 1)] : [0n, 1n << BigInt(bits)];
  if (number < min || number >= max) return invalid(path, `an integer of ${bits} bits`, value);
  return integerWord(BigInt.asUintN(256, number));
}
