import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { test } from 'vitest';
import { CaseRunner } from '../../src/replay/consensus/run-case.ts';

test('eest', async () => {
  const dir = '/work/shared/cases/eest/';
  const runner = await CaseRunner.create();
  let pass = 0, fail = 0;
  const kinds = new Map<string, number>();
  for (const file of readdirSync(dir).filter((f) => f.startsWith(process.env.PRE ?? 'amsterdam.') && f.endsWith('.gz'))) {
    const json = JSON.parse(gunzipSync(readFileSync(dir + file)).toString());
    for (const [name, fixture] of Object.entries(json) as any) {
      if (name === '_info' || !Array.isArray(fixture.blocks)) continue;
      if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
      const result = await runner.run(fixture);
      if (result.pass) pass++;
      else {
        fail++;
        const key = `${file} ${result.error!.slice(0, 60)}`;
        kinds.set(key, (kinds.get(key) ?? 0) + 1);
        if (fail <= Number(process.env.SHOW ?? 30)) console.log(file, name.slice(-150), '\n   ', result.error!.slice(0, 300));
      }
    }
  }
  console.log({ pass, fail });
}, 600_000);
