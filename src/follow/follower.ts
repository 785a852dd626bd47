import { bytesToHex, equalsBytes, hexToBytes } from '@ethereumjs/util';
import { BadBlock } from '../chain/block-fault.ts';
import type { Chain } from '../chain/chain.ts';
import { DevnetError } from '../errors.ts';
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

/** Blocks fetched ahead of the one that is being executed. */
const AHEAD = 8;
/** A chain that is reorganised while it is read is read again, so many times. */
const MOST_TRIES = 10;

/** A block came out otherwise here than the other node says. */
export interface Mismatch {
  readonly number: bigint;
  /** what differs, or what couldn't be executed */
  readonly reason: string;
}

export interface FollowerDeps {
  readonly chain: Chain;
  readonly replica: Replica;
  /** Each block once. */
  readonly onMismatch: (mismatch: Mismatch) => void;
}

/** Keeps a chain like another node's: by the messages of its stream, its heads, and its blocks. Calls don't overlap. */
export class Follower {
  readonly #deps: FollowerDeps;
  /** where the stream was last followed */
  #place: Place | undefined;
  /** the block that differed last */
  #told: bigint | undefined;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
  }

  /** A new connection: what was pending may go on otherwise. */
  async restart(ask: Ask): Promise<void> {
    this.#place = undefined;
    await this.sync(ask);
  }

  /** A message of the stream. */
  async message(message: FlashblockMessage, ask: Ask): Promise<void> {
    const place = placeOf(message);
    const step = streamStep(this.#place, place);
    if (step === 'duplicate' || step === 'wait') return;
    this.#place = undefined;
    if (step === 'clear') return this.#deps.replica.clear();
    // Without its parent it is passed over: a later message begins.
    const ready = step === 'append' || (await this.#reach(hexToBytes(message.base!.parent_hash), ask));
    try {
      if (ready && (await this.#attempt(place.number, () => this.#run(message, ask)))) {
        this.#place = place;
        return;
      }
    } catch (error) {
      // Its block was begun anew since: the message that says so comes.
      if (!(error instanceof Behind)) throw error;
    }
    await this.#deps.replica.clear();
  }

  /** A sealed block of the other node. */
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
    // A head that was replaced since says nothing of what is pending now.
    if (!(await this.sync(ask))) this.#place = place;
  }

  /**
   * Rolls back to the newest block that both have, and takes over those after it.
   * @returns whether anything was to be done
   * @throws PrunedAway when they are gone there; the chain then stays as it is
   */
  async sync(ask: Ask): Promise<boolean> {
    const { chain, replica } = this.#deps;
    for (let tries = 0; ; tries++) {
      const head = await latestOf(ask);
      if (equalsBytes(head.hash, chain.latest.hash)) return tries > 0;
      try {
        const common = await this.#common(head.number, ask);
        if (common < chain.latest.header.number) await replica.rollback(common);
        // Another block may be sealed meanwhile, but what differs stays different.
        if (!(await this.#adoptUpTo(head.number, ask))) return true;
      } catch (error) {
        const moved =
          error instanceof Behind || (error instanceof RpcError && !(error instanceof Unreachable));
        if (!moved || tries === MOST_TRIES) throw error;
      }
    }
  }

  /**
   * Number of the newest block that both have. Blocks that differ have nothing but such above them, so it is looked for
   * in steps that double, and then between the last two.
   * @param head of the other chain's head
   */
  async #common(head: bigint, ask: Ask): Promise<bigint> {
    const { chain } = this.#deps;
    const { number: own } = chain.latest.header;
    const newest = head < own ? head : own;
    const first = await firstOf(ask);
    // What comes before the first block is known by its hash alone: enough to go on from there.
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
        // Looked at when its turn comes.
        raw.catch(() => {});
        fetched.push(raw);
      }
    };
    for (let number = first; number <= last; number++) {
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
      // The signature of an impersonated sender says nothing: only the other node knows who it was.
      await replica.adopt(encoded, await sendersOf(ask, number));
    }
  }

  /** @returns whether a block with this parent can begin */
  async #reach(parentHash: Uint8Array, ask: Ask): Promise<boolean> {
    const { chain, replica } = this.#deps;
    const isNext = () => equalsBytes(parentHash, chain.latest.hash);
    if (same(replica.pending?.hash, parentHash) || isNext()) return true;
    await this.sync(ask);
    return isNext();
  }

  /** Executes what a message adds; once more with the senders that the other node knows, where it comes out otherwise. */
  async #run(message: FlashblockMessage, ask: Ask): Promise<void> {
    const { replica } = this.#deps;
    const { base, diff } = message;
    const run = (senders?: Senders) => {
      const index = {
        transactions: diff.transactions.map((raw) => hexToBytes(raw)),
        senders,
        check: (view: Parameters<typeof checkAgainst>[1]) => checkAgainst(message, view),
      };
      if (!base) return replica.extend(index);
      const seal = same(replica.pending?.hash, hexToBytes(base.parent_hash));
      return replica.begin(planOf(base, diff), index, { seal });
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

  /** @returns whether it came out as the other node says */
  async #attempt(number: bigint, task: () => Promise<void>): Promise<boolean> {
    try {
      await task();
      this.#told = undefined;
      return true;
    } catch (error) {
      if (!isMismatch(error)) throw error;
      if (this.#told !== number) {
        this.#told = number;
        this.#deps.replica.mismatches++;
        this.#deps.onMismatch({ number, reason: error.message });
      }
      return false;
    }
  }
}

/** What a block that can't be executed to the same end throws; an unreachable node is no such thing. */
function isMismatch(error: unknown): error is BadBlock | DevnetError {
  return error instanceof BadBlock || error instanceof DevnetError;
}

function idOf({ header, hash }: { header: { number: bigint }; hash: Uint8Array }): BlockId {
  return { number: header.number, hash };
}

function same(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one !== undefined && other !== undefined && equalsBytes(one, other);
}
