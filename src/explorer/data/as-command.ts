import type { Transaction } from './types.ts';

type Sent = Pick<Transaction, 'from' | 'to' | 'value' | 'input' | 'gas'>;

/** The parameters of a request that sends the transaction again. The node chooses the nonce and the fees. */
function fields({ from, to, value, input, gas }: Sent) {
  return {
    from,
    ...(to && { to }),
    gas,
    ...(BigInt(value) > 0n && { value }),
    ...(input !== '0x' && { data: input }),
  };
}

/** The request that sends a transaction again, as a curl command. */
export function asCurl(url: string, transaction: Sent): string {
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [fields(transaction)] };
  return `curl -s ${url} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
}

/** The command of Foundry's `cast` that sends a transaction again. */
export function asCast(url: string, { from, to, value, input, gas }: Sent): string {
  const amount = BigInt(value) > 0n ? ` --value ${BigInt(value)}` : '';
  const what = to ? `${to}${input === '0x' ? '' : ` ${input}`}` : `--create ${input}`;
  return `cast send --unlocked --from ${from} --gas-limit ${BigInt(gas)}${amount} --rpc-url ${url} ${what}`;
}

/** A viem program that sends a transaction again. */
export function asViem(url: string, transaction: Sent): string {
  const { from, to, value, input, gas } = transaction;
  const lines = [
    `account: '${from}'`,
    ...(to ? [`to: '${to}'`] : []),
    `gas: ${BigInt(gas)}n`,
    ...(BigInt(value) > 0n ? [`value: ${BigInt(value)}n`] : []),
    ...(input === '0x' ? [] : [`data: '${input}'`]),
  ];
  return `import { createWalletClient, http } from 'viem';

const client = createWalletClient({ transport: http('${url}') });
const hash = await client.sendTransaction({
  chain: null,
${lines.map((line) => `  ${line},\n`).join('')}});
console.log(hash);
`;
}
