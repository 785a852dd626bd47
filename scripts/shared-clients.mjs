// Runs the tests of test/clients, viem's and ethers', on a chain of three nodes: once on its leader, once on each of two followers.
// Needs redis-server.
import { spawnSync } from 'node:child_process';
import { startRedis } from './bench/scale.mjs';

const redis = await startRedis();
let failed = 0;
for (const index of [0, 1, 2]) {
  console.log(index === 0 ? 'the leader' : `follower ${index}`);
  const args = ['vitest', 'run', 'test/clients', '--no-file-parallelism', ...process.argv.slice(2)];
  const env = { ...process.env, DEVNET_SHARED: `${index} ${redis.url}` };
  failed += spawnSync('npx', args, { stdio: 'inherit', env }).status === 0 ? 0 : 1;
}
await redis.stop();
process.exit(failed === 0 ? 0 : 1);
