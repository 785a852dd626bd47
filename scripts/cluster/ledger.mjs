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

  /** An address that nobody has used. */
  address() {
    return `0x${'c1'.repeat(14)}${(++this.#next).toString(16).padStart(12, '0')}`;
  }

  get last() {
    return this.#next;
  }

  add(entry) {
    this.entries.push({ ...entry, at: performance.now(), isDurable: false, isExcused: false });
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
    for (const entry of this.entries) if (!entry.isDurable) entry.isExcused = true;
  }

  /** The chain went back. @param count of entries that were there then */
  goBack(count) {
    this.entries.length = count;
  }

  /** @returns the entries that a node doesn't have */
  async missing(member) {
    const missing = [];
    for (const entry of this.entries) if (!(await has(member, entry))) missing.push(entry);
    return missing;
  }
}

async function has(member, { kind, address, value, hash }) {
  if (kind === 'slot')
    return BigInt(await member.call('eth_getStorageAt', address, '0x0', 'pending')) === BigInt(value);
  if (BigInt(await member.call('eth_getBalance', address, 'pending')) === BigInt(value)) return true;
  // It may still wait.
  return hash !== undefined && (await member.call('eth_getTransactionByHash', hash)) !== null;
}
