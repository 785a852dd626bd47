/** @returns fence and task of a position such as `2-17` */
export function parsed(position) {
  const [fence, task] = (position ?? '0-0').split('-').map(Number);
  return { fence, task };
}

export function isAtLeast(position, other) {
  const [a, b] = [parsed(position), parsed(other)];
  return a.fence > b.fence || (a.fence === b.fence && a.task >= b.task);
}

const isOfLeader = (entry, position) =>
  entry.position !== undefined && parsed(entry.position).fence === parsed(position).fence;

/** The acknowledged writes. Each write uses an account of its own, so that it can be checked. */
export class Ledger {
  /** `{ kind, address, value, hash, position, leader, at, isDurable, isExcused }`, in the order of the responses */
  entries = [];
  #next = 0;
  /** number of leaders that have ended */
  #ended = 0;

  /** Returns a new address. */
  address() {
    return `0x${'c1'.repeat(14)}${(++this.#next).toString(16).padStart(12, '0')}`;
  }

  get last() {
    return this.#next;
  }

  /** The caller must read this when it sends a write, for {@link add}. */
  get ended() {
    return this.#ended;
  }

  /** @param ended the value when the write was sent: a leader that has ended since then may not have written it */
  add(entry, ended) {
    this.entries.push({
      ...entry,
      at: performance.now(),
      isDurable: false,
      isExcused: ended !== this.#ended,
    });
  }

  /**
   * Redis has all writes of a leader up to a position that were acknowledged before `before`. Writes that an earlier leader acknowledged
   * may have been lost when this leader began.
   */
  kept(position, before) {
    for (const entry of this.entries)
      if (entry.at < before && isOfLeader(entry, position) && isAtLeast(position, entry.position))
        entry.isDurable = true;
  }

  /** Redis lost its data: the writes are only in the memory of nodes. */
  lost() {
    for (const entry of this.entries) entry.isDurable = false;
  }

  /** The leader ended or was replaced: acknowledged writes that aren't in Redis may be lost. */
  leaderChanged() {
    this.#ended++;
    for (const entry of this.entries) if (!entry.isDurable) entry.isExcused = true;
  }

  /** The chain went back. @param count number of entries at that point of the chain */
  goBack(count) {
    this.entries.length = count;
  }

  /** @returns the entries that a node lacks */
  async missing(member) {
    const { entries } = this;
    if (entries.length === 0) return [];
    const values = await member.askAll(
      entries.map(({ kind, address }) =>
        kind === 'slot'
          ? ['eth_getStorageAt', address, '0x0', 'pending']
          : ['eth_getBalance', address, 'pending'],
      ),
    );
    const missing = [];
    for (const [i, entry] of entries.entries()) {
      if (BigInt(values[i]) === BigInt(entry.value)) continue;
      // The transaction may still be in the mempool.
      if (entry.hash && (await member.call('eth_getTransactionByHash', entry.hash)) !== null) continue;
      missing.push(entry);
    }
    return missing;
  }
}
