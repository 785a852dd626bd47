import { bytesToHex } from '@ethereumjs/util';
import type { OnProgress } from '../progress.ts';
import { isSince } from '../protocol/hardfork.ts';
import type { Config } from './config.ts';
import { conflict, needs, OptionError } from './errors.ts';
import { chooseFork, chooseForkCache } from './fork.ts';
import { chooseMining } from './mining.ts';
import { recordedOptions } from './recorded.ts';
import { rollupBlocks, withRollup } from './rollup.ts';
import { chooseStateFiles } from './state-files.ts';
import { type DevnetOptions, OPTIONS } from './table.ts';
import { isRollupUpgrade } from './value-types.ts';
import { valuesOf } from './values.ts';

export { OptionError } from './errors.ts';
export type { Config, DevnetOptions };

/**
 * Default gas limit of blocks and calls at Amsterdam: there, depositing the largest code alone costs 100 million gas (EIP-7954, EIP-8037).
 * Public test networks can be configured with it.
 */
export const AMSTERDAM_GAS_LIMIT = 200_000_000n;

/** Whether the `config` of a geth genesis.json file has a time for a hardfork. */
function isScheduled(config: Readonly<Record<string, unknown>>, field: string): boolean {
  return config[field] !== undefined && config[field] !== null;
}

/**
 * @param onProgress called with the progress of reading a genesis file
 * @throws OptionError naming the option, what it accepts and what it got; OptionConflict naming two options that exclude each other
 */
