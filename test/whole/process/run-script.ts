import type { DevnetProcess, useCommand } from './devnet-process.ts';

export function beside(command: ReturnType<typeof useCommand>) {
  return {
    /** Runs JavaScript in a process of its own beside a chain. @param options of `devnet run` */
    run: (script: string, ...options: string[]) =>
      command.run(['run', ...options, '--', process.execPath, '--input-type=module', '-e', script]),
    ended: async (running: DevnetProcess) => {
      const code = await running.exited;
      // How long a call took is another thing each time.
      return { code, stdout: running.stdout, stderr: running.stderr.replaceAll(/ \d+ ms$/gm, '') };
    },
  };
}

/** The beginning of such a script. */
export const CALL = `
  const call = async (url, method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return (await (await fetch(url, { method: 'POST', body })).json()).result;
  };
  const { DEVNET_URL, RPC_URL, ETH_RPC_URL, DEVNET_WS_URL } = process.env;`;

/** Deploys the token of fixtures/contracts, and ends at once after a transfer that fails. */
export const FAIL = `${CALL}
  import { readFileSync } from 'node:fs';
  const { bytecode } = JSON.parse(readFileSync('fixtures/contracts/Token.json', 'utf8'));
  const [owner, holder] = await call(DEVNET_URL, 'eth_accounts');
  const word = (hex) => hex.padStart(64, '0');
  const name = word('1') + '54'.padEnd(64, '0');
  const data = bytecode + word('60') + word('a0') + word('7') + name + name;
  const hash = await call(DEVNET_URL, 'eth_sendTransaction', { from: owner, data, gas: '0x400000' });
  const { contractAddress: to } = await call(DEVNET_URL, 'eth_getTransactionReceipt', hash);
  const transfer = '0xa9059cbb' + word(owner.slice(2)) + word('5');
  await call(DEVNET_URL, 'eth_sendTransaction', { from: owner, to, data: transfer, gas: '0x30d40' });
  await call(DEVNET_URL, 'eth_sendTransaction', { from: holder, to, data: transfer, gas: '0x30d40' });
  process.exit(1);`;
