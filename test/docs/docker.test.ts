import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { longNames } from '../../src/cli/flags.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the image runs devnet as another user than root, and asks /healthz how it is', () => {
  const [, last] = read('Dockerfile').split('\nFROM ').slice(-2);
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^HEALTHCHECK [\s\S]*\/healthz/m);
  expect(last).toMatch(/^ENTRYPOINT \["\/app\/node_modules\/.bin\/devnet"\]$/m);
});

test('compose starts a leader and two followers with flags that there are, and the balancer names them', () => {
  const services = read('docker/compose.yaml').split(/^ {2}(?=[a-z])/m);
  const nodes = services.filter((text) => text.includes('--advertise'));
  expect(nodes.map((text) => text.split(':', 1)[0])).toEqual(['leader', 'follower-1', 'follower-2']);
  for (const text of nodes) {
    const [, command] = /command: (\[.*\])/.exec(text)!;
    const args = JSON.parse(command!) as string[];
    const flags = args.filter((arg) => arg.startsWith('--'));
    expect(flags.filter((flag) => ![...longNames()].includes(flag))).toEqual([]);
    const name = text.split(':', 1)[0]!;
    expect(args).toContain(`http://${name}:8545`);
    expect(args[0] === 'follow').toBe(name !== 'leader');
    expect(read('docker/haproxy.cfg')).toContain(`server ${name} ${name}:8545`);
  }
});
