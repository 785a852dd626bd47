// Steps in time after quick blocks, the same on each node. The clock runs on meanwhile: how far is counted beside it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startAnvil, startDevnet, startHardhat, startHardhat2 } from './nodes.mjs';

const NODES = {
  'hardhat 2': () => startHardhat2(),
  'hardhat 3': () => startHardhat(),
  anvil: () => startAnvil(),
  devnet: () => startDevnet('--automine'),
  'devnet --compat hardhat': () => startDevnet('--compat', 'hardhat'),
  'devnet --compat anvil': () => startDevnet('--compat', 'anvil'),
};
/** Those that have dev calls which Hardhat lacks. */
const HAS_SET_TIME = Object.keys(NODES).filter((name) => !name.startsWith('hardhat'));

const clockSeconds = () => Date.now() / 1000;

/** Whole seconds that the clock decides with others. A node may count its seconds from any moment, not from the clock's full ones. */
function assertBetween(value, least, most, what) {
  const [from, to] = [Math.floor(least), Math.ceil(most)];
  assert.ok(value >= from && value <= to, `${what}: ${value}, not ${from} to ${to}`);
}

for (const [name, start] of Object.entries(NODES))
  describe(`time of ${name}`, () => {
    let node;
    let from;
    before(async () => {
      node = await start();
      [from] = await node.rpc('eth_accounts');
    });
    after(() => node.close());

    const timeOf = async (tag = 'latest') =>
      Number((await node.rpc('eth_getBlockByNumber', tag, false)).timestamp);

    async function send() {
      const hash = await node.rpc('eth_sendTransaction', { from, to: from, value: '0x1', gas: '0x5208' });
      // anvil answers before the block is there.
      while (!(await node.rpc('eth_getTransactionReceipt', hash)));
    }

    /** Quick blocks. @returns the head's time, and the clock's when it was made: not before `since`, nor after `until` */
    async function quickSends(count) {
      for (let i = 1; i < count; i++) await send();
      const since = clockSeconds();
      await send();
      return { head: await timeOf(), since, until: clockSeconds() };
    }

    const mine = () => node.rpc('evm_mine');
    const increase = (seconds) => node.rpc('evm_increaseTime', seconds);

    /** Wants `seconds` from the head to the block that `make` makes, and what passes on the clock. */
    async function moves({ head, since, until }, seconds, make) {
      const began = clockSeconds();
      await make();
      const moved = (await timeOf()) - head;
      assertBetween(moved, seconds + began - until, seconds + clockSeconds() - since, 'from the head');
    }

    for (const [seconds, what, make] of [
      [1000, 'evm_mine', mine],
      [5, 'evm_mine', mine],
      [5, 'a send', send],
      [1, 'evm_mine', mine],
    ])
      it(`20 sends, evm_increaseTime(${seconds}) and ${what} move the head by ${seconds} s`, async () => {
        const quick = await quickSends(20);
        const { head, since, until } = quick;
        await moves(quick, seconds, async () => {
          const total = Number(await increase(seconds));
          // How far the head is ahead of the clock is in it.
          assertBetween(total, head - until + seconds, head - since + seconds, 'the total');
          assertBetween(await timeOf('pending'), head + seconds, head + seconds + clockSeconds() - since);
          await make();
        });
      });

    it('two increases add up', async () => {
      await moves(await quickSends(5), 12, async () => {
        await increase(5);
        await increase(7);
        await mine();
      });
    });

    it('time that the clock makes up for is not taken off the head', async () => {
      await quickSends(5);
      await increase(10);
      const quick = await quickSends(5);
      await setTimeout(3000);
      await moves(quick, 0, mine);
    });

    it('hardhat_mine with a time between blocks dates the first one so in anvil, too', async () => {
      const { head, since, until } = await quickSends(1);
      const began = clockSeconds();
      await node.rpc('hardhat_mine', '0x3', '0x64');
      const ended = clockSeconds();
      const last = Number(await node.rpc('eth_blockNumber'));
      const times = await Promise.all([2, 1, 0].map((back) => timeOf(`0x${(last - back).toString(16)}`)));
      assert.deepEqual([times[1] - times[0], times[2] - times[1]], [100, 100]);
      // Hardhat's first block comes at its usual time, which is after its parent's.
      const [least, most] = name.includes('hardhat') ? [0, 1] : [100, 100];
      assertBetween(times[0] - head, least + began - until, most + ended - since, 'the first block');
    });

    it('blocks that hardhat_mine makes count too', async () => {
      await node.rpc('hardhat_mine', '0xa');
      await moves(await quickSends(2), 10, async () => {
        await increase(10);
        await mine();
      });
    });

    it('after evm_setNextBlockTimestamp and quick sends it counts from the head', async () => {
      const { head } = await quickSends(5);
      await node.rpc('evm_setNextBlockTimestamp', head + 100);
      await send();
      assert.equal(await timeOf(), head + 100);
      await moves(await quickSends(5), 7, async () => {
        await increase(7);
        await mine();
      });
    });

    it('what makes no block moves nothing', async () => {
      const quick = await quickSends(5);
      await assert.rejects(node.rpc('eth_sendTransaction', { from, to: from, gas: '0x1' }));
      for (let i = 0; i < 3; i++) await timeOf('pending');
      await moves(quick, 10, async () => {
        await increase(10);
        await mine();
      });
    });

    it('evm_revert takes chain time back', async () => {
      const quick = await quickSends(5);
      const snapshot = await node.rpc('evm_snapshot');
      await increase(500);
      await quickSends(10);
      assert.equal(await node.rpc('evm_revert', snapshot), true);
      assert.equal(await timeOf(), quick.head);
      // Hardhat counts whole seconds since the snapshot.
      await moves({ ...quick, since: quick.since - 1, until: clockSeconds() }, 10, async () => {
        await increase(10);
        await mine();
      });
    });

    if (!HAS_SET_TIME.includes(name)) return;

    it('evm_setTime answers how far it is from the head, and goes on from there', async () => {
      const quick = await quickSends(5);
      await moves(quick, 100, async () => {
        const moved = await node.rpc('evm_setTime', quick.head + 100);
        assertBetween(moved, 100 + quick.since - clockSeconds(), 100, 'the answer');
        await mine();
      });
      await moves(await quickSends(5), 10, async () => {
        await increase(10);
        await mine();
      });
    });

    it('with anvil_setBlockTimestampInterval blocks keep their distance from the head', async () => {
      const { head } = await quickSends(5);
      // As viem gives it to Hardhat: in milliseconds.
      const unit = name === 'devnet --compat hardhat' ? 1000 : 1;
      await node.rpc('anvil_setBlockTimestampInterval', 100 * unit);
      assert.equal(await timeOf('pending'), head + 100);
      await quickSends(3);
      assert.equal(await timeOf(), head + 300);
      assert.equal(await node.rpc('anvil_removeBlockTimestampInterval'), true);
      const quick = await quickSends(2);
      // In anvil such blocks don't take chain time with them.
      if (name === 'anvil') return;
      await moves(quick, 10, async () => {
        await increase(10);
        await mine();
      });
    });
  });
