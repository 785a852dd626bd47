import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { RLP } from '@ethereumjs/rlp';
import { createKeccak } from 'hash-wasm';
import secp256k1 from 'secp256k1';
import { bytesToHex, encodeDeployData, hexToBytes } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { receiptOf } from './load.mjs';
import { Client } from './rpc.mjs';

export const MNEMONIC = 'test test test test test test test test test test test junk';
const GWEI = 10n ** 9n;
const keccak = await createKeccak(256);
const token = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../fixtures/contracts/Token.json'), 'utf8'),
);

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
   * A signed type-2 transaction with the account's next nonce. Without `to` it creates a contract; with authorizations
   * it is a type-4 one.
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

  close() {
    this.#client.close();
  }
}

/** EIP-7702: the account of the key, at nonce 0, acts by the contract's code. */
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

/** What deploys the ERC-20. */
export const tokenDeployment = {
  data: encodeDeployData({ ...token, args: ['Bench', 'BNC', 10n ** 30n] }),
  gas: 2_000_000n,
};

/** Deploys the ERC-20 and gives every sender some. @returns {Promise<string>} its address */
export async function deployToken(client, senders) {
  const [owner, ...others] = senders;
  const hash = await owner.send(owner.sign(tokenDeployment));
  const { contractAddress } = await receiptOf(client, hash);
  let last;
  for (const { address } of others) {
    const payload = { to: contractAddress, data: transferData(address, 10n ** 28n), gas: 100_000n };
    last = await owner.send(owner.sign(payload));
  }
  await receiptOf(client, last);
  return contractAddress;
}