export function resolveOptions(given: DevnetOptions = {}, onProgress?: OnProgress): Config {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new OptionError('options', 'an object', given);
  const options = withRollup(given);
  const values = valuesOf(options, onProgress);
  const mining = chooseMining(options, values);
  for (const name of ['hardfork', 'baseFee', 'timestamp', 'number'] as const)
    if (options.init !== undefined && options[name] !== undefined) conflict('init', name);
  const { init: genesis, dataDir, record, compat, preset } = values;
  if (!values.optimism && isRollupUpgrade(options.hardfork))
    throw new OptionError(
      'hardfork',
      "a hardfork of Ethereum (the OP Stack's need the option optimism)",
      options.hardfork,
    );
  if (genesis && options.chainId !== undefined && values.chainId !== genesis.chainId)
    throw new OptionError('chainId', `${genesis.chainId}, the chain id of the genesis file`, options.chainId);
  for (const [name, { recorded }] of Object.entries(OPTIONS))
    if (record !== undefined && recorded === 'refused' && options[name as keyof DevnetOptions] !== undefined)
      conflict('record', name);
  // The log in Redis stores the chain, and is the only source that followers have.
  for (const name of ['dataDir', 'record', 'import', 'state', 'loadState', 'forkUrl'] as const)
    if (values.redis !== undefined && options[name] !== undefined) conflict('redis', name);
  if (dataDir === undefined && values.repair) needs('repair', 'dataDir');
  if (dataDir === undefined && values.fsync) needs('fsync', 'dataDir');
  if (values.noCors && options.allowOrigin !== undefined) conflict('noCors', 'allowOrigin');
  if (values.disableCodeSizeLimit && values.codeSizeLimit !== undefined)
    conflict('disableCodeSizeLimit', 'codeSizeLimit');
  if (options.create2 && values.noCreate2) conflict('create2', 'noCreate2');
  if (options.enableTxGasLimit && values.disableTxGasLimit) conflict('enableTxGasLimit', 'disableTxGasLimit');
  // A chain from elsewhere has its own genesis block and its own rules.
  for (const name of [
    'fundAccounts',
    'create2',
    'noCreate2',
    'multicall3',
    'codeSizeLimit',
    'disableCodeSizeLimit',
  ] as const)
    if (options.init !== undefined && options[name]) conflict('init', name);
  if (values.depositsOnly && !values.optimism) needs('depositsOnly', 'optimism');
  const isAmsterdam = genesis
    ? isScheduled(genesis.config, 'amsterdamTime')
    : isSince(values.hardfork, 'amsterdam');
  if (isAmsterdam && values.optimism)
    throw new OptionError('hardfork', 'one that the OP Stack has (it has no amsterdam yet)', 'amsterdam');
  if (values.barePredeploys && !values.optimism) needs('barePredeploys', 'optimism');
  if (values.barePredeploys && values.depositsOnly) conflict('barePredeploys', 'depositsOnly');
  const rollup = values.optimism && !values.depositsOnly;
  const blocks = rollup ? rollupBlocks(options, values) : undefined;
  const forkCache = chooseForkCache(options, values);
  const fork = chooseFork(options, values);
  const shortBlocks = 'blockTime' in mining && mining.blockTime < 1000;
  const isAsked = (name: keyof DevnetOptions) => options[name] !== undefined;
  const asked = {
    chainId: isAsked('chainId'),
    hardfork: isAsked('hardfork'),
    gasLimit: isAsked('gasLimit'),
    extraData: isAsked('extraData'),
    compat: isAsked('compat'),
    logLevel: isAsked('logLevel'),
  };
  const dialect = compat ?? (genesis || values.import !== undefined ? 'geth' : 'anvil');
  const asHardhat = compat === 'hardhat' || compat === 'hardhat2';
  const { pruneHistory, forkCache: _, ...rest } = values;
  return {
    ...rest,
    allowOrigin: values.noCors ? false : values.allowOrigin,
    ...(genesis && { genesis }),
    chainId: genesis?.chainId ?? values.chainId,
    ...(fork && { fork }),
    ...(forkCache && { forkCache }),
    asked,
    gasLimit: asked.gasLimit
      ? values.gasLimit
      : (genesis?.fields.gasLimit ?? (isAmsterdam ? AMSTERDAM_GAS_LIMIT : values.gasLimit)),
    callGasLimit: isAmsterdam && !isAsked('callGasLimit') ? AMSTERDAM_GAS_LIMIT : values.callGasLimit,
    keepsGasLimit: (genesis ?? fork) !== undefined && !asked.gasLimit,
    baseFee: genesis?.fields.baseFeePerGas ?? values.baseFee,
    ...(fork && options.baseFee !== undefined && { nextBaseFee: values.baseFee }),
    number: genesis?.fields.number ?? values.number,
    // A genesis file is also used with other clients, which apply the rules of EIP-1559 only.
    zeroBaseFeeStays: !genesis && (values.baseFee === 0n || dialect === 'anvil'),
    suggestedTip: values.disableMinPriorityFee ? 0n : 10n ** 9n,
    transactionGasCap:
      !values.disableTxGasLimit &&
      (values.enableTxGasLimit ||
        ((genesis !== undefined || preset === 'base') && options.enableTxGasLimit === undefined)),
    mining,
    flashblockInterval:
      'flashblockInterval' in mining ? mining.flashblockInterval : values.flashblockInterval,
    spacesFirstBlock: !asHardhat,
    dialect,
    refusesGaps: asHardhat,
    allowEqualTimestamps:
      values.allowEqualTimestamps ?? (compat === 'anvil' || preset === 'base' || shortBlocks),
    create2Deployer: values.create2 && !values.noCreate2,
    rollup,
    ...blocks,
    // Practically no limit: twice this value, for init code, is still a safe integer.
    ...(values.disableCodeSizeLimit && { codeSizeLimit: 2 ** 52 }),
    stateFiles: chooseStateFiles(values),
    // What a preset determines is recorded, too: followers get the options without the preset.
    recorded: () =>
      recordedOptions(blocks && preset ? { ...options, extraData: bytesToHex(blocks.extraData) } : options),
    ...(pruneHistory !== undefined && { pruneHistory: BigInt(pruneHistory) }),
    consoleLog: !values.disableConsoleLog,
  };
}
