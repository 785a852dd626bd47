import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/index.ts';
import { replayRecording } from '../../src/replay/replay-recording.ts';
import { file, headOf, lines, MODES, record, useFreshFolder } from './recorded.ts';

useFreshFolder();

const SLOT = `0x${'0'.repeat(64)}`;

describe('a recording with conditional transactions', () => {
  it.each(MODES)('of %s mode replays to the same hashes, dropped ones included', async (_, options) => {
    const dropped: string[] = [];
    await record(options, async (node, ask) => {
      const [from, to, third] = node.accounts.map(({ address }) => address.toLowerCase());
      const advance = async () => {
        if (node.clock instanceof ManualClock) await node.clock.advance(2_500);
      };
      const sign = async (fields: object) => {
        const signed = await ask('eth_signTransaction', { from: to, gas: '0x5208', ...fields });
        return typeof signed === 'string' ? signed : (signed as { raw: string }).raw;
      };
      const send = async (conditions: object, fields: object) =>
        (await ask('eth_sendRawTransactionConditional', await sign(fields), conditions).catch(
          () => '',
        )) as string;
      const fees = { maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0x1' };
      const balance = (await ask('eth_getBalance', third, 'latest')) as string;
      const conditions = { knownAccounts: { [third!]: { [SLOT]: '0x0', balance } }, timestampMin: '0x1' };
      dropped.push(await send(conditions, { to: from, value: '0x1', ...fees }));
      // It comes first, and changes the balance that the condition names.
      await ask('eth_sendTransaction', {
        from,
        to: third,
        value: '0x1',
        ...fees,
        maxPriorityFeePerGas: '0x3b9aca00',
      });
      await advance();
      await ask('evm_mine');
      await send({ blockNumberMin: '0x1' }, { to: from, value: '0x2', ...fees });
      await advance();
      await ask('evm_mine');
    });
    expect(lines().some((line) => line.includes('"conditions":{"knownAccounts"'))).toBe(true);
    expect(await replayRecording(file)).toMatchObject({ pass: true, lastblockhash: headOf(lines()) });
    if (options.noMining) expect(lines().join()).not.toContain(`"hash":"${dropped[0]}"`);
  });
});
