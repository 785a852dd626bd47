import { expect } from 'chai';
import { network } from 'hardhat';

const { ethers, provider, networkHelpers } = await network.create('devnet');
const { time } = networkHelpers;
const SOMEONE = '0x000000000000000000000000000000000000beef';
const height = () => ethers.provider.getBlockNumber();

describe('each helper of hardhat-network-helpers', () => {
  let snapshot;
  beforeEach(async () => {
    snapshot = await networkHelpers.takeSnapshot();
  });
  afterEach(() => snapshot.restore());

  const tested = new Set(['takeSnapshot', 'throwIfNotDevelopmentNetwork']);
  const helper = (name, body) => {
    tested.add(name.split('.')[0]);
    it(name, body);
  };

  helper('clearSnapshots', async () => {
    networkHelpers.clearSnapshots();
  });

  helper('dropTransaction', async () => {
    await provider.request({ method: 'evm_setAutomine', params: [false] });
    try {
      const [signer] = await ethers.getSigners();
      const { hash } = await signer.sendTransaction({ to: SOMEONE, value: 1n });
      expect(await networkHelpers.dropTransaction(hash)).to.equal(true);
      await networkHelpers.mine();
      expect(await ethers.provider.getBalance(SOMEONE)).to.equal(0n);
    } finally {
      await provider.request({ method: 'evm_setAutomine', params: [true] });
    }
  });

  helper('setStorageAt', async () => {
    await networkHelpers.setStorageAt(SOMEONE, 7, 42);
    expect(BigInt(await networkHelpers.getStorageAt(SOMEONE, 7))).to.equal(42n);
  });
  helper('getStorageAt', async () => {
    expect(BigInt(await networkHelpers.getStorageAt(SOMEONE, 8, 'latest'))).to.equal(0n);
  });

  helper('impersonateAccount', async () => {
    await networkHelpers.setBalance(SOMEONE, 10n ** 18n);
    await networkHelpers.impersonateAccount(SOMEONE);
    const signer = await ethers.getSigner(SOMEONE);
    await (await signer.sendTransaction({ to: SOMEONE, value: 1n })).wait();
  });
  helper('stopImpersonatingAccount', async () => {
    await networkHelpers.impersonateAccount(SOMEONE);
    await networkHelpers.stopImpersonatingAccount(SOMEONE);
    const error = await provider
      .request({ method: 'eth_sendTransaction', params: [{ from: SOMEONE, to: SOMEONE }] })
      .catch((error) => error);
    expect(error).to.be.instanceOf(Error);
  });

  helper('loadFixture', async () => {
    let runs = 0;
    const fixture = async () => {
      runs++;
      await networkHelpers.mine(3);
      return height();
    };
    const first = await networkHelpers.loadFixture(fixture);
    await networkHelpers.mine(5);
    expect(await networkHelpers.loadFixture(fixture)).to.equal(first);
    expect(await height()).to.equal(first);
    expect(runs).to.equal(1);
    networkHelpers.clearSnapshots();
  });

  helper('mine', async () => {
    const [before, at] = [await height(), await time.latest()];
    await networkHelpers.mine(10, { interval: 60 });
    expect(await height()).to.equal(before + 10);
    // Nine intervals between ten blocks, and the first one's distance to what was there (none where times may be equal).
    expect((await time.latest()) - at).to.be.within(9 * 60, 10 * 60 + 60);
    await networkHelpers.mine(1000);
    expect(await height()).to.equal(before + 1010);
  });
  helper('mineUpTo', async () => {
    const target = (await height()) + 7;
    await networkHelpers.mineUpTo(target);
    expect(await height()).to.equal(target);
  });

  helper('setBalance', async () => {
    await networkHelpers.setBalance(SOMEONE, 2n ** 200n);
    expect(await ethers.provider.getBalance(SOMEONE)).to.equal(2n ** 200n);
  });
  helper('setBlockGasLimit', async () => {
    await networkHelpers.setBlockGasLimit(12_345_678);
    await networkHelpers.mine();
    expect((await ethers.provider.getBlock('latest')).gasLimit).to.equal(12_345_678n);
  });
  helper('setCode', async () => {
    await networkHelpers.setCode(SOMEONE, '0x602a60005260206000f3');
    expect(await ethers.provider.getCode(SOMEONE)).to.equal('0x602a60005260206000f3');
    expect(BigInt(await ethers.provider.call({ to: SOMEONE }))).to.equal(42n);
  });
  helper('setCoinbase', async () => {
    await networkHelpers.setCoinbase(SOMEONE);
    await networkHelpers.mine();
    expect((await ethers.provider.getBlock('latest')).miner).to.equal(ethers.getAddress(SOMEONE));
  });
  helper('setNextBlockBaseFeePerGas', async () => {
    await networkHelpers.setNextBlockBaseFeePerGas(7_000_000_000n);
    await networkHelpers.mine();
    expect((await ethers.provider.getBlock('latest')).baseFeePerGas).to.equal(7_000_000_000n);
  });
  helper('setNonce', async () => {
    await networkHelpers.setNonce(SOMEONE, 99);
    expect(await ethers.provider.getTransactionCount(SOMEONE)).to.equal(99);
  });
  helper('setPrevRandao', async () => {
    const soon = (await time.latest()) + 1000;
    const lock = await ethers.deployContract('Lock', [soon]);
    await networkHelpers.setPrevRandao(1234);
    await networkHelpers.mine();
    expect(await lock.random()).to.equal(1234n);
    const block = await provider.request({ method: 'eth_getBlockByNumber', params: ['latest', false] });
    expect(block.mixHash).to.equal(ethers.toBeHex(1234, 32));
  });

  helper('time.increase', async () => {
    const before = await time.latest();
    expect(await time.increase(3600)).to.equal(before + 3600);
    expect(await time.latest()).to.equal(before + 3600);
  });
  helper('time.increaseTo', async () => {
    const to = (await time.latest()) + 5000;
    await time.increaseTo(to);
    expect(await time.latest()).to.equal(to);
    await time.increaseTo(new Date((to + 10) * 1000));
    expect(await time.latest()).to.equal(to + 10);
  });
  helper('time.latestBlock', async () => {
    expect(await time.latestBlock()).to.equal(await height());
  });
  helper('time.setNextBlockTimestamp', async () => {
    const at = (await time.latest()) + 777;
    await time.setNextBlockTimestamp(at);
    const [signer] = await ethers.getSigners();
    const receipt = await (await signer.sendTransaction({ to: SOMEONE })).wait();
    expect((await receipt.getBlock()).timestamp).to.equal(at);
  });

  it('a snapshot can be restored twice, and ends later ones', async () => {
    const first = await networkHelpers.takeSnapshot();
    await networkHelpers.mine();
    const second = await networkHelpers.takeSnapshot();
    await first.restore();
    await networkHelpers.mine();
    await first.restore();
    const error = await second.restore().catch((error) => error);
    expect(error).to.be.instanceOf(Error);
  });

  it('none of them is missing here', () => {
    const all = Object.getOwnPropertyNames(Object.getPrototypeOf(networkHelpers));
    expect(all.filter((name) => name !== 'constructor' && !tested.has(name))).to.deep.equal([]);
  });
});
