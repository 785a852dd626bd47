import { deserialize, serialize } from 'node:v8';
import { Address } from '@ethereumjs/util';
import type { Transaction } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';
import type { Conditions } from '../chain/conditions.ts';
import type { Clock } from '../clock.ts';
import type { SettableChainId } from '../evm/chain-id.ts';
import type { Engine } from '../evm/engine.ts';
import type { SentTransactionDecoder } from '../mempool/decode-sent.ts';
import { feesOf } from '../mempool/fees.ts';
import type { Mempool } from '../mempool/mempool.ts';
import type { Signers } from '../rpc/send/signers.ts';
import type { BlockAssembler } from '../sequencer/mining/assembler.ts';
import type { OpenRecord } from '../sequencer/mining/block-producer.ts';
import type { MiningMode } from '../sequencer/mining/mode.ts';
import type { Snapshots } from '../sequencer/rewrite/snapshots.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { Settings, SettingsRecord } from '../sequencer/settings.ts';
import { hexKey } from '../state/hex-key.ts';
import { keccak256 } from '../state/keccak.ts';

/** What a node needs, besides blocks and states, to go on exactly as another one. Without what `evm_snapshot` keeps. */
interface RunningState {
  /** the clock's time, milliseconds */
  readonly at: number;
  /** chain time minus the clock's time, milliseconds */
  readonly offset: number;
  readonly head: { readonly hash: Uint8Array; readonly stateRoot: Uint8Array };
  readonly mode: MiningMode;
  /** wei per gas */
  readonly minGasPrice: bigint;
  readonly open: OpenRecord;
  readonly payload: bigint;
  /** the coinbase as bytes */
  readonly settings: Omit<SettingsRecord, 'every'> & {
    readonly every: Omit<SettingsRecord['every'], 'coinbase'> & { readonly coinbase: Uint8Array };
  };
  readonly pool: readonly {
    readonly raw: Uint8Array;
    readonly from?: Uint8Array;
    readonly conditions?: Conditions;
    readonly arrival: number;
  }[];
  readonly bases: ReadonlyMap<string, bigint>;
  readonly signers: ReturnType<Signers['record']>;
  readonly chainId: bigint;
  readonly signatures: ReturnType<Engine['signatures']['record']>;
  readonly lastSnapshot: bigint;
}

/** The parts whose state it is. */
export interface RunningParts {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly sequencer: Sequencer;
  readonly assembler: BlockAssembler;
  readonly settings: Settings;
  readonly mempool: Mempool;
  readonly decoder: SentTransactionDecoder;
  readonly signers: Signers;
  readonly schedule: SettableChainId;
  readonly engine: Engine;
  readonly snapshots: Snapshots;
}

/**
 * Captures the state of a node, while nothing changes it.
 * @returns `undefined` while a block is open that isn't empty, or a failure on demand is still to come
 */
export function captureRunning(parts: RunningParts): Uint8Array | undefined {
  const { chain, clock, sequencer, settings, mempool } = parts;
  const record = sequencer.record;
  if (!record) return undefined;
  const { entries, bases } = mempool.snapshot();
  const { every, ...rest } = settings.record();
  const running: RunningState = {
    at: clock.now(),
    offset: settings.time.offset,
    head: { hash: chain.latest.hash, stateRoot: chain.latest.state.root },
    ...record,
    payload: parts.assembler.payload,
    settings: { ...rest, every: { ...every, coinbase: every.coinbase.bytes } },
    pool: entries.map(({ transaction: { raw, from, impersonated, conditions }, arrival }) => ({
      raw,
      arrival,
      ...(impersonated && { from: from.bytes }),
      ...(conditions && { conditions }),
    })),
    bases,
    signers: parts.signers.record(),
    chainId: parts.schedule.chainId,
    signatures: parts.engine.signatures.record(),
    lastSnapshot: parts.snapshots.last,
  };
  return serialize(running);
}

/** When a captured node stood still, milliseconds on its clock, and how far its chain time was from that. */
export function timeOf(captured: Uint8Array): { readonly at: number; readonly offset: number } {
  const { at, offset } = deserialize(captured) as RunningState;
  return { at, offset };
}

/**
 * Starts a node as the captured one was. Its chain has the same blocks and states.
 * @throws Error when it doesn't
 */
export async function startAs(captured: Uint8Array, parts: RunningParts): Promise<void> {
  const running = deserialize(captured) as RunningState;
  const { chain, settings, mempool, decoder, sequencer } = parts;
  const { latest } = chain;
  if (
    Buffer.compare(running.head.hash, latest.hash) !== 0 ||
    Buffer.compare(running.head.stateRoot, latest.state.root) !== 0
  )
    throw new Error('the snapshot holds another chain than its name says');
  parts.schedule.setChainId(running.chainId);
  parts.signers.restore(running.signers);
  parts.engine.signatures.restore(running.signatures);
  parts.snapshots.last = running.lastSnapshot;
  const { every, ...rest } = running.settings;
  const record = { ...rest, every: { ...every, coinbase: new Address(every.coinbase) } };
  await sequencer.startAs(running, () => {
    settings.restore(record);
    const transactions = running.pool.map(({ raw, from, conditions, arrival }) => ({
      transaction: transactionOf(decoder, raw, from, conditions),
      arrival,
    }));
    mempool.restore({
      bases: running.bases,
      entries: transactions.map(({ transaction, arrival }) => ({
        transaction,
        hash: hexKey(transaction.hash),
        nonce: transaction.tx.nonce,
        fees: feesOf(transaction.tx),
        arrival,
      })),
    });
    parts.assembler.payload = running.payload;
  });
  settings.defer(record.next);
}

/** A transaction that was admitted once. @param from the sender, if it was impersonated */
export function transactionOf(
  decoder: SentTransactionDecoder,
  raw: Uint8Array,
  from: Uint8Array | undefined,
  conditions: Conditions | undefined,
): Transaction {
  if (!from) return conditions ? { ...decoder.decode(raw), conditions } : decoder.decode(raw);
  const stored = decoder.decodeStored(raw);
  return { ...stored, from: new Address(from), hash: keccak256(stored.raw), impersonated: true };
}
