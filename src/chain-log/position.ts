/** A place in the log. Written as `fence-task`, which is also the id of the stream's entry that ends with the task. */
export interface Position {
  /** number of the leader that wrote the task; grows with each leader */
  readonly fence: number;
  /** number of the task among those of that leader, from 1; 0 = the leader has begun */
  readonly task: number;
}

/** Before the first task. */
export const START: Position = { fence: 0, task: 0 };

export function textOf({ fence, task }: Position): string {
  return `${fence}-${task}`;
}

/** @returns `undefined` when the text is no position */
export function positionOf(text: string): Position | undefined {
  const [, fence, task] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  return fence === undefined ? undefined : { fence: Number(fence), task: Number(task) };
}

/** Whether a chain at `position` has what one at `other` has, as far as that is in the log. */
export function hasReached(position: Position, other: Position): boolean {
  return position.fence > other.fence || (position.fence === other.fence && position.task >= other.task);
}
