import { expect } from 'chai';
import { network } from 'hardhat';

const { ethers, networkHelpers } = await network.create('devnet');
const { loadFixture, time } = networkHelpers;
const ONE_YEAR = 365 * 24 * 60 * 60;
const AMOUNT = 1_000_000_000n;

async function lockFor(seconds) {
  const unlockTime = (await time.latest()) + seconds;
  const lock = await ethers.deployContract('Lock', [unlockTime], { value: AMOUNT });
  const [owner, other] = await ethers.getSigners();
  return { lock, unlockTime, owner, other };
}

// loadFixture knows a fixture by its identity.
const lockForAYear = () => lockFor(ONE_YEAR);

describe('Lock', () => {
  it('is deployed with its owner and its funds', async () => {
    const { lock, unlockTime, owner } = await loadFixture(lockForAYear);
    expect(await lock.unlockTime()).to.equal(unlockTime);
    expect(await lock.owner()).to.equal(owner.address);
    expect(await ethers.provider.getBalance(lock.target)).to.equal(AMOUNT);
  });

  it('begins from the same snapshot each time', async () => {
    const first = await loadFixture(lockForAYear);
    const number = await ethers.provider.getBlockNumber();
    await time.increaseTo(first.unlockTime);
    await first.lock.withdraw();
    const second = await loadFixture(lockForAYear);
    expect(second.lock.target).to.equal(first.lock.target);
    expect(await ethers.provider.getBlockNumber()).to.equal(number);
    expect(await ethers.provider.getBalance(second.lock.target)).to.equal(AMOUNT);
  });

  it('needs an unlock time in the future', async () => {
    const latest = await time.latest();
    await expect(ethers.deployContract('Lock', [latest], { value: 1n })).to.be.revertedWith(
      'Unlock time should be in the future',
    );
  });

  it('reverts with a custom error and its arguments while it is too early', async () => {
    const { lock, unlockTime } = await loadFixture(lockForAYear);
    const now = unlockTime - 100;
    await time.setNextBlockTimestamp(now);
    await networkHelpers.mine();
    await expect(lock.withdraw()).to.be.revertedWithCustomError(lock, 'TooEarly');
    await expect(lock.withdraw.staticCall())
      .to.be.revertedWithCustomError(lock, 'TooEarly')
      .withArgs((at) => Number(at) >= now, unlockTime);
    await expect(lock.withdraw()).to.revert(ethers);
  });

  it('reverts in a sent transaction whose gas was not estimated', async () => {
    const { lock } = await loadFixture(lockForAYear);
    // A node that throws on a failing transaction, as Hardhat's own does, refuses the send; another one's receipt says it.
    const error = await lock
      .withdraw({ gasLimit: 100_000n })
      .then((sent) => sent.wait())
      .catch((error) => error);
    expect(error.message).to.match(/revert/);
    const block = await ethers.provider.getBlock('latest', true);
    expect((await ethers.provider.getTransactionReceipt(block.transactions[0])).status).to.equal(0);
  });

  it('reverts for others than the owner, with a reason', async () => {
    const { lock, unlockTime, other } = await loadFixture(lockForAYear);
    await time.increaseTo(unlockTime);
    await expect(lock.connect(other).withdraw()).to.be.revertedWith("You aren't the owner");
  });

  it('panics and reverts without a reason', async () => {
    const { lock } = await loadFixture(lockForAYear);
    await expect(lock.divide(0)).to.be.revertedWithPanic(0x12);
    await expect(lock.refuse()).to.be.revertedWithoutReason(ethers);
  });

  it('emits an event and moves the funds', async () => {
    const { lock, unlockTime, owner } = await loadFixture(lockForAYear);
    await time.increaseTo(unlockTime);
    await expect(lock.withdraw())
      .to.emit(lock, 'Withdrawal')
      .withArgs(AMOUNT, (when) => when >= unlockTime);
    const again = await loadFixture(lockForAYear);
    await time.increaseTo(unlockTime);
    await expect(again.lock.withdraw()).to.changeEtherBalances(
      ethers,
      [owner, again.lock],
      [AMOUNT, -AMOUNT],
    );
  });

  it('answers impersonated accounts', async () => {
    const address = '0x00000000000000000000000000000000000c0ffe';
    await networkHelpers.setBalance(address, 10n ** 18n);
    const signer = await ethers.getImpersonatedSigner(address);
    const counter = await ethers.deployContract('Counter', [5], { signer });
    expect((await counter.owner()).toLowerCase()).to.equal(address);
    await expect(counter.increment()).to.emit(counter, 'Changed').withArgs(ethers.getAddress(address), 6);
    const [other] = await ethers.getSigners();
    await expect(counter.connect(other).set(1))
      .to.be.revertedWithCustomError(counter, 'NotOwner')
      .withArgs(other.address);
    await networkHelpers.stopImpersonatingAccount(address);
    const refused = await counter.increment().catch((error) => error);
    expect(refused).to.be.instanceOf(Error);
  });
});
