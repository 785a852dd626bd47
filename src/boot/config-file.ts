import { writeFileSync } from 'node:fs';
import { bytesToHex } from '@ethereumjs/util';
import type { DevAccount } from '../accounts.ts';
import type { Config } from '../options/options.ts';

/** The content that anvil writes for `--config-out`; numbers are decimal strings, in wei, gas and seconds. */
export interface ConfigFile {
  readonly available_accounts: readonly string[];
  readonly private_keys: readonly string[];
  readonly wallet: { readonly derivation_path: string; readonly mnemonic: string };
  readonly base_fee: string;
  readonly gas_price: string;
  readonly gas_limit: string;
  readonly genesis_timestamp: string;
}

/** Writes the file of `--config-out`, if set, so that scripts find the accounts without parsing the banner. */
export function writeConfigFile(
  { configOut, mnemonic, derivationPath, ...config }: Config,
  { accounts, genesisTimestamp }: { accounts: readonly DevAccount[]; genesisTimestamp: bigint },
): void {
  if (configOut === undefined) return;
  const content: ConfigFile = {
    available_accounts: accounts.map(({ address }) => address.toString()),
    private_keys: accounts.map(({ privateKey }) => bytesToHex(privateKey)),
    wallet: { derivation_path: derivationPath, mnemonic },
    base_fee: `${config.baseFee}`,
    gas_price: `${config.gasPrice}`,
    gas_limit: `${config.gasLimit}`,
    genesis_timestamp: `${genesisTimestamp}`,
  };
  // Only the user who started the node may read the keys.
  writeFileSync(configOut, JSON.stringify(content), { mode: 0o600 });
}
