import { EVMError, type EVMResult, NobleBN254, type PrecompileFunc } from '@ethereumjs/evm';
import { Address, bytesToHex, bytesToUnprefixedHex, hexToBytes } from '@ethereumjs/util';
import { NEW_ACCOUNT } from '../state/account.ts';
import { Overlay } from '../state/overlay.ts';
import { type RecoverAuthority, setDelegations } from './delegation.ts';
import { DevnetEVM } from './devnet-evm.ts';
import { EngineState } from './engine-state.ts';
import type { Fork, ForkSchedule } from './fork.ts';
import { intrinsicGas } from './intrinsic-gas.ts';
import type { BlockEnv, Executed, Log, Message, Outcome, Rules } from './types.ts';
import { findViolation, type GasCost, gasCost } from './validity.ts';

/** All rules of a transaction in a block. */
export const TRANSACTION_RULES: Rules = {
  nonce: true,
  fees: true,
  sender: true,
  gasCap: true,
  transferLogs: false,
};
/** `eth_call` and its like: who calls need not sign, so nonce, fee and sender aren't looked at. */
export const CALL_RULES: Rules = {
  nonce: false,
  fees: false,
  sender: false,
  gasCap: false,
  transferLogs: false,
};

/** By address, 40 hex digits without 0x. */
export type Precompiles = Map<string, PrecompileFunc>;

/** Watches one run from inside. Attached only for the run, since a `step` listener slows the engine ten times. */
export interface Tracer {
  /** Called with the engine before the run; what it returns is called after. */
  attach(evm: DevnetEVM): () => void;
}

export interface ExecuteOptions {
  readonly tracer?: Tracer;
  /** Precompiles by 40 hex digits, instead of the fork's. */
  readonly precompiles?: Precompiles;
  /** Collects the addresses and slots touched (EIP-2930), keys without 0x. */
  readonly onAccessList?: (accessed: ReadonlyMap<string, ReadonlySet<string>>) => void;
}

/**
 * Runs messages: the one path of sequencer, calls, estimates, simulations, traces and replay. Runs on different
 * overlays may overlap; each takes an EVM of its own from a pool.
 */
export class Engine {
  readonly schedule: ForkSchedule;
  readonly #recoverAuthority: RecoverAuthority;
  readonly #options: { unlimitedCodeSize: boolean };
  readonly #idle = new Map<Fork, DevnetEVM[]>();

  constructor(
    options: { unlimitedCodeSize: boolean },
    deps: { schedule: ForkSchedule; recoverAuthority: RecoverAuthority },
  ) {
    this.schedule = deps.schedule;
    this.#options = options;
    this.#recoverAuthority = deps.recoverAuthority;
  }

  forkOf(env: BlockEnv): Fork {
    return this.schedule.at(env.number, env.timestamp);
  }

  /** The fork's precompiles by 40 hex digits, a copy to be changed. */
  precompiles(env: BlockEnv): Precompiles {
    const fork = this.forkOf(env);
    const evm = this.#take(fork);
    this.#give(fork, evm);
    return new Map(evm.precompiles);
  }

  /**
   * Executes a message as a transaction: rules, fees, nonce, code, refunds, coinbase (yellow paper section 6).
   * `state` takes the writes when the outcome is `executed` and is untouched when it is `invalid`.
   */
  async execute(
    message: Message,
    env: BlockEnv,
    state: Overlay,
    rules: Rules,
    options: ExecuteOptions = {},
  ): Promise<Outcome> {
    const fork = this.forkOf(env);
    const intrinsic = intrinsicGas(message, fork);
    const cost = gasCost(message, env, fork);
    const error = await findViolation(message, env, state, rules, fork, cost, intrinsic);
    if (error) return { kind: 'invalid', error };

    const run = new Overlay(state);
    const evm = this.#take(fork);
    evm.stateManager.overlay = run;
    evm.transferLogs = rules.transferLogs;
    evm.usePrecompiles(options.precompiles);
    const detach = options.tracer?.attach(evm);
    try {
      if (options.onAccessList) evm.journal.startReportingAccessList();
      this.#warm(evm, message, env, fork);
      await charge(run, message, cost);
      let refund = 0n;
      if (message.authorizationList) {
        refund = await setDelegations(
          message.authorizationList,
          run,
          fork,
          this.schedule.chainId,
          this.#recoverAuthority,
          (authority) => evm.journal.addAlwaysWarmAddress(authority.toString()),
        );
      }
      const result = await this.#call(evm, message, env, message.gasLimit - intrinsic.gas, cost.gasPrice);
      const executed = await settle(run, message, env, fork, cost, intrinsic, refund, result);
      if (options.onAccessList) options.onAccessList(evm.journal.accessList ?? new Map());
      await removeDestroyed(run, fork, result);
      // Accounts that were touched and are empty disappear (EIP-161); the coinbase counts as touched.
      await evm.journal.putAccount(
        env.coinbase,
        (await evm.stateManager.getAccount(env.coinbase)) ?? undefined,
      );
      await evm.journal.cleanup();
      state.apply(run.writes());
      return executed;
    } finally {
      detach?.();
      evm.journal.cleanJournal();
      delete evm.journal.accessList;
      this.#give(fork, evm);
    }
  }

