import { parameter } from './actions.ts';
import type { Hex, Log } from './types.ts';

/** A call as typed into the form. */
export interface CallForm {
  readonly from: string;
  readonly to: string;
  /** ETH */
  readonly value: string;
  /** key of a function in the list of ABIs; empty if `data` is given */
  readonly fn: string;
  readonly args: readonly string[];
  readonly data: string;
}

/** A state override of an account, as typed into the form; empty fields aren't overridden. */
export interface OverrideForm {
  readonly address: string;
  /** ETH */
  readonly balance: string;
  readonly code: string;
  /** storage slots as JSON: `{"0x0": "0x1"}`; words may be shortened */
  readonly slots: string;
}

export interface BlockForm {
  readonly overrides: readonly OverrideForm[];
  readonly calls: readonly CallForm[];
}

export interface SimulationForm {
  readonly blocks: readonly BlockForm[];
  /** number or tag of the block after which the simulation starts */
  readonly after: string;
  readonly validation: boolean;
  readonly traceTransfers: boolean;
}

/** The result of a call in `eth_simulateV1`. */
export interface CallResult {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly returnData: Hex;
  readonly logs: readonly Log[];
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Hex };
}

export const NEW_CALL: CallForm = { from: '', to: '', value: '0', fn: '', args: [], data: '0x' };
export const NEW_OVERRIDE: OverrideForm = { address: '', balance: '', code: '', slots: '' };

export const replaced = <T>(list: readonly T[], at: number, item: T): T[] =>
  list.map((old, i) => (i === at ? item : old));
export const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, i) => i !== at);

/**
 * The parameters of `eth_simulateV1`.
 * @param encode encodes the call data from a function of the called contract and its arguments
 * @param addressOf resolves a name to its address
 * @throws Error that names the field which can't be read
 */
export function simulationParams(
  form: SimulationForm,
  encode: (fn: string, args: readonly string[], to: string) => Hex,
  addressOf: (text: string) => Hex | undefined = () => undefined,
): readonly [payload: object, block: string] {
  const address = (label: string, text: string): string => {
    const found = addressOf(text) ?? (/^0x[\da-f]{40}$/i.test(text) ? text : undefined);
    if (!found) throw new Error(`${label}: expected an address`);
    return found;
  };
  const overrideOf = ({ address: account, balance, code, slots }: OverrideForm): [string, object] => [
    address('override', account),
    {
      ...(balance && { balance: wei('balance', balance) }),
      ...(code && { code: bytes('code', code) }),
      ...(slots && { stateDiff: words(slots) }),
    },
  ];
  const blockStateCalls = form.blocks.map(({ overrides, calls }) => ({
    ...(overrides.length > 0 && { stateOverrides: Object.fromEntries(overrides.map(overrideOf)) }),
    calls: calls.map(({ from, to, value, fn, args, data }) => ({
      ...(from && { from: address('from', from) }),
      ...(to && { to: address('to', to) }),
      value: wei('value', value || '0'),
      input: fn ? encode(fn, args, to) : bytes('data', data || '0x'),
    })),
  }));
  const { validation, traceTransfers, after } = form;
  return [
    { blockStateCalls, validation, traceTransfers },
    /^\d+$/.test(after) ? `0x${BigInt(after).toString(16)}` : after,
  ];
}

function words(text: string): Record<string, string> {
  const slots = parameter({ label: 'slots', initial: '', as: 'json' }, text) as Record<string, string>;
  const word = (value: string) => {
    if (!/^0x[\da-f]{1,64}$/i.test(value)) throw new Error('slots: expected words as 0x and hex digits');
    return `0x${value.slice(2).padStart(64, '0')}`;
  };
  return Object.fromEntries(Object.entries(slots).map(([slot, value]) => [word(slot), word(String(value))]));
}

const wei = (label: string, text: string) => parameter({ label, initial: '', as: 'ether' }, text) as string;

function bytes(label: string, text: string): string {
  if (!/^0x([\da-f]{2})*$/i.test(text)) throw new Error(`${label}: expected bytes as 0x and hex digits`);
  return text;
}

/** The request as a curl command. */
export function asCurl(url: string, params: readonly unknown[]): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_simulateV1', params });
  return `curl -s ${url} -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}'`;
}

/** The request as a viem program. */
export function asViem(url: string, params: readonly unknown[]): string {
  return `import { createPublicClient, http } from 'viem';

const client = createPublicClient({ transport: http('${url}') });
const blocks = await client.request({
  method: 'eth_simulateV1',
  params: ${JSON.stringify(params, null, 2).replaceAll('\n', '\n  ')},
});
console.log(blocks);
`;
}
