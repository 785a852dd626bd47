import { DEFAULT_DERIVATION_PATH, DEFAULT_MNEMONIC } from '../../accounts.ts';
import { flagOption, option } from '../option.ts';
import { ether, funds, mnemonic, path, whole } from '../value-types.ts';

/** The accounts that the genesis block funds, and senders that need no private key. */
export const ACCOUNTS = {
  /** Number of dev accounts. Default 10. */
  accounts: option({
    flags: '-a, --accounts <n>',
    help: 'number of dev accounts (10)',
    type: whole(0, 10_000),
    default: 10,
    hardhat: 20,
  }),
  /** Balance of each dev account in ETH. Fractions are allowed; use a string if a number isn't precise enough. Default 10,000. */
  balance: option({
    flags: '--balance <eth>',
    help: 'balance of each, in ETH (10000)',
    type: ether,
    default: 10_000n * 10n ** 18n,
  }),
  /** BIP-39 mnemonic. Default `test test test test test test test test test test test junk`, as in anvil and Hardhat. */
  mnemonic: option({
    flags: '-m, --mnemonic <words>',
    help: 'BIP-39 mnemonic (test test ... junk)',
    type: mnemonic,
    default: DEFAULT_MNEMONIC,
  }),
  /** BIP-32 path of the accounts' parent. Default `m/44'/60'/0'/0/`. */
  derivationPath: option({
    flags: '--derivation-path <path>',
    help: "BIP-32 path of the accounts (m/44'/60'/0'/0/)",
    type: path,
    default: DEFAULT_DERIVATION_PATH,
  }),
  /** Further accounts to fund in the genesis block: an address, or `address:ETH`. Without an amount they get 10,000 ETH. */
  fundAccounts: option({
    flags: '--fund-accounts <address:eth...>',
    help: 'more accounts to fund, with 10000 ETH where no amount is given',
    type: funds,
    default: [],
  }),
  /** Send for any sender without its private key (`eth_sendTransaction`), as with `anvil_autoImpersonateAccount`. */
  autoImpersonate: flagOption({
    flags: '--auto-impersonate',
    aliases: ['--auto-unlock'],
    help: 'send for any sender without its key',
  }),
};
