import { wholeNumber } from './units.ts';

/** A field of an action's form. */
export interface Input {
  readonly label: string;
  readonly initial: string;
  /** how the text becomes a parameter: `quantity` as a hex number, `ether` as wei in hex, `json` parsed, `number` as a JSON number */
  readonly as: 'text' | 'address' | 'quantity' | 'number' | 'ether' | 'boolean' | 'json';
}

/** A request that changes the chain. */
export interface Action {
  readonly title: string;
  readonly method: string;
  readonly inputs: readonly Input[];
  /** shown only for a node with a manual clock */
  readonly manualClock?: true;
}

const input = (label: string, initial: string, as: Input['as'] = 'text'): Input => ({ label, initial, as });
const account = input('address', 'account 0', 'address');
const hash = input('transaction', '');

/** The heading of the requests that make the node fail. */
export const FAILURES = 'Failures on demand';

/**
 * The requests that the page can send, by heading. `{account}` stands for the first dev account, `{blockTime}` and `{gasLimit}` for the
 * current values, `{timeUnit}` for the unit of block times: milliseconds if the node emulates Hardhat, otherwise seconds.
 */
export const ACTIONS: Readonly<Record<string, readonly Action[]>> = {
  Mining: [
    {
      title: 'Mine blocks',
      method: 'anvil_mine',
      inputs: [input('blocks', '1', 'quantity'), input('seconds between', '1', 'quantity')],
    },
    {
      title: 'Set the block time',
      method: 'evm_setIntervalMining',
      inputs: [input('{timeUnit}, 0 for none', '{blockTime}', 'number')],
    },
    {
      title: 'Set the gas limit',
      method: 'evm_setBlockGasLimit',
      inputs: [input('gas', '{gasLimit}', 'quantity')],
    },
    {
      title: 'Set the next base fee',
      method: 'anvil_setNextBlockBaseFeePerGas',
      inputs: [input('wei', '1 gwei', 'quantity')],
    },
  ],
  Time: [
    { title: 'Move time on', method: 'evm_increaseTime', inputs: [input('seconds', '3600', 'quantity')] },
    {
      title: 'Set the time of the next block',
      method: 'evm_setNextBlockTimestamp',
      inputs: [input('Unix seconds', '', 'quantity')],
    },
    { title: 'Run one tick of the manual clock', method: 'devnet_tick', inputs: [], manualClock: true },
    {
      title: 'Run the manual clock to the end of the block',
      method: 'devnet_seal',
      inputs: [],
      manualClock: true,
    },
  ],
  Accounts: [
    {
      title: 'Set the balance',
      method: 'anvil_setBalance',
      inputs: [account, input('ETH', '10000', 'ether')],
    },
    { title: 'Set the nonce', method: 'anvil_setNonce', inputs: [account, input('nonce', '0', 'quantity')] },
    { title: 'Set the code', method: 'anvil_setCode', inputs: [account, input('code', '0x')] },
    {
      title: 'Set a storage slot',
      method: 'anvil_setStorageAt',
      inputs: [account, input('slot', '0', 'quantity'), input('word', `0x${'0'.repeat(64)}`)],
    },
  ],
  Transactions: [
    {
      title: 'Send a transaction',
      method: 'eth_sendTransaction',
      inputs: [input('transaction', '{"from": "{account}", "to": "{account}", "value": "0x1"}', 'json')],
    },
    { title: 'Remove from the mempool', method: 'anvil_dropTransaction', inputs: [hash] },
    { title: 'Empty the mempool', method: 'anvil_dropAllTransactions', inputs: [] },
  ],
  [FAILURES]: [
    { title: 'Drop a pre-confirmed transaction', method: 'devnet_dropPreconfirmed', inputs: [hash] },
    { title: 'Let a pre-confirmed transaction fail', method: 'devnet_failPreconfirmed', inputs: [hash] },
    { title: 'Reorg', method: 'devnet_reorg', inputs: [input('blocks', '2', 'number')] },
    {
      title: 'Hold flashblocks',
      method: 'devnet_holdFlashblocks',
      inputs: [input('milliseconds', '500', 'number')],
    },
    { title: 'Skip flashblocks', method: 'devnet_skipFlashblocks', inputs: [input('slots', '3', 'number')] },
    {
      title: 'Leave out messages of the stream',
      method: 'devnet_gapFlashblock',
      inputs: [input('messages', '1', 'number')],
    },
    {
      title: 'Repeat a message of the stream',
      method: 'devnet_duplicateFlashblock',
      inputs: [input('flashblock', '0', 'number')],
    },
    { title: 'Seal late', method: 'devnet_delaySeal', inputs: [input('milliseconds', '1000', 'number')] },
    {
      title: 'Refuse a sender',
      method: 'devnet_refuseSender',
      inputs: [account, input('on', 'true', 'boolean')],
    },
  ],
};

/**
 * A parameter from the text of a field.
 * @param addressOf resolves a name to its address
 * @throws Error that names the field
 */
export function parameter(
  { label, as }: Input,
  text: string,
  addressOf: (text: string) => string | undefined = () => undefined,
): unknown {
  const value = text.trim();
  const wrong = (expected: string) => new Error(`${label}: expected ${expected}`);
  if (value === '') throw wrong('a value');
  if (as === 'text') return value;
  if (as === 'address') {
    const address = addressOf(value) ?? (/^0x[\da-f]{40}$/i.test(value) ? value : undefined);
    if (!address) throw wrong('an address');
    return address;
  }
  if (as === 'json')
    try {
      return JSON.parse(value);
    } catch {
      throw wrong('JSON');
    }
  if (as === 'boolean') {
    if (value !== 'true' && value !== 'false') throw wrong('true or false');
    return value === 'true';
  }
  if (as === 'ether') {
    const wei = wholeNumber(value, { unit: 18 });
    if (wei === undefined || wei < 0n) throw wrong('an amount of ETH, such as 1.5, 20 gwei or 1e18');
    return `0x${wei.toString(16)}`;
  }
  const number = wholeNumber(value);
  if (number === undefined || number < 0n) throw wrong('a whole number');
  return as === 'number' ? Number(number) : `0x${number.toString(16)}`;
}
