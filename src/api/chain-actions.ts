import type { deployContract } from 'micro-eth-signer/abi.js';
import { DevnetError } from '../errors.ts';
import type { Hex } from './rpc-methods.ts';

/** An account whose private key the chain has. */
export interface Account {
  /** with EIP-55 checksum */
  readonly address: Hex;
  /** 32 bytes */
  readonly privateKey: Hex;
}

/** What to deploy, and how. */
export interface Deployment {
  /** Creation code in hex: the `bytecode` of a Hardhat or Foundry artifact. */
  readonly bytecode: string | { readonly object: string };
  /** The contract's ABI. Required only if its constructor takes arguments. */
  readonly abi?: readonly unknown[] | undefined;
  /** Arguments of the constructor: integers as bigint or number, addresses and bytes as `0x` hex, structs as objects. */
  readonly args?: readonly unknown[] | undefined;
  /** Address of the sender. Default: the first dev account. */
  readonly from?: string | undefined;
  /** Value to send to the contract, in wei. Default 0. */
  readonly value?: bigint | undefined;
}

/** A deployed contract. */
export interface Deployed {
  /** with EIP-55 checksum */
  readonly address: Hex;
  readonly transactionHash: Hex;
}

/** A viem transport (viem's type `Transport`): `createPublicClient({ transport })`. */
export type ViemTransport = (parameters: { readonly pollingInterval?: number | undefined }) => {
  readonly config: {
    readonly key: string;
    readonly name: string;
    readonly type: 'devnet';
    readonly request: ViemRequest;
    readonly retryCount: number;
  };
  readonly request: ViemRequest;
};

// biome-ignore lint/suspicious/noExplicitAny: viem's request function has types of its own by method, which only `any` fits
type ViemRequest = (call: any) => Promise<any>;

/** What tests and scripts most often do with a chain. */
export interface ChainActions {
  /** Transport for viem's clients. Failed requests aren't retried, since they don't leave the process. */
  readonly transport: ViemTransport;
  /**
   * Takes a snapshot of the chain (`evm_snapshot`).
   * @returns the id for {@link ChainActions.revert}
   */
  snapshot(): Promise<Hex>;
  /**
   * Restores the chain to a snapshot (`evm_revert`). This removes the snapshot and all later ones.
   * @throws DevnetError `server` if no snapshot has this id
   */
  revert(id: string): Promise<void>;
  /** Mines blocks (`anvil_mine`). @param blocks number of blocks, default 1 */
  mine(blocks?: number | bigint): Promise<void>;
  /** Sets an account's balance (`anvil_setBalance`). @param wei the balance in wei */
  setBalance(address: string, wei: bigint): Promise<void>;
  /**
   * Deploys a contract, and waits until its transaction is in a block or pre-confirmed. With the option `noMining`, a block must be mined
   * in the meantime.
   * @throws DevnetError if the constructor reverts; Error that says what is wrong with bytecode, ABI or arguments
   */
  deploy(deployment: Deployment): Promise<Deployed>;
}

