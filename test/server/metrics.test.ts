import { expect, test } from 'vitest';
import { liveNode } from '../live-node.ts';

test('/healthz answers, and /metrics counts blocks, ticks and calls for Prometheus', async () => {
  const live = await liveNode();
  const http = live.node.url!;
  const health = await fetch(`${http}/healthz`);
  expect([health.status, await health.text()]).toEqual([200, 'ok\n']);
  await live.send();
  await live.tick();
  const preconfirmed = await (await fetch(`${http}/metrics`)).text();
  expect(preconfirmed).toMatch(/^devnet_preconfirmed_transactions 1$/m);
  await live.seal();
  await live.call('eth_nope').catch(() => {});
  const response = await fetch(`${http}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain');
  const text = await response.text();
  expect(text).toMatch(/^# TYPE devnet_ticks_total counter$/m);
  expect(text).toMatch(/^devnet_head_block 1$/m);
  expect(text).toMatch(/^devnet_mempool_transactions 0$/m);
  expect(text).toMatch(/^devnet_ticks_total 10$/m);
  expect(text).toContain('devnet_rpc_requests_total{method="devnet_seal",result="ok"} 1');
  expect(text).toContain('devnet_rpc_requests_total{method="unknown",result="error"} 1');
  const posted = await fetch(`${http}/metrics`, { method: 'POST', body: '{}' });
  expect(posted.status).toBe(404);
  await live.close();
});
