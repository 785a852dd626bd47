import { equalsBytes } from '@ethereumjs/util';
import type { Withdrawal } from '../../chain/block.ts';
import type { BlockOverrides, CallAccountOverride, StateOverrides } from '../../execution/overrides.ts';
import { alias, array, type Codec, invalid, isObject, map, mapped, object, optional } from './codec.ts';
import { hex } from './hex.ts';
import { address, data, hash32, quantity, slot, uint64, wordOf } from './values.ts';

const storage = map('an object of slots and values', slot, wordOf, hex);

const accountOverride: Codec<CallAccountOverride> = mapped(
  object('an account override', {
    balance: optional(quantity),
    nonce: optional(uint64),
    code: optional(data),
    state: optional(storage),
    stateDiff: optional(storage),
    movePrecompileToAddress: optional(address),
  }),
  (override, path) => {
    if (override.state && override.stateDiff) invalid(path, 'either state or stateDiff', 'both');
    return override;
  },
);

/** `{ address: { balance, nonce, code, state | stateDiff, movePrecompileToAddress } }` */
export const stateOverrides: Codec<StateOverrides> = map(
  'an object of addresses and overrides',
  address,
  accountOverride,
  (account) => account.toString(),
);

/** EIP-4895 */
export const withdrawal: Codec<Withdrawal> = object('a withdrawal (EIP-4895)', {
  index: uint64,
  validatorIndex: uint64,
  address,
  amount: uint64,
});

/** The codec of each field, with the field's names in the execution-apis specification, geth and alloy. */
const BLOCK_FIELDS: { readonly [K in keyof BlockOverrides]-?: Codec<BlockOverrides[K] | undefined> } = {
  number: alias(['number', 'blockNumber'], uint64),
  time: alias(['time', 'timestamp'], uint64),
  gasLimit: alias(['gasLimit'], uint64),
  feeRecipient: alias(['feeRecipient', 'coinbase'], address, (a, b) => a.equals(b)),
  prevRandao: alias(['prevRandao', 'random'], wordOf, equalsBytes),
  baseFeePerGas: alias(['baseFeePerGas', 'baseFee'], quantity),
  blobBaseFee: alias(['blobBaseFee'], quantity),
  withdrawals: alias(['withdrawals'], array(withdrawal)),
  difficulty: alias(['difficulty'], quantity),
  beaconRoot: alias(['beaconRoot', 'parentBeaconBlockRoot'], hash32, equalsBytes),
};

/** Block overrides, with each field under any of its names; see {@link alias}. */
export const blockOverrides: Codec<BlockOverrides> = {
  fields: BLOCK_FIELDS,
  decode: (value, path) => {
    if (!isObject(value)) return invalid(path, 'a block override object', value);
    const decoded: Record<string, unknown> = {};
    for (const [name, codec] of Object.entries(BLOCK_FIELDS)) {
      const field = codec.decode(value, path);
      if (field !== undefined) decoded[name] = field;
    }
    return decoded;
  },
};
