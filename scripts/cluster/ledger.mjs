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

/** What was acknowledged: each write has an account of its own, so that it can be looked for. */
export class Ledger {
  /** `{ kind, address, value, hash, position, leader, at, isDurable, isExcused }`, in the order of their answers */
  entries = [];
  #next = 0;
  /** how many leaders have ended */
  #ended = 0;

  /** An address that nobody has used. */
  address() {
    return `0x${'c1'.repeat(14)}${(++this.#next).toString(16).padStart(12, '0')}`;
  }

  get last() {
    return this.#next;
  }

  /** To be read when a write is sent, for {@link add}. */
  get ended() {
    return this.#ended;
  }

  /** @param ended as it was when the write was sent: a leader that has ended since then may not have written it, however late the answer comes */
  add(entry, ended) {
    this.entries.push({
      ...entry,
      at: performance.now(),
      isDurable: false,
      isExcused: ended !== this.#ended,
    });
  }

  /**
   * All of a leader up to a position is in Redis, and was answered before `before`. What an earlier leader answered may have been lost
   * when this one began.
   */
  kept(position, before) {
    for (const entry of this.entries)
      if (entry.at < before && isOfLeader(entry, position) && isAtLeast(position, entry.position))
        entry.isDurable = true;
  }

  /** Redis lost what it had: it is in the memory of nodes only. */
  lost() {
    for (const entry of this.entries) entry.isDurable = false;
  }

  /** The leader that has answered ended, or was replaced: what isn't in Redis may be lost. */
  leaderChanged() {
    this.#ended++;
    for (const entry of this.entries) if (!entry.isDurable) entry.isExcused = true;
  }

  /** The chain went back. @param count of entries that were there then */
  goBack(count) {
    this.entries.length = count;
  }

  /** @returns the entries that a node doesn't have */
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
      // It may still wait.
      if (entry.hash && (await member.call('eth_getTransactionByHash', entry.hash)) !== null) continue;
      missing.push(entry);
    }
    return missing;
  }
}
