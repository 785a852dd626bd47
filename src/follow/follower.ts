import { bytesToHex, equalsBytes, hexToBytes } from '@ethereumjs/util';
import { BadBlock } from '../chain/block-fault.ts';
import type { Chain } from '../chain/chain.ts';
import { DevnetError } from '../errors.ts';
import type { OnProgress } from '../progress.ts';
import { RpcError, Unreachable } from '../remote/rpc-client.ts';
import type { FlashblockMessage } from '../sequencer/feed/message.ts';
import type { Replica, Senders } from '../sequencer/outside/replica.ts';
import { keccak256 } from '../state/keccak.ts';
import { checkAgainst, placeOf, planOf } from './message.ts';
import {
  type Ask,
  Behind,
  firstOf,
  hashAt,
  latestOf,
  PrunedAway,
  rawBlock,
  sendersOf,
} from './remote-chain.ts';
import { type BlockId, headStep, type Place, streamStep } from './sequence.ts';

/** Number of blocks that are fetched ahead of the block being executed. */
const AHEAD = 8;
/** Maximum number of restarts of {@link Follower.sync} when the other chain is reorganized meanwhile. */
const MAX_TRIES = 10;

/** A block whose result differs from the other node's. */
export interface Mismatch {
  readonly number: bigint;
  /** what differs, or why the block couldn't be executed */
  readonly reason: string;
}

export interface FollowerDeps {
  readonly chain: Chain;
  readonly replica: Replica;
  /** Called once per block. */
  readonly onMismatch: (mismatch: Mismatch) => void;
  /** Receives the progress of executing the missing blocks. */
  readonly onProgress?: OnProgress | undefined;
}

