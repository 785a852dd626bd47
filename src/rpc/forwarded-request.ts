/** What a follower notes about a request whose calls it forwarded to the leader of its log. */
export class ForwardedRequest {
  #unreached: string | undefined;

  /** The leader's position after the last forwarded call whose effects aren't in this node's chain yet; `undefined` = there is none. */
  get unreached(): string | undefined {
    return this.#unreached;
  }

  /** @param position the leader's position after a forwarded call, if this node hasn't reached it in time */
  noteUnreached(position: string): void {
    this.#unreached = position;
  }
}
