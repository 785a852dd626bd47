// What a report says that transactions come to at amsterdam, beside what they came to on a chain of amsterdam.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { id } from 'ethers';
import { DEVNET } from '../nodes.mjs';

const WATCH = resolve(import.meta.dirname, 'watch.mjs');
/** Gas for a call of what fails with any limit: the most that a call has. */
const MAX_GAS = 200_000_000;
/** Functions that devnet names without an artifact, by selector. */
const NAMES = Object.fromEntries(
  [
    'transfer(address,uint256)',
    'approve(address,uint256)',
    'transferFrom(address,address,uint256)',
    'setApprovalForAll(address,bool)',
    'safeTransferFrom(address,address,uint256,uint256,bytes)',
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
  ].map((signature) => [id(signature).slice(0, 10), signature.replace(/\(.*/, '')]),
);

/**
 * Runs a suite at osaka against amsterdam, and once more at amsterdam.
 * @param suite.command with its arguments, `cwd` and `env`
 * @returns the report; the exit code of the suite at amsterdam, and what it printed; of each transaction at osaka what is told and what
 * happened; and where they differ
 */
export async function confirm({ command, flags = [], ...options }) {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-confirm-'));
  try {
    const file = (name) => join(folder, name);
    mkdirSync(file('no-artifacts'));
    // Rows are named by address and selector then, which are in the transactions, too.
    const chain = ['--artifacts', file('no-artifacts'), '--silent', ...flags];
    const against = ['--against', 'amsterdam', '--against-report', file('report.json')];
    const osaka = ['--hardfork', 'osaka', ...against];
    const now = await run([...osaka, ...chain], file('now.json'), command, options);
    if (now.status !== 0) throw new Error(`the suite fails at osaka:\n${now.output}`);
    const report = JSON.parse(readFileSync(file('report.json'), 'utf8'));
    const told = new Map(report.different.map((one) => [one.hash, one]));
    const tries = {};
    for (const transaction of now.transactions) {
      const { verdict, needs } = told.get(transaction.hash) ?? {};
      if (verdict === 'fails with any' || needs !== undefined)
        tries[keyOf(transaction)] = `0x${(needs ?? MAX_GAS).toString(16)}`;
    }
    const amsterdam = ['--hardfork', 'amsterdam', ...chain];
    const env = { ...options.env, TRIES: JSON.stringify(tries) };
    const then = await run(amsterdam, file('then.json'), command, { ...options, env });
    const pairs = pairsOf(now, then, told);
    return {
      report,
      status: then.status,
      output: then.output,
      pairs,
      differences: differences(report, pairs),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(flags, file, command, { cwd, env }) {
  const args = [DEVNET, 'run', ...flags, '--', process.execPath, WATCH, file, ...command];
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  const [status] = await once(child, 'close');
  return { status, output, ...JSON.parse(readFileSync(file, 'utf8')) };
}

/**
 * Pairs each transaction with that on the other chain, if it was sent there: of the same sender, nonce, recipient, function and value.
 * @param told by hash: what more than the gas differs of
 */
function pairsOf(now, then, told) {
  const left = Map.groupBy(then.transactions, keyOf);
  return now.transactions.map((before) => {
    const after = left.get(keyOf(before))?.shift();
    return {
      before,
      after,
      told: told.get(before.hash),
      group: groupOf(before, now.codes),
      happened: after && outcomeOf(before, after),
    };
  });
}

const keyOf = ({ from, nonce, to, input, value }) => [from, nonce, to, input.slice(0, 10), value].join();

/** The contract and the function, as a report without artifacts names them. */
function groupOf({ to, input }, codes) {
  if (to === null) return 'null deployment';
  if (codes[to] === '0x') return 'null transfer of ETH';
  const selector = input.slice(0, 10);
  return `${to} ${input.length < 10 ? 'no function' : (NAMES[selector] ?? selector)}`;
}

/** What a transaction came to, in the words of the report. That it fails says nothing of other limits. */
function outcomeOf(before, after) {
  if (before.status !== after.status) return after.status === '0x0' ? 'fails' : 'other result';
  if (logsOf(before) !== logsOf(after)) return 'other logs';
  const more = Number(after.gasUsed) - Number(before.gasUsed);
  if (more === 0) return 'same';
  return more > 0 ? 'dearer' : 'cheaper';
}

const logsOf = ({ logs }) =>
  JSON.stringify(logs.map(({ address, topics, data }) => ({ address, topics, data })));

/** Where report and chain differ, in words. */
function differences(report, pairs) {
  const found = [];
  /** gas at amsterdam of those of which only the gas differs, by contract, function and verdict */
  const measured = new Map();
  for (const { before, after, told, group, happened } of pairs.filter(({ after }) => after)) {
    const used = Number(after.gasUsed);
    const tell = (text) => found.push(`${group}, ${before.hash}: ${text}`);
    if (!told) {
      const row = `${group}, ${happened}`;
      measured.set(row, [...(measured.get(row) ?? []), used]);
      continue;
    }
    const { verdict, gasThen } = told;
    const outcome = verdict.startsWith('fails') ? 'fails' : verdict;
    if (outcome !== happened) tell(`${verdict} by the report, ${happened}`);
    if (gasThen !== undefined && gasThen !== used) tell(`${gasThen} gas by the report, ${used} used`);
    const again = verdict === 'fails with any' ? 'fails' : 'succeeds';
    if (after.triedAgain !== undefined && after.triedAgain !== again)
      tell(`${verdict} by the report, with ${told.needs ?? MAX_GAS} gas it ${after.triedAgain}`);
  }
  for (const { contract, function: name, verdict, count, gasThen } of report.functions) {
    if (!['same', 'dearer', 'cheaper'].includes(verdict)) continue;
    const row = `${contract} ${name}, ${verdict}`;
    const gas = measured.get(row) ?? [];
    measured.delete(row);
    const isSame =
      gas.length === count && Math.min(...gas) === gasThen.min && Math.max(...gas) === gasThen.max;
    if (!isSame)
      found.push(`${row}: ${count} of ${gasThen.min} to ${gasThen.max} gas by the report, ${gas} used`);
  }
  for (const [row, gas] of measured) found.push(`${row}: not in the report, ${gas} gas used`);
  return found;
}