/** Keeps a chain equal to another node's, from its flashblocks, new heads and blocks. Calls must not overlap. */
export class Follower {
  readonly #deps: FollowerDeps;
  /** position of the last executed message of the stream */
  #place: Place | undefined;
  /** number of the last block that was reported as different */
  #reported: bigint | undefined;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
  }

  /** The caller must call this for a new connection: the stream may have changed meanwhile. */
  async restart(ask: Ask): Promise<void> {
    this.#place = undefined;
    await this.sync(ask);
  }

  /** Processes a message of the stream. */
  async message(message: FlashblockMessage, ask: Ask): Promise<void> {
    const place = placeOf(message);
    const step = streamStep(this.#place, place);
    if (step === 'duplicate' || step === 'wait') return;
    this.#place = undefined;
    if (step === 'clear') return this.#deps.replica.clear();
    // If the parent is missing, the message is ignored; a later message can begin a block.
    const ready = step === 'append' || (await this.#reach(hexToBytes(message.base!.parent_hash), ask));
    try {
      if (ready && (await this.#attempt(place.number, () => this.#run(message, ask)))) {
        this.#place = place;
        return;
      }
    } catch (error) {
      // The block was opened again in the meantime; its new messages follow.
      if (!(error instanceof Behind)) throw error;
    }
    await this.#deps.replica.clear();
  }

  /** Processes a new head of the other node. */
  async head(head: BlockId & { readonly parentHash: Uint8Array }, ask: Ask): Promise<void> {
    const { chain, replica } = this.#deps;
    const pending = replica.pending;
    const step = headStep(head, {
      latest: idOf(chain.latest),
      pending: pending && idOf(pending),
      hashOf: (number) => chain.hashOf(number),
    });
    if (step === 'known') return;
    const place = this.#place;
    this.#place = undefined;
    if (step === 'seal') return replica.seal();
    // If the head was replaced in the meantime, the pending block is still the current one.
    if (!(await this.sync(ask))) this.#place = place;
  }

  /**
   * Rolls back to the newest common block, and executes the other chain's blocks after it.
   * @returns whether the chain changed
   * @throws PrunedAway when the other node has pruned those blocks; the chain is unchanged then
   */
  async sync(ask: Ask): Promise<boolean> {
    const { chain, replica } = this.#deps;
    for (let tries = 0; ; tries++) {
      const head = await latestOf(ask);
      if (equalsBytes(head.hash, chain.latest.hash)) return tries > 0;
      try {
        const common = await this.#common(head.number, ask);
        if (common < chain.latest.header.number) await replica.rollback(common);
        // More blocks may have been sealed meanwhile, but after a mismatch it is useless to try them.
        if (!(await this.#adoptUpTo(head.number, ask))) return true;
      } catch (error) {
        const moved =
          error instanceof Behind || (error instanceof RpcError && !(error instanceof Unreachable));
        if (!moved || tries === MAX_TRIES) throw error;
      }
    }
  }

  /**
   * Finds the number of the newest common block. All blocks above a different one differ too, so the search goes downwards in steps that
   * double, and then by bisection.
   * @param head number of the other chain's head
   */
  async #common(head: bigint, ask: Ask): Promise<bigint> {
    const { chain } = this.#deps;
    const { number: own } = chain.latest.header;
    const newest = head < own ? head : own;
    const first = await firstOf(ask);
    // The hash of the block before the other node's first block is also known, from the parent hash.
    const lowest = first.number > chain.genesis ? first.number - 1n : chain.genesis;
    if (newest < lowest) throw new PrunedAway(newest + 1n);
    const agrees = async (number: bigint) => {
      if (number === chain.genesis) return true;
      const theirs = number === lowest ? first.parentHash : await hashAt(ask, number);
      if (!theirs) throw new Behind();
      return same(theirs, chain.hashOf(number));
    };
    let agreed = newest;
    let differs = newest + 1n;
    for (let step = 1n; !(await agrees(agreed)); step *= 2n) {
      if (agreed === lowest) throw new PrunedAway(lowest);
      differs = agreed;
      agreed = newest - step > lowest ? newest - step : lowest;
    }
    while (differs - agreed > 1n) {
      const between = (agreed + differs) / 2n;
      if (await agrees(between)) agreed = between;
      else differs = between;
    }
    return agreed;
  }

  async #adoptUpTo(last: bigint, ask: Ask): Promise<boolean> {
    const first = this.#deps.chain.latest.header.number + 1n;
    const fetched: Promise<Uint8Array>[] = [];
    let next = first;
    const fetch = () => {
      while (next <= last && fetched.length < AHEAD) {
        const raw = rawBlock(ask, next++);
        // The error is handled when the block is awaited.
        raw.catch(() => {});
        fetched.push(raw);
      }
    };
    const total = Number(last - first) + 1;
    for (let number = first; number <= last; number++) {
      const done = Number(number - first);
      this.#deps.onProgress?.({ task: 'Catching up', done, total, unit: 'blocks' });
      fetch();
      const raw = await fetched.shift()!;
      if (!(await this.#attempt(number, () => this.#adopt(number, ask, raw)))) return false;
    }
    return true;
  }

  async #adopt(number: bigint, ask: Ask, encoded: Uint8Array): Promise<void> {
    const { replica } = this.#deps;
    try {
      await replica.adopt(encoded);
    } catch (error) {
      if (!isMismatch(error)) throw error;
      if (error instanceof BadBlock && error.fault.field === 'parentHash') throw new Behind();
      // The sender of an impersonated transaction can't be recovered from the signature: the other node is asked for the senders.
      await replica.adopt(encoded, await sendersOf(ask, number));
    }
  }

  /** Catches up to a parent block if necessary. @returns whether a block with this parent can be opened */
  async #reach(parentHash: Uint8Array, ask: Ask): Promise<boolean> {
    const { chain, replica } = this.#deps;
    const isNext = () => equalsBytes(parentHash, chain.latest.hash);
    if (same(replica.pending?.hash, parentHash) || isNext()) return true;
    await this.sync(ask);
    return isNext();
  }

  /** Executes the message's transactions. If the result differs, tries again with the senders from the other node. */
  async #run(message: FlashblockMessage, ask: Ask): Promise<void> {
    const { replica } = this.#deps;
    const { base, diff } = message;
    const run = (senders?: Senders) => {
      const flashblock = {
        transactions: diff.transactions.map((raw) => hexToBytes(raw)),
        senders,
        check: (view: Parameters<typeof checkAgainst>[1]) => checkAgainst(message, view),
      };
      if (!base) return replica.extend(flashblock);
      const seal = same(replica.pending?.hash, hexToBytes(base.parent_hash));
      return replica.begin(planOf(base, diff), flashblock, { seal });
    };
    try {
      await run();
    } catch (error) {
      if (!isMismatch(error) || diff.transactions.length === 0) throw error;
      const senders = await sendersOf(ask, placeOf(message).number, { pending: true });
      const hashes = diff.transactions.map((raw) => bytesToHex(keccak256(hexToBytes(raw))));
      if (!hashes.every((hash) => senders.has(hash))) throw new Behind();
      await run(senders);
    }
  }

  /** @returns false when the result differs from the other node's; the difference is reported */
  async #attempt(number: bigint, task: () => Promise<void>): Promise<boolean> {
    try {
      await task();
      this.#reported = undefined;
      return true;
    } catch (error) {
      if (!isMismatch(error)) throw error;
      if (this.#reported !== number) {
        this.#reported = number;
        this.#deps.replica.mismatches++;
        this.#deps.onMismatch({ number, reason: error.message });
      }
      return false;
    }
  }
}

/** Whether an error means that a block can't be executed with the same result. An unreachable node doesn't mean that. */
function isMismatch(error: unknown): error is BadBlock | DevnetError {
  return error instanceof BadBlock || error instanceof DevnetError;
}

function idOf({ header, hash }: { header: { number: bigint }; hash: Uint8Array }): BlockId {
  return { number: header.number, hash };
}

function same(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one !== undefined && other !== undefined && equalsBytes(one, other);
}
