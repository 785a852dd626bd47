import { expect } from 'chai';
import { network } from 'hardhat';

const { ethers } = await network.create('devnet');

// The suite counts what these tests print.
describe('console.log', () => {
  it('of a transaction, which is estimated first', async () => {
    const printer = await ethers.deployContract('Printer');
    await (await printer.say(7)).wait();
  });

  it('of a transaction whose estimate fails', async () => {
    const printer = await ethers.deployContract('Printer');
    await expect(printer.refuse(8)).to.be.revertedWith('never');
  });
});
