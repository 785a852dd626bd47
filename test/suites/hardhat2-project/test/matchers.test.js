const { expect } = require('chai');
const { ethers } = require('hardhat');
const { anyValue } = require('@nomicfoundation/hardhat-chai-matchers/withArgs');
const { loadFixture, mine, setBalance, time } = require('@nomicfoundation/hardhat-network-helpers');

/** Passes if the assertion fails with this message. */
const fails = (assertion, message) => expect(assertion).to.be.rejectedWith(message);

async function deployed() {
  const [owner, other] = await ethers.getSigners();
  const unlockTime = (await time.latest()) + 3600;
  return {
    owner,
    other,
    unlockTime,
    counter: await ethers.deployContract('Counter', [3]),
    lock: await ethers.deployContract('Lock', [unlockTime], { value: 7n }),
    coin: await ethers.deployContract('Coin', [1000]),
  };
}

describe('reverts', () => {
  it('with a reason, of a call, a send and a creation', async () => {
    const { counter, lock, other, unlockTime } = await loadFixture(deployed);
    await expect(counter.fail('by design')).to.be.revertedWith('by design');
    await expect(counter.fail('by design')).to.be.revertedWith(/^by d/);
    await time.increaseTo(unlockTime);
    await expect(lock.connect(other).withdraw()).to.be.revertedWith("You aren't the owner");
    await expect(ethers.deployContract('Lock', [1])).to.be.revertedWith(
      'Unlock time should be in the future',
    );
  });

  it('with a custom error and its arguments', async () => {
    const { counter, lock, other, unlockTime } = await loadFixture(deployed);
    await expect(counter.connect(other).set(1))
      .to.be.revertedWithCustomError(counter, 'NotOwner')
      .withArgs(other.address);
    await expect(lock.withdraw())
      .to.be.revertedWithCustomError(lock, 'TooEarly')
      .withArgs(anyValue, unlockTime);
    await expect(lock.withdraw.staticCall()).to.be.revertedWithCustomError(lock, 'TooEarly');
    await expect(lock.withdraw.estimateGas()).to.be.revertedWithCustomError(lock, 'TooEarly');
  });

  it('with a panic, and without a reason', async () => {
    const { lock } = await loadFixture(deployed);
    await expect(lock.divide(0)).to.be.revertedWithPanic(0x12);
    await expect(lock.divide(0)).to.be.revertedWithPanic();
    await expect(lock.refuse()).to.be.revertedWithoutReason();
    await expect(lock.divide(1)).not.to.be.reverted;
  });

  it('of a transaction that was sent with its gas', async () => {
    const { counter, other } = await loadFixture(deployed);
    await expect(counter.connect(other).set(1, { gasLimit: 100_000 })).to.be.reverted;
  });

  it('are told from others', async () => {
    const { counter, lock, other } = await loadFixture(deployed);
    await fails(
      expect(counter.fail('by design')).to.be.revertedWith('by accident'),
      `Expected transaction to be reverted with reason 'by accident', but it reverted with reason 'by design'`,
    );
    await fails(
      expect(counter.connect(other).set(1)).to.be.revertedWith('by design'),
      /but it reverted with a custom error/,
    );
    await fails(
      expect(counter.connect(other).set(1)).to.be.revertedWithCustomError(lock, 'TooEarly'),
      /but it reverted with a different custom error/,
    );
    await fails(expect(lock.refuse()).to.be.revertedWith('x'), /but it reverted without a reason/);
    await fails(expect(lock.divide(0)).to.be.revertedWithoutReason(), /but it reverted with panic code 0x12/);
    await fails(expect(counter.increment()).to.be.reverted, 'Expected transaction to be reverted');
  });
});

describe('events', () => {
  it('with their arguments', async () => {
    const { counter, owner } = await loadFixture(deployed);
    await expect(counter.increment()).to.emit(counter, 'Changed').withArgs(owner.address, 4);
    await expect(counter.increment()).to.emit(counter, 'Changed').withArgs(anyValue, 5n);
    await expect(counter.set(9)).to.emit(counter, 'Changed');
  });

  it('are told from others', async () => {
    const { counter, coin, owner, other } = await loadFixture(deployed);
    await expect(coin.transfer(other.address, 1)).not.to.emit(counter, 'Changed');
    await fails(
      expect(coin.transfer(other.address, 1)).to.emit(counter, 'Changed'),
      /Expected event "Changed" to be emitted, but it wasn't/,
    );
    await fails(
      expect(counter.increment()).to.emit(counter, 'Changed').withArgs(owner.address, 5),
      /to equal/,
    );
  });
});

describe('balances', () => {
  it('of ETH, without and with the fee', async () => {
    const { owner, other } = await loadFixture(deployed);
    const send = () => owner.sendTransaction({ to: other.address, value: 5n });
    await expect(send()).to.changeEtherBalance(other, 5n);
    await expect(send()).to.changeEtherBalances([owner, other], [-5n, 5n]);
    const gasPrice = 10n ** 10n;
    await expect(() =>
      owner.sendTransaction({ to: other.address, value: 5n, gasPrice }),
    ).to.changeEtherBalance(owner, -(5n + 21_000n * gasPrice), { includeFee: true });
    await fails(
      expect(send()).to.changeEtherBalance(other, 6n),
      /to change by 6 wei, but it changed by 5 wei/,
    );
  });

  it('of a contract', async () => {
    const { lock, owner, unlockTime } = await loadFixture(deployed);
    await time.increaseTo(unlockTime);
    await expect(lock.withdraw()).to.changeEtherBalances([lock, owner], [-7n, 7n]);
  });

  it('of tokens', async () => {
    const { coin, owner, other } = await loadFixture(deployed);
    await expect(coin.transfer(other.address, 5)).to.changeTokenBalance(coin, other, 5);
    await expect(coin.transfer(other.address, 5)).to.changeTokenBalances(coin, [owner, other], [-5, 5]);
    await fails(
      expect(coin.transfer(other.address, 5)).to.changeTokenBalance(coin, other, 6),
      /Expected the balance of COIN tokens .* to change by 6, but it changed by 5/,
    );
  });
});

describe('values', () => {
  it('are addresses, hex and bigints', async () => {
    const { counter, owner } = await loadFixture(deployed);
    expect(owner.address).to.be.properAddress;
    expect(await counter.getAddress()).to.be.properAddress;
    expect((await counter.increment()).hash).to.be.properHex(64);
    expect(await counter.number())
      .to.equal(4)
      .and.to.be.greaterThan(3n);
    expect(counter).to.equal(await counter.getAddress());
    expect('0x00ff').to.hexEqual('0xff');
  });
});

describe('hardhat-network-helpers', () => {
  it('set the chain, and a fixture takes it back', async () => {
    const { other } = await loadFixture(deployed);
    const before = await time.latestBlock();
    await mine(5);
    expect(await time.latestBlock()).to.equal(before + 5);
    await setBalance(other.address, 42n);
    expect(await ethers.provider.getBalance(other.address)).to.equal(42n);
    await loadFixture(deployed);
    expect(await time.latestBlock()).to.equal(before);
    expect(await ethers.provider.getBalance(other.address)).to.be.greaterThan(42n);
  });
});
