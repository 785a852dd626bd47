import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { suitableNode } from '../suitable-node.mjs';
import { answering, freePort, startNode, startProgram } from './node.mjs';
import { WORKLOADS } from './peer-workloads.mjs';
import { median } from './stats.mjs';
import { suiteNodes } from './suite-nodes.mjs';

const SUBJECT = 'devnet';
const BASE = 'anvil';
/** Processor time is counted in steps of 10 ms: less than this many milliseconds is too inaccurate. */
const LEAST_CPU = 50;

/**
 * devnet, anvil and Hardhat's node with the same requests. Each workload runs on a process of its own; the order of the nodes changes with
 * the round.
 * @returns { text, samples }: a Markdown table, and all measurements, one object per row, node and round
 */
export async function peers({ bin, rounds, rows, progress }) {
  const starts = await startsOf(bin);
  const chosen = Object.keys(WORKLOADS).filter((name) => !rows || rows.includes(name));
  const versions = {};
  const samples = [];
  for (let round = 0; round < rounds; round++)
    // A start is short, and therefore measured more often.
    for (const workload of chosen)
      for (let again = 0; again < (workload === 'start' ? 3 : 1); again++)
        for (const name of rotated(Object.keys(starts), round + again)) {
          progress(`  ${round + 1} of ${rounds}: ${workload}, ${name}`);
          try {
            await runOn(starts[name], name, workload, round);
          } catch (error) {
            // The node's cells say "not reached".
            progress(`    ${error.message.slice(0, 500)}`);
          }
        }
  return { text: tableOf(Object.keys(starts), samples, versions, rounds), samples };

  async function runOn(starting, name, workload, round) {
    const node = await starting();
    try {
      versions[name] ??= await node.client.call('web3_clientVersion');
      await WORKLOADS[workload](node, async (row, unit, measure) => {
        const sample = { round, workload, node: name, row, unit, load: loadavg()[0] };
        samples.push(sample);
        try {
          Object.assign(sample, await measure());
        } catch (error) {
          sample.error = error.message;
          progress(`    ${row}: ${error.message}`);
        }
      });
    } finally {
      await node.stop();
    }
  }
}

/** name -> starts the node in automine mode with as little output as possible */
async function startsOf(bin) {
  const { foundryBinary, startHardhat } = await suiteNodes();
  const node = suitableNode();
  const minedBy = async (method, starting) => {
    const started = await starting;
    return {
      ...started,
      mostMgas: 28,
      mine: (blocks) => started.client.call(method, [`0x${blocks.toString(16)}`]),
    };
  };
  return {
    devnet: () => minedBy('anvil_mine', startNode(bin, ['--automine', '--silent'])),
    async anvil() {
      const port = await freePort();
      // anvil keeps states on disk, some gigabytes, and leaves them there when it is killed.
      const states = mkdtempSync(join(tmpdir(), 'devnet-anvil-'));
      const flags = ['--port', `${port}`, '--silent', '--cache-path', states];
      const started = await minedBy('anvil_mine', startProgram(foundryBinary('anvil'), flags, port));
      const stop = async () => {
        await started.stop();
        rmSync(states, { recursive: true, force: true });
      };
      return { ...started, stop };
    },
    async hardhat() {
      const start = performance.now();
      const { url, child, close } = await startHardhat(node);
      const stop = async () => {
        const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
        await close();
        clearTimeout(timer);
      };
      const started = answering(child.pid, Number(new URL(url).port), start);
      // Hardhat's node limits calls to the gas cap of transactions, 2^24 (EIP-7825).
      return { ...(await minedBy('hardhat_mine', started)), mostMgas: 16, stop };
    },
  };
}

const rotated = (names, by) => names.map((_, i) => names[(i + by) % names.length]);

function tableOf(names, samples, versions, rounds) {
  const rows = [...new Set(samples.map(({ row }) => row))];
  const ofRow = (row) => samples.filter((sample) => sample.row === row);
  const lines = rows.map((row) => {
    const all = ofRow(row);
    const cells = names.map((name) => cellOf(all.filter(({ node }) => node === name)));
    return [row, ...cells, ratioOf(all, perOperation, rounds), ratioOf(all, cpuPerOperation, rounds)];
  });
  const head = ['', ...names, `${SUBJECT} / ${BASE}`, 'by processor time'];
  const load = median(samples.map((sample) => sample.load));
  return [
    `${rounds} ${rounds === 1 ? 'round' : 'rounds'}; ${names.map((name) => `${name}: \`${versions[name]}\``).join(', ')}; ` +
      `load average of the machine ${load.toFixed(1)}.`,
    ...(load > cpus().length
      ? ['The machine was busy with other work: on a quiet one the figures are others.']
      : []),
    '',
    `| ${head.join(' | ')} |`,
    `|---|${head
      .slice(1)
      .map(() => '---:')
      .join('|')}|`,
    ...lines.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');
}

/** The median of the rounds, followed in brackets by the median of the processor time. */
function cellOf(samples) {
  const good = samples.filter(({ error }) => !error);
  if (good.length === 0)
    return (samples[0]?.error ?? 'not reached').replaceAll(/\s+/g, ' ').replaceAll('|', '/');
  const value = median(good.map(perOperation));
  const cpus = good.map(cpuPerOperation).filter((cpu) => cpu !== undefined);
  const cpu = cpus.length > 0 ? ` (${number(median(cpus))} ms)` : '';
  const notes = [
    good.find(({ note }) => note)?.note,
    good.length < samples.length && `${samples.length - good.length} failed`,
  ];
  return [`${FORMATS[good[0].unit](value)}${cpu}`, ...notes.filter(Boolean)].join(', ');
}

const perOperation = ({ elapsed, count }) => elapsed / count;
const cpuPerOperation = ({ cpu, count }) => (cpu >= LEAST_CPU ? cpu / count : undefined);

/** unit -> text of the milliseconds of one operation */
const FORMATS = {
  perSecond: (time) => `${number(1000 / time)}/s`,
  mgas: (time) => `${number(1000 / time)} Mgas/s`,
  ms: (time) => `${number(time)} ms`,
  times: (times) => `${number(times)} x`,
};

/** The median over the rounds of anvil's cost divided by devnet's. */
function ratioOf(samples, costOf, rounds) {
  const ratios = [];
  for (let round = 0; round < rounds; round++) {
    const costs = (name) =>
      samples
        .filter((sample) => sample.round === round && sample.node === name && !sample.error)
        .map(costOf)
        .filter((cost) => cost !== undefined);
    const ratio = median(costs(BASE)) / median(costs(SUBJECT));
    if (!Number.isNaN(ratio)) ratios.push(ratio);
  }
  return ratios.length > 0 ? number(median(ratios)) : '';
}

const number = (value) =>
  value >= 100
    ? Math.round(value).toLocaleString('en')
    : value.toLocaleString('en', { maximumSignificantDigits: 2 });
