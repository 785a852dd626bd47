/** What a follower notes about a request whose calls it forwarded to the leader of its log. */
export class Passage {
  #ahead: string | undefined;

  /** The leader's position after the last forwarded call whose effects aren't in this node's chain yet; `undefined` = there is none. */
  get ahead(): string | undefined {
    return this.#ahead;
  }

  /** @param position the leader's position after a forwarded call, if this node hasn't reached it in time */
  isAhead(position: string): void {
    this.#ahead = position;
  }
}
