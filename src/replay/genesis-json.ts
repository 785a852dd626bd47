import { bytesToHex } from '@ethereumjs/util';
import type { Header } from '../chain/block.ts';
import type { Config } from '../options/options.ts';
import { configOf } from '../protocol/genesis-config.ts';
import type { GenesisAccount, GenesisAlloc } from '../state/genesis.ts';

const hex = (value: bigint) => `0x${value.toString(16)}`;

/** A genesis.json in geth's format that results in the same block 0. */
export function genesisJson(config: Config, header: Header, alloc: GenesisAlloc): Record<string, unknown> {
  const some = (name: keyof Header) => {
    const value = header[name];
    return value === undefined ? {} : { [name]: hex(value as bigint) };
  };
  return {
    config: config.genesis?.config ?? configOf(config.chainId, config.hardfork),
    nonce: bytesToHex(header.nonce),
    timestamp: hex(header.timestamp),
    extraData: bytesToHex(header.extraData),
    gasLimit: hex(header.gasLimit),
    difficulty: hex(header.difficulty),
    mixHash: bytesToHex(header.mixHash),
    coinbase: header.coinbase.toString(),
    number: hex(header.number),
    gasUsed: hex(header.gasUsed),
    parentHash: bytesToHex(header.parentHash),
    ...some('baseFeePerGas'),
    ...some('excessBlobGas'),
    ...some('blobGasUsed'),
    alloc: Object.fromEntries([...alloc].map(([address, account]) => [address, accountJson(account)])),
  };
}

function accountJson({ balance, nonce = 0n, code, storage }: GenesisAccount) {
  return {
    balance: hex(balance),
    ...(nonce > 0n && { nonce: hex(nonce) }),
    ...(code?.length && { code: bytesToHex(code) }),
    ...(storage?.size && {
      storage: Object.fromEntries(
        [...storage].map(([slot, value]) => [slot, `0x${bytesToHex(value).slice(2).padStart(64, '0')}`]),
      ),
    }),
  };
}
