import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Explorer } from '../../src/server/explorer.ts';
import { ArtifactFolder } from '../../src/sources/artifact-folder.ts';
import { raw, start, stopServersAfterEachTest } from './start-server.ts';

stopServersAfterEachTest();

const folder = mkdtempSync(join(tmpdir(), 'devnet-explorer-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>devnet</title>');
writeFileSync(join(folder, 'index-a1B2.js'), 'export {};');
writeFileSync(join(folder, 'secret.txt'), 'not served');

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const startWithPage = (options = {}) =>
  start(options, {
    explorer: new Explorer({ folder: pathToFileURL(`${folder}/`) }, { artifacts: new ArtifactFolder() }),
  });

describe('GET /', () => {
  it('is the page for a browser, with its policy, and a text for curl', async () => {
    const { url } = await startWithPage();
    const page = await fetch(url, { headers: HTML });
    expect(await page.text()).toContain('<title>devnet</title>');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('vary')).toBe('accept');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(await (await fetch(url)).text()).toMatch(/^devnet: a private Ethereum L2 chain/);
  });

  it('is the text for everybody without the page, or where it is not built', async () => {
    for (const explorer of [
      undefined,
      new Explorer({ folder: pathToFileURL(`${folder}/nowhere/`) }, { artifacts: new ArtifactFolder() }),
    ]) {
      const { url } = await start({}, { explorer });
      const answer = await fetch(url, { headers: HTML });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
      expect((await fetch(`${url}explorer/index-a1B2.js`)).status).toBe(404);
    }
  });

  it('is refused for a foreign host name', async () => {
    const { port } = await startWithPage();
    const answer = await raw(
      port,
      'GET / HTTP/1.1\r\nHost: evil.test\r\nAccept: text/html\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
    expect(answer).not.toContain('<title>');
  });
});

describe('/explorer/', () => {
  it('has scripts that browsers may keep', async () => {
    const { url } = await startWithPage();
    const asset = await fetch(`${url}explorer/index-a1B2.js`);
    expect([asset.status, await asset.text()]).toEqual([200, 'export {};']);
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const head = await fetch(`${url}explorer/index-a1B2.js`, { method: 'HEAD' });
    expect([head.headers.get('content-length'), await head.text()]).toEqual(['10', '']);
  });

  it.each(['secret.txt', 'index.html', 'gone.js', '', '..%2fsecret.txt', '%2e%2e/package.json', 'a/b.js'])(
    'has no %s',
    async (name) => {
      const { url } = await startWithPage();
      expect((await fetch(`${url}explorer/${name}`)).status).toBe(404);
    },
  );
});

describe('/explorer/artifacts.json', () => {
  it('has the compiled contracts of a folder, for the page only', async () => {
    const artifacts = join(folder, 'artifacts');
    const write = (path: string, json: unknown) => {
      mkdirSync(dirname(join(artifacts, path)), { recursive: true });
      writeFileSync(join(artifacts, path), typeof json === 'string' ? json : JSON.stringify(json));
    };
    const abi = [{ type: 'function', name: 'f', inputs: [], outputs: [] }];
    write('contracts/A.sol/A.json', { contractName: 'A', abi, bytecode: '0x6000', deployedBytecode: '0x00' });
    write('contracts/A.sol/A.dbg.json', { buildInfo: '../..' });
    write('build-info/1.json', { abi });
    write('B.sol/B.json', { abi, deployedBytecode: { object: '0x01', immutableReferences: {} } });
    write('broken.json', '{');
    write('null.json', 'null');
    const { url } = await start(
      {},
      { explorer: new Explorer({}, { artifacts: new ArtifactFolder({ folder: artifacts }) }) },
    );
    const answer = await fetch(`${url}explorer/artifacts.json`);
    expect(await answer.json()).toEqual([
      { file: join('B.sol', 'B.json'), abi, deployedBytecode: { object: '0x01', immutableReferences: {} } },
      { file: join('contracts', 'A.sol', 'A.json'), contractName: 'A', abi, deployedBytecode: '0x00' },
    ]);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is empty without such a folder', async () => {
    const { url } = await start(
      {},
      { explorer: new Explorer({}, { artifacts: new ArtifactFolder({ folder: join(folder, 'nowhere') }) }) },
    );
    expect(await (await fetch(`${url}explorer/artifacts.json`)).json()).toEqual([]);
  });
});
