import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { test } from 'vitest';
import { decodeAccessList } from '../../src/chain/access-list.ts';
import * as imp from '../../src/chain/import-block.ts';
import { CaseRunner } from '../../src/replay/consensus/run-case.ts';

const show = (x: unknown) => JSON.stringify(x, (_, v) => typeof v === 'bigint' ? `${v}` : v instanceof Uint8Array ? Buffer.from(v).toString('hex').replace(/^0{20,}/,'~') : v?.bytes instanceof Uint8Array ? Buffer.from(v.bytes).toString('hex') : v);
test('bal', async () => {
  const dir = '/work/shared/cases/eest/';
  const runner = await CaseRunner.create();
  for (const file of readdirSync(dir).filter((f) => f.startsWith(process.env.PRE ?? 'amsterdam.') && f.endsWith('.gz'))) {
    const json = JSON.parse(gunzipSync(readFileSync(dir + file)).toString());
    for (const [name, fixture] of Object.entries(json) as any) {
      if (!name.includes(process.env.ONLY!)) continue;
      (globalThis as any).LIST = [];
      const result = await runner.run(fixture);
      if (result.pass) continue;
      console.log(name, result.error);
      const i = Number(result.error?.match(/blocks\[(\d+)/)?.[1] ?? 0);
      console.log('WANT'); for (const a of fixture.blocks[i].blockAccessList) console.log(JSON.stringify(a).replaceAll(/0x0{20,}/g,'~'));
      console.log('GOT'); for (const l of (globalThis as any).LIST.slice(-1)) for (const a of decodeAccessList(l)) console.log(show(a));
      console.log(JSON.stringify(fixture.blocks[i].gas), JSON.stringify(fixture.blocks[i].requests));
      const { rlp, blockAccessList, gas, ...rest } = fixture.blocks[i];
      console.log(JSON.stringify(fixture.pre).slice(0, 3000));
    }
  }
}, 600_000);
