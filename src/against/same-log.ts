import { equalsBytes } from '@ethereumjs/util';
import type { Log } from '../protocol/types.ts';

/** Whether two logs have the same address, topics and data. */
export function isSameLog(log: Log, other: Log): boolean {
  return (
    log.address.equals(other.address) &&
    equalsBytes(log.data, other.data) &&
    log.topics.length === other.topics.length &&
    log.topics.every((topic, i) => equalsBytes(topic, other.topics[i]!))
  );
}
