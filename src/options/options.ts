import type { Config } from './config.ts';
import { conflict, needs, OptionError } from './errors.ts';
import { chooseFork } from './fork.ts';
import { chooseMining } from './mining.ts';
import { recordedOptions } from './recorded.ts';
import { chooseStateFiles } from './state-files.ts';
import { type DevnetOptions, OPTIONS } from './table.ts';
import { valuesOf } from './values.ts';

export { OptionError } from './errors.ts';
export type { Config, DevnetOptions };

/** @throws OptionError naming the option, what it takes and what it got, or the two options that exclude each other */
export function resolveOptions(options: DevnetOptions = {}): Config {
  const values = valuesOf(options);
  const mining = chooseMining(options, values);
  for (const name of ['hardfork', 'baseFee', 'timestamp', 'number'] as const)
    if (options.init !== undefined && options[name] !== undefined) conflict('init', name);
  const { init: genesis, dataDir, record, compat, preset } = values;
  if (genesis && options.chainId !== undefined && values.chainId !== genesis.chainId)
    throw new OptionError('chainId', `${genesis.chainId}, which the genesis file says`, options.chainId);
  for (const [name, { recorded }] of Object.entries(OPTIONS))
    if (record !== undefined && recorded === 'refused' && options[name as keyof DevnetOptions] !== undefined)
      conflict('record', name);
  if (dataDir === undefined && values.repair) needs('repair', 'dataDir');
  if (dataDir === undefined && values.fsync) needs('fsync', 'dataDir');
  if (values.noCors && options.allowOrigin !== undefined) conflict('noCors', 'allowOrigin');
  if (values.disableCodeSizeLimit && values.codeSizeLimit !== undefined)
    conflict('disableCodeSizeLimit', 'codeSizeLimit');
  if (options.create2 && values.noCreate2) conflict('create2', 'noCreate2');
  if (options.enableTxGasLimit && values.disableTxGasLimit) conflict('enableTxGasLimit', 'disableTxGasLimit');
  // A chain from outside has its own genesis block and its own rules.
  for (const name of [
    'fundAccounts',
    'create2',
    'noCreate2',
    'multicall3',
    'codeSizeLimit',
    'disableCodeSizeLimit',
  ] as const)
    if (options.init !== undefined && options[name]) conflict('init', name);
  // As good as none: twice that, for init code, is still a safe integer.
  const codeSizeLimit = values.disableCodeSizeLimit ? 2 ** 52 : values.codeSizeLimit;
  const fork = chooseFork(options, values);
  const shortBlocks = 'blockTime' in mining && mining.blockTime < 1000;
  const asked = { chainId: options.chainId !== undefined, gasLimit: options.gasLimit !== undefined };
  return {
    port: values.port,
    host: values.host,
    ...(values.ipc !== undefined && { ipc: values.ipc }),
    allowHost: values.allowHost,
    allowOrigin: values.noCors ? false : values.allowOrigin,
    limits: {
      bodySize: values.maxBodySize,
      batchSize: values.maxBatchSize,
      responseSize: values.maxResponseSize,
      subscriptions: values.maxSubscriptions,
      filters: values.maxFilters,
      notificationBuffer: values.notificationBuffer,
      sendBuffer: values.sendBuffer,
      flashblockBuffer: values.flashblockBuffer,
      rpcTimeout: values.rpcTimeout,
      callGas: values.callGasLimit,
      poolSize: values.maxPoolSize,
    },
    accounts: {
      count: values.accounts,
      balance: values.balance,
      mnemonic: values.mnemonic,
      derivationPath: values.derivationPath,
    },
    autoImpersonate: values.autoImpersonate,
    chainId: genesis?.chainId ?? values.chainId,
    hardfork: values.hardfork,
    optimism: values.optimism,
    ...(genesis && { genesis }),
    ...(fork && { fork }),
    asked,
    ...(values.import !== undefined && { import: values.import }),
    gasLimit: genesis && !asked.gasLimit ? genesis.fields.gasLimit : values.gasLimit,
    keepsGasLimit: (genesis ?? fork) !== undefined && !asked.gasLimit,
    baseFee: genesis?.fields.baseFeePerGas ?? values.baseFee,
    ...(fork && options.baseFee !== undefined && { nextBaseFee: values.baseFee }),
    minGasPrice: values.minGasPrice,
    gasPrice: values.gasPrice,
    number: genesis?.fields.number ?? values.number,
    suggestedTip: values.disableMinPriorityFee ? 0n : 10n ** 9n,
    ...(values.timestamp !== undefined && { timestamp: values.timestamp }),
    seed: values.seed,
    extraData: values.extraData,
    coinbase: values.coinbase,
    transactionGasCap:
      !values.disableTxGasLimit &&
      (values.enableTxGasLimit || (genesis !== undefined && options.enableTxGasLimit === undefined)),
    slotsInAnEpoch: values.slotsInAnEpoch,
    mining,
    ...(preset && { preset }),
    dialect: compat ?? (genesis || values.import !== undefined ? 'geth' : 'anvil'),
    refusesGaps: compat === 'hardhat' || compat === 'hardhat2',
    simulateStateRoot: values.simulateStateRoot,
    order: values.order,
    maxTransactions: values.maxTransactions,
    allowEqualTimestamps:
      values.allowEqualTimestamps ?? (compat === 'anvil' || preset === 'base-denim' || shortBlocks),
    manualClock: values.manualClock,
    fundAccounts: values.fundAccounts,
    create2Deployer: values.create2 && !values.noCreate2,
    multicall3: values.multicall3,
    ...(codeSizeLimit !== undefined && { codeSizeLimit }),
    stateFiles: chooseStateFiles(values),
    ...(record !== undefined && { record }),
    recorded: () => recordedOptions(options),
    ...(dataDir !== undefined && { dataDir }),
    fsync: values.fsync,
    ...(values.pruneHistory !== undefined && { pruneHistory: BigInt(values.pruneHistory) }),
    repair: values.repair,
    ...(values.configOut !== undefined && { configOut: values.configOut }),
    silent: values.silent,
    consoleLog: !values.disableConsoleLog,
    printTraces: values.printTraces,
  };
}
