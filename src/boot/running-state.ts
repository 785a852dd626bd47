import { deserialize, serialize } from 'node:v8';
import { Address } from '@ethereumjs/util';
import type { Transaction } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';
import type { Conditions } from '../chain/conditions.ts';
import type { Head } from '../chain/store/batch-record.ts';
import type { Clock } from '../clock.ts';
import type { Engine } from '../engine/engine.ts';
import type { SentTransactionDecoder } from '../mempool/decode-sent.ts';
import { feesOf } from '../mempool/fees.ts';
import type { Mempool, PoolSnapshot } from '../mempool/mempool.ts';
import type { SettableChainId } from '../protocol/chain-id.ts';
import type { Signers } from '../rpc/send/signers.ts';
import type { Assembler } from '../sequencer/mining/assembler.ts';
import type { MiningMode } from '../sequencer/mining/mode.ts';
import type { OpenRecord } from '../sequencer/mining/producer.ts';
import type { Snapshot, Snapshots } from '../sequencer/rewrite/snapshots.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { Settings, SettingsRecord } from '../sequencer/settings.ts';
import { hexKey } from '../state/hex-key.ts';
import { keccak256 } from '../state/keccak.ts';

/** A transaction of the mempool or of an open block. */
interface SentRecord {
  readonly raw: Uint8Array;
  /** the sender, if it was impersonated */
  readonly from?: Uint8Array;
  readonly conditions?: Conditions;
}

interface PoolRecord {
  readonly pool: readonly (SentRecord & { readonly arrival: number })[];
  readonly bases: ReadonlyMap<string, bigint>;
}

/** Settings with the coinbase as bytes, so that they can be serialized. */
type PlainSettings = Omit<SettingsRecord, 'every'> & {
  readonly every: Omit<SettingsRecord['every'], 'coinbase'> & { readonly coinbase: Uint8Array };
};

/** A snapshot of `evm_snapshot`. */
interface PlainSnapshot extends PoolRecord, Pick<Snapshot, 'number' | 'hash' | 'stateRoot'> {
  readonly id: bigint;
  readonly open:
    | (Omit<OpenRecord, 'transactions'> & { readonly transactions: readonly SentRecord[] })
    | undefined;
  readonly settings: PlainSettings;
}

/** The state of a node, besides blocks and their states, from which another node can continue identically. */
interface RunningState extends PoolRecord {
  /** the clock's time, milliseconds */
  readonly at: number;
  /** chain time minus the clock's time, milliseconds */
  readonly offset: number;
  readonly head: Head;
  readonly mode: MiningMode;
  /** wei per gas */
  readonly minGasPrice: bigint;
  readonly open: OpenRecord;
  readonly payload: bigint;
  readonly settings: PlainSettings;
  readonly signers: ReturnType<Signers['record']>;
  readonly chainId: bigint;
  readonly signatures: ReturnType<Engine['signatures']['record']>;
  readonly snapshots: readonly PlainSnapshot[];
  readonly lastSnapshot: bigint;
}

/** The parts of a node that have running state. */
export interface RunningParts {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly sequencer: Sequencer;
  readonly assembler: Assembler;
  readonly settings: Settings;
  readonly mempool: Mempool;
  readonly decoder: SentTransactionDecoder;
  readonly signers: Signers;
  readonly schedule: SettableChainId;
  readonly engine: Engine;
  readonly snapshots: Snapshots;
}

/**
 * Captures the running state of a node. The caller must ensure that nothing changes it during the call.
 * @returns `undefined` while the open block has transactions, or a simulated failure is still pending
 */
export function captureRunning(parts: RunningParts): Uint8Array | undefined {
  const { chain, clock, sequencer, settings, mempool } = parts;
  const record = sequencer.record;
  if (!record) return undefined;
  const running: RunningState = {
    at: clock.now(),
    offset: settings.time.offset,
    head: {
      number: chain.latest.header.number,
      hash: chain.latest.hash,
      stateRoot: chain.latest.state.root,
    },
    ...record,
    payload: parts.assembler.payload,
    settings: plainSettings(settings.record()),
    ...poolRecord(mempool.snapshot()),
    signers: parts.signers.record(),
    chainId: parts.schedule.chainId,
    signatures: parts.engine.signatures.record(),
    snapshots: parts.snapshots.entries().map(([id, { number, hash, stateRoot, pool, open, settings }]) => ({
      id,
      number,
      hash,
      stateRoot,
      ...poolRecord(pool),
      open: open && { ...open, transactions: open.transactions.map(sentRecord) },
      settings: plainSettings(settings),
    })),
    lastSnapshot: parts.snapshots.last,
  };
  return serialize(running);
}

/** The newest block of a captured node. */
export function headOf(captured: Uint8Array): Head {
  return (deserialize(captured) as RunningState).head;
}

/** The time at which a node was captured, milliseconds on its clock, and its offset of chain time, milliseconds. */
export function timeOf(captured: Uint8Array): { readonly at: number; readonly offset: number } {
  const { at, offset } = deserialize(captured) as RunningState;
  return { at, offset };
}

/**
 * Starts a node from the state of a captured one. The node's chain must already have the same blocks and states.
 * @throws Error if its head differs
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
  const record = settingsRecord(running.settings);
  await sequencer.startAs(running, () => {
    settings.restore(record);
    mempool.restore(poolSnapshot(running, decoder));
    parts.snapshots.restore(
      running.snapshots.map(({ id, number, hash, stateRoot, open, settings: kept, ...pool }) => [
        id,
        {
          number,
          hash,
          stateRoot,
          pool: poolSnapshot(pool, decoder),
          open: open && {
            ...open,
            transactions: open.transactions.map((sent) => transactionFrom(sent, decoder)),
          },
          settings: settingsRecord(kept),
        },
      ]),
      running.lastSnapshot,
    );
    parts.assembler.payload = running.payload;
  });
  settings.defer(record.next);
}

function plainSettings({ every, ...rest }: SettingsRecord): PlainSettings {
  return { ...rest, every: { ...every, coinbase: every.coinbase.bytes } };
}

function settingsRecord({ every, ...rest }: PlainSettings): SettingsRecord {
  return { ...rest, every: { ...every, coinbase: new Address(every.coinbase) } };
}

function sentRecord({ raw, from, impersonated, conditions }: Transaction): SentRecord {
  return { raw, ...(impersonated && { from: from.bytes }), ...(conditions && { conditions }) };
}

function transactionFrom(
  { raw, from, conditions }: SentRecord,
  decoder: SentTransactionDecoder,
): Transaction {
  return transactionOf(decoder, raw, from, conditions);
}

function poolRecord({ entries, bases }: PoolSnapshot): PoolRecord {
  return {
    pool: entries.map(({ transaction, arrival }) => ({ ...sentRecord(transaction), arrival })),
    bases,
  };
}

function poolSnapshot({ pool, bases }: PoolRecord, decoder: SentTransactionDecoder): PoolSnapshot {
  const entries = pool.map(({ arrival, ...sent }) => {
    const transaction = transactionFrom(sent, decoder);
    const { tx, hash } = transaction;
    return { transaction, hash: hexKey(hash), nonce: tx.nonce, fees: feesOf(tx), arrival };
  });
  return { bases, entries };
}

/** Decodes a transaction that was admitted before. @param from the sender, if it was impersonated */
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
