import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import solc from 'solc';
import { afterAll, describe, expect, it } from 'vitest';
import { createDevnet } from '../../src/index.ts';
import { callsOf } from '../wire.ts';

const FILE = 'contracts/Jumps.sol';
const TEXT = `pragma solidity ^0.8.0;
contract Jumps {
  uint public sum;
  function loop(uint n) external {
    for (uint i; i < n; i++) {
      if (i == 2)
        continue;
      if (i == 90) {
        break;
      }
      sum += i;
    }
  }
  function early(uint n) external {
    if (n == 3)
      return;
    sum = n;
    if (n == 4) {
      sum = 5;
      return;
    }
    sum = 6;
  }
  function yul(uint n) external {
    assembly {
      function square(a) -> b {
        if gt(a, 50) {
          leave
        }
        b := mul(a, a)
      }
      for { let i := 0 } 1 { i := add(i, 1) } {
        if eq(i, n) {
          break
        }
        if mod(i, 2) {
          continue
        }
        switch add(n, square(i))
        case 0 { sstore(1, i) }
        default { sstore(0, i) }
      }
    }
  }
}
`;
const project = mkdtempSync(join(tmpdir(), 'devnet-jumps-'));
mkdirSync(join(project, 'contracts'));
writeFileSync(join(project, FILE), TEXT);
afterAll(() => rmSync(project, { recursive: true }));

interface Called {
  readonly name: 'loop' | 'early' | 'yul';
  readonly n: number;
}

/** Compiles the contract, calls its functions, and returns the tracefile. */
async function coverageOf(calls: readonly Called[]): Promise<string> {
  const artifacts = join(project, 'artifacts');
  const input = { language: 'Solidity', sources: { [FILE]: { content: TEXT } } };
  const outputSelection = { '*': { '*': ['*'], '': ['ast'] } };
  const output = JSON.parse(solc.compile(JSON.stringify({ ...input, settings: { outputSelection } })));
  mkdirSync(join(artifacts, 'build-info'), { recursive: true });
  const build = JSON.stringify({ solcVersion: '0.8.37', input, output });
  writeFileSync(join(artifacts, 'build-info/1.json'), build);
  const { evm } = output.contracts[FILE].Jumps;
  const node = await createDevnet({ automine: true, artifacts });
  try {
    const call = callsOf(node);
    const [from] = await call('eth_accounts');
    const send = async (data: string, to?: string) => {
      const hash = await call('eth_sendTransaction', { from, ...(to && { to }), data, gas: '0x200000' });
      const receipt = await call('eth_getTransactionReceipt', hash);
      expect(receipt.status).toBe('0x1');
      return receipt;
    };
    const { contractAddress } = await send(`0x${evm.bytecode.object}`);
    for (const { name, n } of calls) {
      const selector = evm.methodIdentifiers[`${name}(uint256)`];
      await send(`0x${selector}${n.toString(16).padStart(64, '0')}`, contractAddress);
    }
    return (await call('devnet_coverage')).lcov;
  } finally {
    await node.close();
  }
}

const lineOf = (text: string, from = '') => {
  const at = TEXT.indexOf(text, TEXT.indexOf(from));
  return TEXT.slice(0, at).split('\n').length;
};
const runsOf = (lcov: string, line: number) => {
  const [, runs] = new RegExp(`^DA:${line},(\\d+)$`, 'm').exec(lcov) ?? [];
  return runs === undefined ? undefined : Number(runs);
};

describe('jumps out of an `if`, of which the compiler makes one JUMPI with the condition', () => {
  it('run as often as the condition holds', async () => {
    const lcov = await coverageOf([
      { name: 'loop', n: 5 },
      { name: 'early', n: 3 },
      { name: 'early', n: 9 },
      { name: 'yul', n: 5 },
    ]);
    expect(runsOf(lcov, lineOf('if (i == 2)'))).toBe(5);
    expect(runsOf(lcov, lineOf('continue;'))).toBe(1);
    expect(runsOf(lcov, lineOf('if (i == 90)'))).toBe(4);
    expect(runsOf(lcov, lineOf('break;'))).toBe(0);
    expect(runsOf(lcov, lineOf('return;'))).toBe(1);
    expect(runsOf(lcov, lineOf('return;', 'sum = 5'))).toBe(0);
    expect(runsOf(lcov, lineOf('break', 'assembly'))).toBe(1);
    expect(runsOf(lcov, lineOf('continue', 'assembly'))).toBe(2);
    expect(runsOf(lcov, lineOf('leave'))).toBe(0);
    for (const [text, runs] of [
      ['if (i == 2)', 1],
      ['if (i == 90)', 0],
      ['if (n == 3)', 1],
      ['if eq(i, n)', 1],
      ['if mod(i, 2)', 2],
      ['if gt(a, 50)', 0],
    ] as const)
      expect(lcov).toMatch(new RegExp(`BRDA:${lineOf(text)},\\d+,0,${runs}\n`));
  });

  it('a function runs as often as it is called, whatever functions of inline assembly do', async () => {
    const lcov = await coverageOf([{ name: 'yul', n: 5 }]);
    expect(lcov).toContain('FNDA:1,Jumps.yul\n');
    expect(runsOf(lcov, lineOf('b := mul(a, a)'))).toBe(3);
    expect(runsOf(lcov, lineOf('switch'))).toBe(3);
  });
});
