// Makes a release of the committed state: its version, its section of CHANGELOG.md, a commit and a tag.
//   node scripts/release.mjs 0.2.0             then prints the commands that publish it
//   node scripts/release.mjs 0.2.0 --publish   and runs them: in CI, because npm's provenance needs it
//   node scripts/release.mjs 0.2.0 --dry-run   prints what it would do, and changes nothing
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { publish: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
});
const [version = ''] = positionals;
const tag = `v${version}`;
const PUBLISH = [
  'npm run build',
  'npm run test:package',
  `git push origin HEAD ${tag}`,
  'npm publish --provenance --access public',
];

const refusal = reasonAgainst(version);
if (refusal) {
  console.error(`error: ${refusal}`);
  process.exit(1);
}
for (const file of ['package.json', 'package-lock.json']) change(file, withVersion);
change('CHANGELOG.md', withSection);
run(`git commit --quiet --all --message "Release ${version}"`);
run(`git tag --annotate ${tag} --message ${tag}`);
if (flags.publish) for (const command of PUBLISH) run(command);
else console.log(`To publish it:\n${PUBLISH.map((command) => `  ${command}`).join('\n')}`);

function reasonAgainst(version) {
  const { version: current } = JSON.parse(readFileSync('package.json', 'utf8'));
  if (!/^\d+\.\d+\.\d+$/.test(version)) return `expected a version like 1.2.3, got '${version}'`;
  if (!isAbove(version, current)) return `${version} is not above ${current}`;
  if (output('git', 'status', '--porcelain')) return 'there are changes that are not committed';
  if (output('git', 'tag', '--list', tag)) return `the tag ${tag} is there already`;
  if (!unreleased(readFileSync('CHANGELOG.md', 'utf8')).trim())
    return 'CHANGELOG.md has nothing under Unreleased';
  if (flags.publish && !originRepository())
    return 'npm compares `repository` in package.json with where a package with provenance was built: git has no remote `origin` with an HTTPS address to take it from';
}

/** The remote to which git pushes, in the form of package.json's `repository`; `undefined` if it has no HTTPS address. */
function originRepository() {
  let remote;
  try {
    remote = output('git', 'remote', 'get-url', 'origin');
  } catch {
    return undefined;
  }
  // Converts git@github.com:owner/name.git and ssh://git@github.com/owner/name.git to HTTPS, as npm expects.
  const [, host, path] = /^(?:ssh:\/\/)?git@([^:/]+)[:/](.+)$/.exec(remote) ?? [];
  const url = host ? `https://${host}/${path}` : remote;
  return url.startsWith('https://') ? { type: 'git', url: `git+${url}` } : undefined;
}

function isAbove(version, other) {
  const [a, b] = [version, other].map((text) => text.split('.').map(Number));
  const at = a.findIndex((number, i) => number !== b[i]);
  return at >= 0 && a[at] > b[at];
}

function withVersion(text) {
  const json = JSON.parse(text);
  json.version = version;
  // In package-lock.json the project itself is one of the packages, too.
  if (json.packages) json.packages[''].version = version;
  else withRepository(json);
  return `${JSON.stringify(json, null, 2)}\n`;
}

/** Sets the repository: a fork that publishes under its own name has its own address in its package. */
function withRepository(json) {
  const repository = originRepository();
  if (!repository) return;
  json.repository = repository;
  json.bugs = { url: `${repository.url.replace(/^git\+|\.git$/g, '')}/issues` };
}

/** Moves the entries under Unreleased under the version and today's date. */
function withSection(text) {
  const today = new Date().toISOString().slice(0, 10);
  return text.replace('## Unreleased\n', `## Unreleased\n\n## ${version} (${today})\n`);
}

function unreleased(text) {
  return /^## Unreleased\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(text)?.[1] ?? '';
}

function change(file, edit) {
  console.log(`writes ${file}`);
  if (!flags['dry-run']) writeFileSync(file, edit(readFileSync(file, 'utf8')));
}

function run(command) {
  console.log(command);
  if (!flags['dry-run']) execFileSync(command, { shell: true, stdio: 'inherit' });
}

/** The output of a program. Errors of the program aren't printed. */
function output(program, ...args) {
  return execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' }).trim();
}
