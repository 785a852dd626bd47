import { readFileSync, statSync } from 'node:fs';

/**
 * The process that holds the lock of a file, if the system reports it: Linux lists locks in `/proc/locks`.
 * @returns its id; `undefined` if unknown, or if the process is in another container
 */
export function lockHolder(path: string): number | undefined {
  try {
    const { ino } = statSync(path);
    // 1: POSIX  ADVISORY  WRITE 4242 08:01:1234567 0 EOF
    const row = new RegExp(`^\\d+: POSIX +\\w+ +WRITE (\\d+) [\\da-f]+:[\\da-f]+:${ino} `, 'm');
    const [, pid] = row.exec(readFileSync('/proc/locks', 'utf8')) ?? [];
    return Number(pid) || undefined;
  } catch {
    return undefined;
  }
}
