// Runs the tests of test/clients, with viem and ethers, on a chain of three nodes: once on its leader, once on each of two followers, and
// once on a load balancer that assigns each connection to the next node. Needs redis-server.
import { spawnSync } from 'node:child_process';
import { startRedis } from './bench/scale.mjs';

const redis = await startRedis();
let failed = 0;
for (const [which, title] of [
  ['0', 'the leader'],
  ['1', 'follower 1'],
  ['2', 'follower 2'],
  ['any', 'each connection another one'],
]) {
  console.log(title);
  const args = ['vitest', 'run', 'test/clients', '--no-file-parallelism', ...process.argv.slice(2)];
  const env = { ...process.env, DEVNET_SHARED: `${which} ${redis.url}` };
  failed += spawnSync('npx', args, { stdio: 'inherit', env }).status === 0 ? 0 : 1;
}
await redis.stop();
process.exit(failed === 0 ? 0 : 1);
