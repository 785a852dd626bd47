import { expect } from 'chai';
import { network } from 'hardhat';

const { ethers, provider, networkHelpers } = await network.create('devnet');

/** Lines of an error's stack that are frames. */
const framesOf = (error) =>
  error.stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '));

// By a URL Hardhat makes the error of what the node answers, in which there is no place for frames.
(process.env.DEVNET_IN_PROCESS ? describe : describe.skip)('the stack of an error', () => {
  it('begins with the line of Solidity that failed, above the lines of JavaScript', async () => {
    const { time } = networkHelpers;
    const lock = await ethers.deployContract('Lock', [(await time.latest()) + 1000], { value: 1n });
    const data = lock.interface.encodeFunctionData('withdraw');
    const [signer] = await ethers.getSigners();
    const thrown = [
      await provider
        .request({ method: 'eth_call', params: [{ to: lock.target, data }, 'latest'] })
        .catch((error) => error),
      await provider
        .request({
          method: 'eth_sendTransaction',
          params: [{ from: signer.address, to: lock.target, data, gas: '0x30000' }],
        })
        .catch((error) => error),
    ];
    for (const error of thrown) {
      expect(error.message).to.match(/TooEarly\(/);
      const frames = framesOf(error);
      // Editors open such a place with a click: a path from the project's folder, line and column.
      expect(frames[0]).to.match(/^at Lock\.withdraw \(contracts\/Lock\.sol:20:\d+\)$/);
      expect(frames.slice(1).some((frame) => /\.js:\d+:\d+\)?$/.test(frame))).to.equal(true);
    }
  });
});
