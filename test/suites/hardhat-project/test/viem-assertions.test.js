import { anyValue } from '@nomicfoundation/hardhat-viem-assertions/predicates';
import { expect } from 'chai';
import { network } from 'hardhat';
import { getAddress } from 'viem';

const { viem, networkHelpers } = await network.create('devnet');
const { assertions } = viem;

async function deployed() {
  const [owner, other] = await viem.getWalletClients();
  const unlockTime = BigInt(await networkHelpers.time.latest()) + 3600n;
  return {
    owner,
    other,
    unlockTime,
    counter: await viem.deployContract('Counter', [3n]),
    lock: await viem.deployContract('Lock', [unlockTime], { value: 7n }),
  };
}

/** Passes if the assertion fails with a message that has this text. */
async function fails(assertion, text) {
  const error = await assertion.then(
    () => undefined,
    (error) => error,
  );
  expect(error?.name).to.equal('AssertionError');
  expect(error.message).to.include(text);
}

describe('hardhat-viem-assertions', () => {
  it('revert: with a reason, of a call and a send', async () => {
    const { counter, lock, other, unlockTime } = await networkHelpers.loadFixture(deployed);
    await assertions.revert(counter.read.fail(['by design']));
    await assertions.revertWith(counter.read.fail(['by design']), 'by design');
    await networkHelpers.time.increaseTo(unlockTime);
    await assertions.revertWith(lock.write.withdraw({ account: other.account }), "You aren't the owner");
  });

  it('revert: with a custom error and its arguments', async () => {
    const { counter, lock, other, unlockTime } = await networkHelpers.loadFixture(deployed);
    const set = () => counter.write.set([1n], { account: other.account });
    await assertions.revertWithCustomError(set(), counter, 'NotOwner');
    await assertions.revertWithCustomErrorWithArgs(set(), counter, 'NotOwner', [
      getAddress(other.account.address),
    ]);
    await assertions.revertWithCustomErrorWithArgs(lock.write.withdraw(), lock, 'TooEarly', [
      anyValue,
      unlockTime,
    ]);
  });

  it('revert: of a transaction that was sent with its gas', async () => {
    const { counter, other } = await networkHelpers.loadFixture(deployed);
    const send = counter.write.set([1n], { account: other.account, gas: 100_000n });
    // A node that throws on a failing transaction, as Hardhat's own does, refuses the send; another one's receipt says it.
    const hash = await send.catch(() => undefined);
    const client = await viem.getPublicClient();
    const { transactions } = await client.getBlock();
    if (hash) expect(transactions).to.deep.equal([hash]);
    expect((await client.getTransactionReceipt({ hash: transactions[0] })).status).to.equal('reverted');
  });

  it('emit: an event with its arguments', async () => {
    const { counter, owner } = await networkHelpers.loadFixture(deployed);
    await assertions.emit(counter.write.increment(), counter, 'Changed');
    const by = getAddress(owner.account.address);
    await assertions.emitWithArgs(counter.write.increment(), counter, 'Changed', [by, 5n]);
    await assertions.emitWithArgs(counter.write.set([9n]), counter, 'Changed', [anyValue, (n) => n === 9n]);
  });

  it('balancesHaveChanged: without the fee', async () => {
    const { lock, owner, other, unlockTime } = await networkHelpers.loadFixture(deployed);
    const to = other.account.address;
    await assertions.balancesHaveChanged(owner.sendTransaction({ to, value: 5n }), [
      { address: to, amount: 5n },
      { address: owner.account.address, amount: -5n },
    ]);
    await networkHelpers.time.increaseTo(unlockTime);
    await assertions.balancesHaveChanged(lock.write.withdraw(), [
      { address: lock.address, amount: -7n },
      { address: owner.account.address, amount: 7n },
    ]);
  });

  it('fail where something else happened', async () => {
    const { counter, lock, other } = await networkHelpers.loadFixture(deployed);
    const to = other.account.address;
    await fails(assertions.revertWith(counter.read.fail(['by design']), 'by accident'), 'by design');
    await fails(assertions.revertWithCustomError(counter.read.fail(['x']), counter, 'NotOwner'), 'NotOwner');
    await fails(assertions.revert(counter.read.number()), 'expected to revert');
    await fails(assertions.emit(counter.write.increment(), lock, 'Withdrawal'), 'Withdrawal');
    const [owner] = await viem.getWalletClients();
    await fails(
      assertions.balancesHaveChanged(owner.sendTransaction({ to, value: 5n }), [{ address: to, amount: 6n }]),
      '6',
    );
  });
});