  /**
   * A call by the system at the edge of a block (EIP-4788, 2935, 7002, 7251): no fees, no nonce, 30M gas of its own.
   * @returns what the contract returned; throws when the call failed
   */
  async systemCall(to: Address, data: Uint8Array, env: BlockEnv, state: Overlay): Promise<Uint8Array> {
    const fork = this.forkOf(env);
    const run = new Overlay(state);
    const evm = this.#take(fork);
    evm.stateManager.overlay = run;
    evm.transferLogs = false;
    evm.usePrecompiles();
    try {
      const { execResult } = await evm.runCall({
        ...engineBlock(env),
        caller: SYSTEM_ADDRESS,
        to,
        data,
        gasLimit: 30_000_000n,
        gasPrice: 0n,
        skipNonceIncrement: true,
      });
      await evm.journal.cleanup();
      if (execResult.exceptionError) {
        throw new Error(`system call to ${to.toString()} failed: ${execResult.exceptionError.error}`);
      }
      state.apply(run.writes());
      return execResult.returnValue;
    } finally {
      evm.journal.cleanJournal();
      this.#give(fork, evm);
    }
  }

  #call(
    evm: DevnetEVM,
    message: Message,
    env: BlockEnv,
    gasLimit: bigint,
    gasPrice: bigint,
  ): Promise<EVMResult> {
    evm.blockchain = {
      getBlock: async (number: number) => {
        const hash = (await env.blockHash(BigInt(number))) ?? new Uint8Array(32);
        return { hash: () => hash };
      },
      putBlock: async () => {},
      shallowCopy() {
        return this;
      },
    };
    const blobs = message.blobVersionedHashes?.map((hash) => bytesToHex(hash));
    return evm.runCall({
      ...engineBlock(env),
      gasPrice,
      caller: message.from,
      gasLimit,
      ...(message.to && { to: message.to }),
      value: message.value,
      data: message.data,
      ...(blobs && { blobVersionedHashes: blobs }),
      skipNonceIncrement: true,
    });
  }

  /** EIP-2929, 2930, 3651 */
  #warm(evm: DevnetEVM, message: Message, env: BlockEnv, fork: Fork): void {
    if (!fork.has(2929)) return;
    const { journal } = evm;
    for (const address of evm.forkPrecompiles.keys()) journal.addAlwaysWarmAddress(address);
    journal.addAlwaysWarmAddress(message.from.toString());
    if (message.to) journal.addAlwaysWarmAddress(message.to.toString());
    if (fork.has(3651)) journal.addAlwaysWarmAddress(env.coinbase.toString());
    for (const { address, storageKeys } of message.accessList) {
      journal.addAlwaysWarmAddress(address.toString(), true);
      for (const key of storageKeys) {
        journal.addAlwaysWarmSlot(address.toString(), bytesToUnprefixedHex(key), true);
      }
    }
  }

  #take(fork: Fork): DevnetEVM {
    const evm = this.#idle.get(fork)?.pop();
    return (
      evm ??
      new DevnetEVM({
        common: fork.common,
        // The fork has the engine's own parameters already, which would undo the overrides.
        params: fork.overrides,
        stateManager: new EngineState(),
        bn254: new NobleBN254(),
        allowUnlimitedContractSize: this.#options.unlimitedCodeSize,
        allowUnlimitedInitCodeSize: this.#options.unlimitedCodeSize,
      })
    );
  }

  #give(fork: Fork, evm: DevnetEVM): void {
    evm.stateManager.release();
    const idle = this.#idle.get(fork);
    if (!idle) this.#idle.set(fork, [evm]);
    else if (idle.length < POOL_SIZE) idle.push(evm);
  }
}

/** EVMs kept for reuse, a fork. More runs than this at once build their own. */
const POOL_SIZE = 16;
/** EIP-4788 */
const SYSTEM_ADDRESS = new Address(hexToBytes('0xfffffffffffffffffffffffffffffffffffffffe'));

