/** What a follower notes of a request, of which it has passed on calls to the leader of its log. */
export class Passage {
  #ahead: string | undefined;

  /** The leader's position after the last call whose effects aren't in the chain here yet; `undefined` = all are. */
  get ahead(): string | undefined {
    return this.#ahead;
  }

  /** @param position of the leader after a call that was passed on, which this node hasn't reached in time */
  isAhead(position: string): void {
    this.#ahead = position;
  }
}
