import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
let dir: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.invalid', ...args], {
    cwd: dir,
    encoding: 'utf8',
  }).trim();
const read = (file: string) => readFileSync(join(dir, file), 'utf8');

/** Runs the script in a repository that has the files which it changes, and no remote. */
function release(...args: string[]) {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: join(dir, '.git/names'), GIT_CONFIG_NOSYSTEM: '1' };
  return spawnSync(process.execPath, [join(root, 'scripts/release.mjs'), ...args], {
    cwd: dir,
    env,
    encoding: 'utf8',
  });
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-release-'));
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, file), join(dir, file));
  writeFileSync(
    join(dir, 'CHANGELOG.md'),
    '# Changelog\n\n## Unreleased\n\n- Something new.\n\n## 0.0.1\n\n- Old.\n',
  );
  git('init', '--quiet');
  writeFileSync(join(dir, '.git/names'), '[user]\n  name = test\n  email = test@example.invalid\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('moves the changelog, writes the version, commits, tags, and only prints how to publish', () => {
  const { status, stdout } = release('99.0.0');
  expect(status).toBe(0);
  expect(read('CHANGELOG.md')).toMatch(
    /^# Changelog\n\n## Unreleased\n\n## 99\.0\.0 \(\d{4}-\d\d-\d\d\)\n\n- Something new\.\n\n## 0\.0\.1\n/,
  );
  const before = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  before.version = before.packages[''].version = '99.0.0';
  expect(JSON.parse(read('package-lock.json'))).toEqual(before);
  expect(JSON.parse(read('package.json'))).toMatchObject({ name: 'devnet', version: '99.0.0' });
  expect(git('status', '--porcelain')).toBe('');
  expect(git('describe')).toBe('v99.0.0');
  expect(stdout.split('\n').at(-2)).toBe('  npm publish --provenance --access public');
});

it.each([
  ['https://github.com/owner/name.git', 'git+https://github.com/owner/name.git'],
  ['git@github.com:owner/name.git', 'git+https://github.com/owner/name.git'],
  ['ssh://git@gitlab.com/group/name.git', 'git+https://gitlab.com/group/name.git'],
])('takes the repository from the remote %s', (remote, url) => {
  git('remote', 'add', 'origin', remote);
  expect(release('99.0.0').status).toBe(0);
  const { repository, bugs } = JSON.parse(read('package.json'));
  expect(repository).toEqual({ type: 'git', url });
  expect(bugs.url).toBe(url.replace('git+', '').replace(/\.git$/, '/issues'));
});

it('keeps the repository that package.json has where git has no remote', () => {
  const { repository, bugs } = JSON.parse(read('package.json'));
  expect(release('99.0.0').status).toBe(0);
  expect(JSON.parse(read('package.json'))).toMatchObject({ repository, bugs });
  expect(repository.url).toMatch(/^git\+https:/);
});

it.each([
  ['no remote', undefined],
  ['a remote on this machine', '/srv/git/name.git'],
])('refuses to publish with %s', (_, remote) => {
  if (remote) git('remote', 'add', 'origin', remote);
  const { status, stderr } = release('99.0.0', '--publish', '--dry-run');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^error: npm compares `repository`/);
});

it('a dry run says the same, publishing included, and changes nothing', () => {
  const head = git('rev-parse', 'HEAD');
  const { status, stdout } = release('99.0.0', '--dry-run');
  expect(status).toBe(0);
  expect(stdout).toContain('git commit');
  expect(stdout).toContain('npm publish --provenance');
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual([head, '', '']);
});

it.each([
  ['a version that is none', 'next', () => {}],
  ['a version that is not above the last', '0.0.9', () => {}],
  ['changes that are not committed', '99.0.0', () => appendFileSync(join(dir, 'CHANGELOG.md'), '\n')],
  ['a tag that is there', '99.0.0', () => git('tag', 'v99.0.0')],
  [
    'an empty changelog',
    '99.0.0',
    () => {
      writeFileSync(join(dir, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n## 0.0.1\n\n- Old.\n');
      git('commit', '--quiet', '--all', '--message', 'second');
    },
  ],
])('refuses %s', (_, version, prepare) => {
  prepare();
  const head = git('rev-parse', 'HEAD');
  const { status, stderr } = release(version);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^error: /);
  expect(git('rev-parse', 'HEAD')).toBe(head);
});
