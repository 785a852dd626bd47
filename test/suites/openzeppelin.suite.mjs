// The same signed transactions on anvil and on devnet: what contracts do must not depend on the node. With DEVNET_URL, on that node alone, and
// GAS in place of the limit of 8 million.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AbiCoder, Interface, id, keccak256, toBeHex, Wallet, ZeroHash, zeroPadValue } from 'ethers';
import { compile } from './compile.mjs';
import { nodeAt, startAnvil, startDevnet } from './nodes.mjs';

const KEYS = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
];
const [owner, other] = KEYS.map((key) => new Wallet(key));
const coder = AbiCoder.defaultAbiCoder();
const { DEVNET_URL, GAS = '8000000' } = process.env;
const GENESIS_TIME = 1_700_000_000;
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const ADMIN_SLOT = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103';

describe(`OpenZeppelin's contracts on ${DEVNET_URL ?? 'anvil and on devnet'}`, () => {
  const contracts = compile('presets.sol');
  const interfaces = Object.fromEntries(
    Object.entries(contracts).map(([name, { abi }]) => [name, new Interface(abi)]),
  );
  const nonces = new Map();
  let nodes;
  let time = GENESIS_TIME;
  before(async () => {
    const flags = ['--chain-id', '31337', '--timestamp', String(GENESIS_TIME), '--hardfork', 'osaka'];
    nodes = DEVNET_URL
      ? [nodeAt(DEVNET_URL)]
      : await Promise.all([startAnvil(...flags), startDevnet('--automine', ...flags)]);
  });
  after(() => Promise.all(nodes.map((node) => node.close())));

  const both = (method, ...params) =>
    Promise.all(
      nodes.map(({ rpc }) => rpc(method, ...params).catch(({ code, data }) => ({ error: { code, data } }))),
    );
  /** What both answer, which must be the same. */
  const same = async (method, ...params) => {
    const [first, ...others] = await both(method, ...params);
    for (const other of others)
      assert.deepEqual(other, first, `${method} ${JSON.stringify(params).slice(0, 200)}`);
    return first;
  };
  const essence = ({
    status,
    gasUsed,
    cumulativeGasUsed,
    contractAddress,
    from,
    to,
    type,
    logsBloom,
    logs,
  }) => ({
    ...{ status, gasUsed, cumulativeGasUsed, contractAddress, from, to, type, logsBloom },
    logs: logs.map(({ address, topics, data, logIndex }) => ({ address, topics, data, logIndex })),
  });

  /** Sends one transaction to both and compares what came of it. */
  async function send(fields, { from = owner, status = '0x1' } = {}) {
    const nonce = nonces.get(from) ?? 0;
    nonces.set(from, nonce + 1);
    time += 12;
    await both('evm_setNextBlockTimestamp', time);
    const raw = await from.signTransaction({
      ...{ chainId: 31_337, type: 2, nonce, gasLimit: BigInt(GAS) },
      ...{ maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n },
      ...fields,
    });
    const hash = await same('eth_sendRawTransaction', raw);
    let receipts = await both('eth_getTransactionReceipt', hash);
    assert.ok(receipts.at(-1), 'devnet has the receipt at once');
    // anvil answers the send before it has the receipt.
    while (!receipts[0]) receipts = await both('eth_getTransactionReceipt', hash);
    const [first, ...others] = receipts.map(essence);
    for (const other of others) assert.deepEqual(other, first);
    assert.equal(first.status, status);
    return first;
  }

  async function deploy(name, types = [], values = []) {
    const { contractAddress } = await send({
      data: contracts[name].bytecode + coder.encode(types, values).slice(2),
    });
    await same('eth_getCode', contractAddress, 'latest');
    return { name, address: contractAddress };
  }

  const invoke = ({ name, address }, method, args, options) =>
    send({ to: address, data: interfaces[name].encodeFunctionData(method, args) }, options);

  const call = async ({ name, address }, method, args = [], from = owner.address) =>
    same(
      'eth_call',
      { from, to: address, data: interfaces[name].encodeFunctionData(method, args) },
      'latest',
    );

  /** The first slots, and the mapping entries of the addresses that took part. */
  async function compareStorage({ address }, ...slots) {
    for (let slot = 0; slot < 16; slot++) {
      await same('eth_getStorageAt', address, toBeHex(slot, 32), 'latest');
      for (const { address: key } of [owner, other])
        await same(
          'eth_getStorageAt',
          address,
          keccak256(zeroPadValue(key, 32) + toBeHex(slot, 32).slice(2)),
          'latest',
        );
    }
    for (const slot of slots)
      assert.notEqual(await same('eth_getStorageAt', address, slot, 'latest'), ZeroHash);
  }

  it('ERC20 with permit and votes', async () => {
    const token = await deploy('VoteToken');
    await invoke(token, 'transfer', [other.address, 5n]);
    await invoke(token, 'approve', [other.address, 100n]);
    await invoke(token, 'transferFrom', [owner.address, other.address, 60n], { from: other });
    await invoke(token, 'transferFrom', [owner.address, other.address, 60n], { from: other, status: '0x0' });
    await invoke(token, 'delegate', [other.address]);
    const deadline = 2n ** 64n;
    const signature = await owner.signTypedData(
      { name: 'Vote', version: '1', chainId: 31_337, verifyingContract: token.address },
      {
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      { owner: owner.address, spender: other.address, value: 7n, nonce: 0n, deadline },
    );
    const [r, s, v] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`, `0x${signature.slice(130)}`];
    await invoke(token, 'permit', [owner.address, other.address, 7n, deadline, v, r, s], { from: other });
    await invoke(token, 'permit', [owner.address, other.address, 7n, deadline, v, r, s], { status: '0x0' });
    for (const holder of [owner, other])
      for (const view of ['balanceOf', 'getVotes', 'nonces']) await call(token, view, [holder.address]);
    for (const view of ['name', 'totalSupply', 'DOMAIN_SEPARATOR', 'eip712Domain', 'clock'])
      await call(token, view);
    // Reverts: the code and the data of the custom error.
    const { error } = await call(
      token,
      'transfer',
      [other.address, 1n],
      '0x0000000000000000000000000000000000000B0b',
    );
    assert.equal(interfaces.VoteToken.parseError(error.data).name, 'ERC20InsufficientBalance');
    await compareStorage(token);
  });

  it('ERC721 with enumeration', async () => {
    const item = await deploy('Collectible');
    for (const tokenId of [7n, 8n, 9n]) await invoke(item, 'mint', [owner.address, tokenId]);
    await invoke(item, 'mint', [owner.address, 7n], { status: '0x0' });
    await invoke(item, 'mint', [item.address, 10n], { status: '0x0' });
    await invoke(item, 'setApprovalForAll', [other.address, true]);
    await invoke(item, 'transferFrom', [owner.address, other.address, 8n], { from: other });
    for (const tokenId of [7n, 8n, 99n]) await call(item, 'ownerOf', [tokenId]);
    await call(item, 'tokenOfOwnerByIndex', [owner.address, 1n]);
    await call(item, 'supportsInterface', ['0x80ac58cd']);
    await compareStorage(item);
  });

  it('ERC1155 with supply', async () => {
    const items = await deploy('Items');
    const ids = [1n, 2n, 3n];
    await invoke(items, 'mint', [owner.address, ids, [10n, 20n, 30n]]);
    await invoke(items, 'safeBatchTransferFrom', [owner.address, other.address, ids, [1n, 2n, 3n], '0x']);
    await invoke(items, 'safeTransferFrom', [owner.address, other.address, 1n, 99n, '0x'], { status: '0x0' });
    await call(items, 'balanceOfBatch', [[owner.address, other.address, owner.address], ids]);
    await call(items, 'totalSupply(uint256)', [2n]);
    await compareStorage(items);
  });

  it('Governor with a timelock, from the proposal to its execution', async () => {
    const token = await deploy('VoteToken');
    const timelock = await deploy('Timelock', ['address[]'], [[]]);
    const dao = await deploy('Dao', ['address', 'address'], [token.address, timelock.address]);
    for (const role of ['PROPOSER_ROLE', 'CANCELLER_ROLE', 'EXECUTOR_ROLE'])
      await invoke(timelock, 'grantRole', [id(role), dao.address]);
    await invoke(token, 'delegate', [owner.address]);
    await invoke(token, 'transfer', [timelock.address, 1000n]);
    const transfer = interfaces.VoteToken.encodeFunctionData('transfer', [other.address, 77n]);
    const proposal = [[token.address], [0n], [transfer]];
    await invoke(dao, 'propose', [...proposal, 'pay']);
    const proposalId = await call(dao, 'hashProposal', [...proposal, id('pay')]);
    await invoke(dao, 'castVote', [proposalId, 1], { status: '0x0' });
    await both('anvil_mine', '0x2');
    await invoke(dao, 'castVote', [proposalId, 1]);
    await call(dao, 'proposalVotes', [proposalId]);
    await both('anvil_mine', '0x8');
    time += 1000;
    await invoke(dao, 'queue', [...proposal, id('pay')]);
    await invoke(dao, 'execute', [...proposal, id('pay')]);
    await call(dao, 'state', [proposalId]);
    assert.equal(BigInt(await call(token, 'balanceOf', [other.address])), 77n);
    for (const contract of [token, timelock, dao]) await compareStorage(contract);
  });

  it('proxies: ERC1967 with UUPS, and transparent', async () => {
    const one = await deploy('Box');
    const two = await deploy('BoxTwo');
    const start = interfaces.Box.encodeFunctionData('initialize', [41n]);
    const uups = await deploy('Proxy1967', ['address', 'bytes'], [one.address, start]);
    const box = { name: 'Box', address: uups.address };
    await invoke(box, 'set', [42n]);
    await invoke(box, 'initialize', [1n], { status: '0x0' });
    await invoke(box, 'upgradeToAndCall', [two.address, '0x']);
    assert.equal(BigInt(await call(box, 'version')), 2n);
    await compareStorage(box, IMPLEMENTATION_SLOT);
    const made = await deploy(
      'Transparent',
      ['address', 'address', 'bytes'],
      [one.address, owner.address, start],
    );
    assert.equal(BigInt(await call({ name: 'Box', address: made.address }, 'value')), 41n);
    await compareStorage(made, IMPLEMENTATION_SLOT, ADMIN_SLOT);
  });

  it('Clones and Create2', async () => {
    const box = await deploy('Box');
    const factory = await deploy('Factory');
    const { logs } = await invoke(factory, 'clone', [box.address, id('salt')]);
    for (const { data } of logs) {
      const clone = { name: 'Box', address: `0x${data.slice(26)}` };
      await invoke(clone, 'initialize', [5n]);
      await same('eth_getCode', clone.address, 'latest');
      await compareStorage(clone);
    }
    await invoke(factory, 'clone', [box.address, id('salt')], { status: '0x0' });
    await invoke(factory, 'create2', [contracts.Collectible.bytecode, id('other')]);
    await invoke(factory, 'create2', [contracts.Collectible.bytecode, id('other')], { status: '0x0' });
  });

  it('nonces of the senders', async () => {
    for (const { address } of [owner, other]) await same('eth_getTransactionCount', address, 'latest');
  });
});
