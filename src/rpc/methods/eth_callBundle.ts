import { concatBytes } from '@ethereumjs/util';
import { nextBaseFee } from '../../chain/fees.ts';
import { DevnetError } from '../../errors.ts';
import { keccak256 } from '../../state/keccak.ts';
import { blockNumber } from '../codec/block-ref.ts';
import { array, object, optional } from '../codec/codec.ts';
import { hex } from '../codec/hex.ts';
import { address, data, quantity, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatBundle } from '../format/bundle.ts';
import { blockAt } from '../read/block-at.ts';
import { callErrors } from '../read/failed-calls.ts';

const bundle = object('a bundle of signed transactions', {
  txs: array(data),
  blockNumber: uint64,
  stateBlockNumber: blockNumber,
  coinbase: optional(address),
  timestamp: optional(uint64),
  gasLimit: optional(uint64),
  baseFee: optional(quantity),
});

/**
 * Executes signed transactions on the state of the block `stateBlockNumber` as if they were in the block `blockNumber`, without sending
 * them (Flashbots). All of them must be valid there. `coinbase`, `timestamp`, `gasLimit` and `baseFee` set the fields of that block; by
 * default they follow from the state's block, one second later. `difficulty` and `timeout` are ignored; `--rpc-timeout` limits the time.
 * Amounts in the result are decimal text in wei.
 * @returns `{ bundleHash, bundleGasPrice, coinbaseDiff, ethSentToCoinbase, gasFees, results, stateBlockNumber, totalGasUsed }`;
 * `results` has for each transaction `{ txHash, fromAddress, toAddress, gasUsed, gasPrice, gasFees, coinbaseDiff,
 * ethSentToCoinbase, value }`, or `error` and `revert` in place of `value`
 * @geth geth has no such method; it is mev-geth's
 * @throws transactionRejected
 */
export const eth_callBundle = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [bundle],
  handler: async ({ chain, caller, decoder, forks, contracts, pauses }, given) => {
    const { txs, blockNumber: number, stateBlockNumber, timestamp, coinbase, baseFee, ...block } = given;
    const refuse = (reason: string) => new DevnetError('invalidParams', { reason: `params[0]: ${reason}` });
    if (txs.length === 0) throw refuse('bundle missing txs');
    if (number === 0n) throw refuse('bundle missing blockNumber');
    const transactions = txs.map((raw) => decoder.decode(raw));
    const view = await blockAt(chain, stateBlockNumber);
    const { header } = view;
    const time = timestamp ?? header.timestamp + 1n;
    const feeRecipient = coinbase ?? header.coinbase;
    const baseFeePerGas = baseFee ?? nextBaseFee(header, forks.at(number, time, header.difficulty));
    const balanceOf = async (state: typeof view.state) =>
      (await state.getAccount(feeRecipient))?.balance ?? 0n;
    const balances = [await balanceOf(view.state)];
    const watched = transactions.map((transaction) => ({
      transaction,
      ended: async (_: unknown, state: typeof view.state) => {
        balances.push(await balanceOf(state));
      },
    }));
    const executed = await caller.transactInSequence(view, watched, {
      block: { ...block, number, time, feeRecipient, ...(baseFeePerGas !== undefined && { baseFeePerGas }) },
      pauses,
    });
    const errors = await callErrors({ contracts }, executed);
    return {
      bundleHash: hex(keccak256(concatBytes(...transactions.map(({ hash }) => hash)))),
      ...formatBundle(transactions, executed, errors, balances, baseFeePerGas ?? 0n),
      stateBlockNumber: Number(header.number),
    };
  },
});
