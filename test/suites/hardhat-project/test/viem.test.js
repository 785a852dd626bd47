import { expect } from 'chai';
import { network } from 'hardhat';

const { viem, networkHelpers } = await network.create('devnet');

describe('hardhat-viem', () => {
  it('deploys, writes, reads and finds the events', async () => {
    const [wallet, other] = await viem.getWalletClients();
    const publicClient = await viem.getPublicClient();
    const counter = await viem.deployContract('Counter', [3n], { value: 5n });
    const from = await publicClient.getBlockNumber();
    for (let i = 0; i < 3; i++) await counter.write.increment();
    expect(await counter.read.number()).to.equal(6n);
    expect((await counter.read.owner()).toLowerCase()).to.equal(wallet.account.address);
    const events = await counter.getEvents.Changed({}, { fromBlock: from });
    expect(events.map(({ args }) => args.number)).to.deep.equal([4n, 5n, 6n]);
    const refused = await counter.write.set([1n], { account: other.account }).catch((error) => error);
    expect(refused.message).to.match(/NotOwner/);
    expect(await publicClient.getBalance({ address: counter.address })).to.equal(5n);
  });

  it('has a test client of the node', async () => {
    const client = await viem.getTestClient();
    const publicClient = await viem.getPublicClient();
    const before = await publicClient.getBlockNumber();
    await client.mine({ blocks: 4 });
    expect(await publicClient.getBlockNumber()).to.equal(before + 4n);
    await client.setBalance({ address: '0x000000000000000000000000000000000000dEaD', value: 9n });
    await networkHelpers.mine();
    expect(await publicClient.getBalance({ address: '0x000000000000000000000000000000000000dEaD' })).to.equal(
      9n,
    );
  });
});
