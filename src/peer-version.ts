import { createRequire } from 'node:module';

/** A package that devnet uses where the project has it. */
interface Peer {
  /** the first major and minor version that devnet works with */
  readonly oldest: readonly [major: number, minor: number];
  /** what uses it */
  readonly user: string;
  /** what to do with an older one */
  readonly advice: string;
}

const PEERS = {
  vitest: { oldest: [3, 2], user: 'devnet/vitest', advice: 'npm install -D vitest' },
  hardhat: {
    oldest: [3, 0],
    user: 'devnet/hardhat',
    advice:
      "start `npx devnet --compat hardhat2` and add its address to Hardhat 2's networks (docs/drop-in.md)",
  },
  '@redis/client': { oldest: [6, 0], user: 'a chain in Redis', advice: 'npm install @redis/client@6' },
  bullmq: { oldest: [6, 0], user: 'a queue of replays', advice: 'npm install bullmq@6' },
} as const satisfies Readonly<Record<string, Peer>>;

/**
 * Checks the version of a package that the project has. package.json names no ranges for these packages: npm would refuse to
 * install devnet beside an older one, even where nothing uses the two together.
 * @throws Error in one sentence that names both versions, when it is too old. A package that isn't there is no error here
 */
export function checkPeer(name: keyof typeof PEERS, versionOf = installedVersion): void {
  const version = versionOf(name);
  if (version === undefined) return;
  const { oldest, user, advice }: Peer = PEERS[name];
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  throw new Error(
    `${user} needs ${name} ${oldest.join('.')} or later, and this project has ${name} ${version}: ${advice}`,
  );
}

function installedVersion(name: string): string | undefined {
  try {
    const { version } = createRequire(import.meta.url)(`${name}/package.json`) as { version: string };
    return version;
  } catch {
    return undefined;
  }
}
