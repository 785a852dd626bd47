import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { RLP } from '@ethereumjs/rlp';
import { createKeccak } from 'hash-wasm';
import secp256k1 from 'secp256k1';
import { bytesToHex, encodeDeployData, encodeFunctionData, hexToBytes } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { receiptOf } from './load.mjs';
import { Client } from './rpc.mjs';

export const MNEMONIC = 'test test test test test test test test test test test junk';
const GWEI = 10n ** 9n;
const keccak = await createKeccak(256);
/** The artifact of a contract that `npm run fixtures` compiled. */
export const artifact = (name) =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, `../../fixtures/contracts/${name}.json`), 'utf8'));

/** One dev account: signs with the native library (about 0.1 ms) and sends in order over its own connection. */
class Sender {
  #key;
  #chainId;
  #nonce = 0n;
  #client;

  constructor(account, chainId, port) {
    this.address = account.address;
    this.#key = account.getHdKey().privateKey;
    this.#chainId = chainId;
    this.#client = new Client(port);
  }

  /**
   * A signed type-2 transaction with the account's next nonce. Without `to` it creates a contract; with authorizations it has type 4.
   */
  sign({ to, value = 0n, data = '0x', gas = 21_000n, authorizations }) {
    const type = authorizations ? 4 : 2;
    const fields = [
      this.#chainId,
      this.#nonce++,
      GWEI,
      100n * GWEI,
      gas,
      to ? hexToBytes(to) : new Uint8Array(),
      value,
      hexToBytes(data),
      [],
      ...(authorizations ? [authorizations] : []),
    ];
    return bytesToHex(typed(type, [...fields, ...signatureOf(typed(type, fields), this.#key)]));
  }

  /** @returns {Promise<string>} the hash */
  send(raw) {
    return this.#client.call('eth_sendRawTransaction', [raw]);
  }
}

/** An authorization of EIP-7702: the account of the key, at nonce 0, delegates to the contract. */
export function authorization(key, chainId, contract) {
  const fields = [chainId, hexToBytes(contract), 0n];
  return [...fields, ...signatureOf(typed(5, fields), key)];
}

/** y-parity, r and s */
function signatureOf(unsigned, key) {
  const { signature, recid } = secp256k1.ecdsaSign(keccak.init().update(unsigned).digest('binary'), key);
  const part = (start) => BigInt(bytesToHex(signature.subarray(start, start + 32)));
  return [BigInt(recid), part(0), part(32)];
}

function typed(type, fields) {
  const encoded = RLP.encode(fields);
  const bytes = new Uint8Array(encoded.length + 1);
  bytes[0] = type;
  bytes.set(encoded, 1);
  return bytes;
}

/** @returns {Promise<Sender[]>} the ten dev accounts of a fresh node */
export async function createSenders({ client, port }) {
  const chainId = BigInt(await client.call('eth_chainId'));
  return Array.from(
    { length: 10 },
    (_, addressIndex) => new Sender(mnemonicToAccount(MNEMONIC, { addressIndex }), chainId, port),
  );
}

/** One of 500 addresses outside the dev accounts. */
export const recipient = (i) => `0x${(0x1000000000n + BigInt(i % 500)).toString(16).padStart(40, '0')}`;

export const etherTransfer = (i) => ({ to: recipient(i), value: 1000n });

export const tokenTransfer = (address, i) => ({
  to: address,
  data: transferData(recipient(i), 1n),
  gas: 100_000n,
});

export const transferData = (to, amount) =>
  `0xa9059cbb${to.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`;

/** The fields of a transaction that deploys a contract. */
export const deploymentOf = (name, args = []) => ({
  data: encodeDeployData({ ...artifact(name), args }),
  gas: 2_000_000n,
});

/** The call data for a contract's function. */
export const callOf = (name, functionName, args = []) =>
  encodeFunctionData({ ...artifact(name), functionName, args });

/** The fields of a transaction that deploys the ERC-20. */
export const tokenDeployment = deploymentOf('Token', ['Bench', 'BNC', 10n ** 30n]);

/** @returns {Promise<string>} the address of the contract */
export async function deploy(client, sender, deployment) {
  const hash = await sender.send(sender.sign(deployment));
  return (await receiptOf(client, hash)).contractAddress;
}

/** Deploys the ERC-20 and sends tokens to every sender. @returns {Promise<string>} its address */
export async function deployToken(client, senders) {
  const [owner, ...others] = senders;
  const contractAddress = await deploy(client, owner, tokenDeployment);
  let last;
  for (const { address } of others) {
    const payload = { to: contractAddress, data: transferData(address, 10n ** 28n), gas: 100_000n };
    last = await owner.send(owner.sign(payload));
  }
  await receiptOf(client, last);
  return contractAddress;
}

/**
 * Ten senders in parallel, each waiting for the response to its transaction before it sends the next. All are signed before.
 * @param limitMs time limit for sending, and again for the receipts
 * @returns the number of sent transactions, and the milliseconds from the first send until the last receipt of each sender is seen
 */
export async function blast(client, senders, count, payload, limitMs = 120_000) {
  const lanes = senders.map((sender) => ({ sender, raws: [], last: undefined }));
  for (let i = 0; i < count; i++) {
    const { sender, raws } = lanes[i % lanes.length];
    raws.push(sender.sign(payload(i)));
  }
  const start = performance.now();
  let sent = 0;
  await Promise.all(
    lanes.map(async (lane) => {
      for (const raw of lane.raws) {
        if (performance.now() - start > limitMs) return;
        lane.last = await lane.sender.send(raw);
        sent++;
      }
    }),
  );
  const receipts = await Promise.all(lanes.map(({ last }) => receiptOf(client, last, { limitMs })));
  if (receipts.some(({ status }) => status !== '0x1')) throw new Error('a transfer failed');
  return { count: sent, elapsed: performance.now() - start };
}