function engineBlock(env: BlockEnv) {
  const { baseFeePerGas, blobBaseFee, blockHash: _, ...header } = env;
  return {
    block: {
      header: {
        ...header,
        ...(baseFeePerGas !== undefined && { baseFeePerGas }),
        slotNumber: 0n,
        getBlobGasPrice: () => blobBaseFee,
      },
    },
  };
}

/** Takes gas and blob fee from the sender and counts the nonce up, before anything runs. */
async function charge(state: Overlay, message: Message, cost: GasCost): Promise<void> {
  const account = (await state.getAccount(message.from)) ?? NEW_ACCOUNT;
  state.setAccount(message.from, {
    ...account,
    nonce: account.nonce + 1n,
    balance: account.balance - message.gasLimit * cost.gasPrice - cost.blobFee,
  });
}

/** Refunds, gives unused gas back, pays the coinbase. */
async function settle(
  state: Overlay,
  message: Message,
  env: BlockEnv,
  fork: Fork,
  cost: GasCost,
  intrinsic: { gas: bigint; floor: bigint },
  delegationRefund: bigint,
  { execResult, createdAddress }: EVMResult,
): Promise<Executed> {
  const before = execResult.executionGasUsed + intrinsic.gas;
  const refund = delegationRefund + (execResult.gasRefund ?? 0n);
  // EIP-3529
  const most = before / (fork.has(3529) ? 5n : 2n);
  let gasUsed = before - (refund < most ? refund : most);
  if (gasUsed < intrinsic.floor) gasUsed = intrinsic.floor;

  await addBalance(state, message.from, (message.gasLimit - gasUsed) * cost.gasPrice);
  const tip = fork.has(1559) ? cost.tip : cost.gasPrice;
  await addBalance(state, env.coinbase, gasUsed * tip);

  const error = execResult.exceptionError;
  const codeDepositFailed =
    error?.error === EVMError.errorMessages.CODESTORE_OUT_OF_GAS && !fork.atLeast('homestead');
  const success = error === undefined || codeDepositFailed;
  return {
    kind: 'executed',
    success,
    gasUsed,
    maxUsedGas: before > intrinsic.floor ? before : intrinsic.floor,
    returnData: execResult.returnValue,
    logs: success ? (execResult.logs ?? []).map(toLog) : [],
    ...(message.to === undefined && createdAddress && { createdAddress }),
    effectiveGasPrice: cost.gasPrice,
    blobGasUsed: cost.blobGas,
    ...(!success && {
      failure: { revert: error.error === EVMError.errorMessages.REVERT, reason: haltReason(error.error) },
    }),
  };
}

async function addBalance(state: Overlay, address: Address, wei: bigint): Promise<void> {
  const account = (await state.getAccount(address)) ?? NEW_ACCOUNT;
  state.setAccount(address, { ...account, balance: account.balance + wei });
}

/** SELFDESTRUCT takes effect at the end of the transaction; since EIP-6780 only where it was created in it. */
async function removeDestroyed(state: Overlay, fork: Fork, { execResult }: EVMResult): Promise<void> {
  for (const address of execResult.selfdestruct?.keys() ?? []) {
    if (fork.has(6780) && !execResult.createdAddresses?.has(address)) continue;
    state.setAccount(new Address(hexToBytes(address)), undefined);
  }
}

function toLog([address, topics, data]: [Uint8Array, Uint8Array[], Uint8Array]): Log {
  return { address: new Address(address), topics, data };
}

/** geth's words for the halts that it names otherwise than the engine does. */
const HALTS: Readonly<Record<string, string>> = {
  [EVMError.errorMessages.REVERT]: 'execution reverted',
  [EVMError.errorMessages.INVALID_JUMP]: 'invalid jump destination',
  [EVMError.errorMessages.CREATE_COLLISION]: 'contract address collision',
  [EVMError.errorMessages.STATIC_STATE_CHANGE]: 'write protection',
  [EVMError.errorMessages.CODESIZE_EXCEEDS_MAXIMUM]: 'max code size exceeded',
  [EVMError.errorMessages.INITCODE_SIZE_VIOLATION]: 'max initcode size exceeded',
  [EVMError.errorMessages.INSUFFICIENT_BALANCE]: 'insufficient balance for transfer',
  [EVMError.errorMessages.INVALID_BYTECODE_RESULT]: 'invalid code: must not begin with 0xef',
  [EVMError.errorMessages.CODESTORE_OUT_OF_GAS]: 'contract creation code storage out of gas',
};

function haltReason(name: string): string {
  return HALTS[name] ?? name;
}
