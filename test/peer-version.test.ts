import { expect, it } from 'vitest';
import { checkPeer } from '../src/peer-version.ts';

it.each([
  ['vitest', '3.2.0'],
  ['vitest', '5.1.1'],
  ['hardhat', '3.18.0'],
  ['bullmq', '6.0.0'],
  ['@redis/client', '7.0.0-beta.1'],
] as const)('%s %s is new enough', (name, version) => {
  checkPeer(name, () => version);
});

it.each([
  ['vitest', '3.1.4', /^devnet\/vitest needs vitest 3\.2 or later, and this project has vitest 3\.1\.4: /],
  ['hardhat', '2.28.6', /^devnet\/hardhat needs hardhat 3\.0 or later, .* 2\.28\.6: .*--compat hardhat2/],
  ['bullmq', '5.81.2', /^a queue of replays needs bullmq 6\.0 or later, .* 5\.81\.2: npm install bullmq@6$/],
  ['@redis/client', '5.0.0', /needs @redis\/client 6\.0 or later/],
] as const)('%s %s is refused in one sentence that names both versions', (name, version, sentence) => {
  expect(() => checkPeer(name, () => version)).toThrow(sentence);
});

it('a package that is not there is no error of its version', () => {
  checkPeer('hardhat', () => undefined);
});
