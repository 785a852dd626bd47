import { expect, test } from 'vitest';
import { createNode } from '../../src/boot/node.ts';
import { DevnetError } from '../../src/errors.ts';
import { resolveOptions } from '../../src/options/options.ts';
import type { Member } from '../../src/rpc/member.ts';

test('a call whose turn comes when the lease is over is refused, and is not in the log, where followers would execute it', async () => {
  let halt: DevnetError | undefined;
  const member = { isLeader: true, position: '1-0', haltReason: () => halt, resumed: async () => {} };
  const tasks: string[] = [];
  const node = await createNode(resolveOptions({ automine: true }), {
    version: 'test',
    onFatal: () => {},
    member: member as Partial<Member> as Member,
    log: { task: (lines) => tasks.push(lines.join('\n')) },
  });
  const call = (method: string, ...params: unknown[]) => node.provider.request({ method, params });
  const address = `0x${'77'.repeat(20)}`;
  const mining = call('anvil_mine', '0x3');
  // Waits until that is done.
  const refused = expect(call('anvil_setBalance', address, '0x7')).rejects.toMatchObject({ code: -32000 });
  halt = new DevnetError('server', { reason: 'the lease is over' });
  await mining;
  await refused;
  halt = undefined;
  expect(await call('eth_blockNumber')).toBe('0x3');
  expect(await call('eth_getBalance', address)).toBe('0x0');
  await call('anvil_setBalance', address, '0x8');
  await node.close();
  const calls = tasks.flatMap((task) => [...task.matchAll(/"call":"(\w+)","params":\[([^\]]*)\]/g)]);
  expect(calls.map(([, name, params]) => `${name} ${params}`)).toEqual([
    'anvil_mine "0x3"',
    `anvil_setBalance "${address}","0x8"`,
  ]);
});