/** Answers JSON-RPC requests. */
interface Requests {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** @param accountOf returns the address of the account that deploys by default */
export function chainActions(provider: Requests, accountOf: () => string): ChainActions {
  const call = (method: string, ...params: unknown[]) => provider.request({ method, params });
  return {
    transport: viemTransport(provider),
    snapshot: async () => (await call('evm_snapshot')) as Hex,
    revert: async (id) => {
      if ((await call('evm_revert', id)) !== true)
        throw new DevnetError('server', { reason: `no snapshot has the id ${id}, or it is used up` });
    },
    mine: async (blocks = 1) => {
      await call('anvil_mine', toHex(BigInt(blocks)));
    },
    setBalance: async (address, wei) => {
      await call('anvil_setBalance', address, toHex(wei));
    },
    deploy: async ({ bytecode, abi, args = [], from = accountOf(), value = 0n }) => {
      const data = await creationData(bytecode, abi, args);
      const receipt = (await call('eth_sendTransactionSync', { from, data, value: toHex(value) })) as {
        readonly status: Hex;
        readonly contractAddress: Hex;
        readonly transactionHash: Hex;
      };
      const { status, contractAddress, transactionHash } = receipt;
      if (status !== '0x1')
        throw new DevnetError('reverted', { reason: `the deployment ${transactionHash} failed` });
      const { toChecksumAddress } = await import('./checksum-address.ts');
      return { address: toChecksumAddress(contractAddress), transactionHash };
    },
  };
}

function viemTransport(provider: Requests): ViemTransport {
  const request: ViemRequest = async (call) => {
    try {
      return await provider.request(call);
    } catch (error) {
      // viem looks for the error message in `details`, where its own transports put it.
      if (error instanceof Error)
        Object.defineProperty(error, 'details', { value: error.message, configurable: true });
      throw error;
    }
  };
  const config = { key: 'devnet', name: 'devnet', type: 'devnet', request, retryCount: 0 } as const;
  return () => ({ config, request });
}

function toHex(value: bigint): Hex {
  if (value < 0n) throw new RangeError(`expected a number that isn't negative, got ${value}`);
  return `0x${value.toString(16)}`;
}

interface AbiInput {
  readonly type: string;
  readonly name?: string;
  readonly components?: readonly AbiInput[];
}

/** Returns the data of a contract creation: the creation code, followed by the encoded arguments of the constructor. */
async function creationData(
  code: Deployment['bytecode'],
  abi: readonly unknown[] | undefined,
  args: readonly unknown[],
): Promise<string> {
  const given = typeof code === 'object' && code !== null ? code.object : code;
  const bytecode = String(given).startsWith('0x') ? given : `0x${given}`;
  if (!/^0x(?:[\da-f]{2})+$/i.test(bytecode))
    throw new Error(`bytecode: expected creation code in hex, got ${shortened(given ?? code)}`);
  const creation = (
    abi as readonly { readonly type?: string; readonly inputs?: readonly AbiInput[] }[]
  )?.find(({ type }) => type === 'constructor');
  const inputs = creation?.inputs ?? [];
  if (!abi && args.length > 0) throw new Error('args: expected the abi with them, got none');
  if (inputs.length !== args.length)
    throw new Error(`args: the constructor takes ${inputs.length}, got ${args.length}`);
  if (inputs.length === 0) return bytecode;
  const values = inputs.map((input, i) => argument(input, args[i], `args[${i}]`));
  const { deployContract: encode } = await import('micro-eth-signer/abi.js');
  // Without names, the encoder takes a list.
  const unnamed = inputs.map(({ name: _, ...input }) => input);
  return (encode as (...given: unknown[]) => ReturnType<typeof deployContract>)(
    [{ type: 'constructor', inputs: unnamed }],
    bytecode.toLowerCase(),
    values.length === 1 ? values[0] : values,
  );
}

/** Converts an argument to the form that the encoder takes. @throws Error naming the argument, the expected and the given value */
function argument({ type, components = [], ...rest }: AbiInput, value: unknown, path: string): unknown {
  const refuse = (expected: string): never => {
    throw new Error(`${path}: expected ${expected}, got ${shortened(value)}`);
  };
  const [, item, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? [];
  if (item !== undefined) {
    if (!Array.isArray(value) || (length !== '' && value.length !== Number(length))) return refuse(type);
    return value.map((entry, i) => argument({ ...rest, type: item, components }, entry, `${path}[${i}]`));
  }
  if (type === 'tuple') {
    const isNamed = components.every(({ name }) => name);
    if (typeof value !== 'object' || value === null) return refuse(isNamed ? 'an object' : 'an array');
    const fields = components.map((field, i) => {
      const key = isNamed ? field.name! : String(i);
      return [key, argument(field, (value as Record<string, unknown>)[key], `${path}.${key}`)] as const;
    });
    return isNamed ? Object.fromEntries(fields) : fields.map(([, field]) => field);
  }
  if (/^u?int\d*$/.test(type)) return integer(type, value) ?? refuse(type);
  if (type === 'bool') return typeof value === 'boolean' ? value : refuse(type);
  if (type === 'string') return typeof value === 'string' ? value : refuse(type);
  if (type === 'address')
    return typeof value === 'string' && /^0x[\da-f]{40}$/i.test(value) ? value.toLowerCase() : refuse(type);
  const size = type === 'function' ? 24 : Number(/^bytes(\d*)$/.exec(type)?.[1] || Number.NaN);
  const isBytes = typeof value === 'string' && /^0x(?:[\da-f]{2})*$/i.test(value);
  const bytes = isBytes ? Uint8Array.from(Buffer.from(value.slice(2), 'hex')) : value;
  if (!(bytes instanceof Uint8Array) || (!Number.isNaN(size) && bytes.length !== size)) return refuse(type);
  return bytes;
}

/** @returns `undefined` if the value isn't an integer, or is out of the type's range */
function integer(type: string, value: unknown): bigint | undefined {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) return undefined;
  const bits = Number(/\d+$/.exec(type)?.[0] ?? 256);
  const number = BigInt(value as bigint | number);
  const fits = type.startsWith('u') ? BigInt.asUintN(bits, number) : BigInt.asIntN(bits, number);
  return fits === number ? number : undefined;
}

/** Formats a value for an error message. */
function shortened(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text =
    typeof value === 'object'
      ? JSON.stringify(value, (_, it) => (typeof it === 'bigint' ? `${it}` : it))
      : String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
