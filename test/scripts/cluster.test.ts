import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
// @ts-expect-error a script without types
import { differenceOf } from '../../scripts/cluster/compare.mjs';
// @ts-expect-error a script without types
import { FAULTS, twoFaults } from '../../scripts/cluster/faults.mjs';
// @ts-expect-error a script without types
import { isAtLeast, Ledger } from '../../scripts/cluster/ledger.mjs';
// @ts-expect-error a script without types
import { TcpProxy } from '../../scripts/cluster/proxy.mjs';
// @ts-expect-error a script without types
import { Random } from '../../scripts/cluster/random.mjs';

describe('npm run test:cluster', () => {
  it('chooses the same faults by the same seed, and others by others', () => {
    const plans = (seed: number) => {
      const random = new Random(seed);
      return Array.from({ length: 10 }, () => twoFaults(random));
    };
    expect(plans(1)).toEqual(plans(1));
    expect(plans(1)).not.toEqual(plans(2));
    for (const [one, other] of plans(3)) expect(FAULTS[one!]!.on).not.toBe(FAULTS[other!]!.on);
  });

  it('comes to each fault within 500 seeds', () => {
    const met = new Set(Array.from({ length: 500 }, (_, seed) => twoFaults(new Random(seed))).flat());
    expect([...met].sort()).toEqual(Object.keys(FAULTS).sort());
  });

  it('finds the first answer that differs', () => {
    const view = { a: { x: 1 }, b: [1, 2] };
    expect(differenceOf(view, structuredClone(view))).toBeUndefined();
    expect(differenceOf(view, { ...view, b: [1, 3] })).toMatch(/^b: expected .*1,2.*got .*1,3/);
    expect(differenceOf(view, { a: view.a })).toMatch(/^b: /);
  });

  it('knows which acknowledged writes have to be there', () => {
    expect([isAtLeast('2-1', '1-9'), isAtLeast('1-9', '1-10'), isAtLeast('1-10', '1-10')]).toEqual([
      true,
      false,
      true,
    ]);
    const ledger = new Ledger();
    for (const position of ['1-1', '1-2', '1-3'])
      ledger.add({ kind: 'balance', address: ledger.address(), value: '0x1', position }, ledger.ended);
    ledger.kept('1-2', performance.now() + 1);
    const before = ledger.ended;
    ledger.leaderChanged();
    const excused = () => ledger.entries.map((entry: { isExcused: boolean }) => entry.isExcused);
    expect(excused()).toEqual([false, false, true]);
    ledger.lost();
    ledger.leaderChanged();
    expect(excused()).toEqual([true, true, true]);
    // Sent before the leader ended, and answered afterwards.
    ledger.add({ kind: 'balance', address: ledger.address(), value: '0x1', position: '1-4' }, before);
    ledger.add({ kind: 'balance', address: ledger.address(), value: '0x1', position: '2-1' }, ledger.ended);
    expect(excused()).toEqual([true, true, true, true, false]);
    ledger.goBack(1);
    expect(ledger.entries).toHaveLength(1);
  });

  it('has a proxy on which nothing passes in one direction, and all of it later', async () => {
    const server = createServer((socket) => socket.on('data', (bytes) => socket.write(`got ${bytes}`)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new TcpProxy((server.address() as AddressInfo).port);
    await proxy.open();
    const client = connect(proxy.port, '127.0.0.1');
    let received = '';
    client.on('data', (bytes) => {
      received += bytes;
    });
    client.write('a');
    await once(client, 'data');
    proxy.silence(['down']);
    client.write('b');
    // A connection of its own passes what is sent up, so what was sent before has passed too.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(received).toBe('got a');
    proxy.speak();
    await once(client, 'data');
    expect(received).toBe('got agot b');
    const closed = once(client, 'close');
    await proxy.refuse();
    await closed;
    const refused = connect(proxy.port, '127.0.0.1');
    expect(((await once(refused, 'error')) as [NodeJS.ErrnoException])[0].code).toBe('ECONNREFUSED');
    server.close();
  });
});
