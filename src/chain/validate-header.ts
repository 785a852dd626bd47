import { HEADER_FIELDS } from '../core/tables/fields.ts';
import type { Hardfork, HardforkSchedule } from '../protocol/hardfork.ts';
import type { Header } from './block.ts';
import { expectSame, refuse } from './block-fault.ts';
import { checkDaoExtraData } from './dao-fork.ts';
import { decodeFeeParameters } from './fee-parameters.ts';
import { nextBaseFee, nextExcessBlobGas } from './fees.ts';
import { NO_UNCLES, ZERO_NONCE } from './header.ts';

/** A gas limit may differ from the parent's by less than the parent's divided by this (yellow paper 4.4.4). */
const GAS_LIMIT_BOUND = 1024n;
const MIN_GAS_LIMIT = 5000n;
const MAX_EXTRA_DATA = 32;

/**
 * Checks the rules for a header after its parent, except those that need the transactions: yellow paper 4.4.4,
 * EIP-1559, 3675, 4895, 4844, 4788, 7685, 7843, 7928, 779. Doesn't check proof-of-work seals and difficulty.
 * @throws BadBlock naming the first wrong field
 */
export function validateHeader(
  header: Header,
  parent: { readonly header: Header; readonly hash: Uint8Array },
  hardfork: Hardfork,
  schedule: HardforkSchedule,
): void {
  const before = parent.header;
  expectSame('parentHash', parent.hash, header.parentHash);
  expectSame('number', before.number + 1n, header.number);
  if (header.timestamp <= before.timestamp)
    refuse('timestamp', `more than ${before.timestamp}`, header.timestamp);
  if (header.extraData.length > MAX_EXTRA_DATA)
    refuse('extraData', `at most ${MAX_EXTRA_DATA} bytes`, `${header.extraData.length} bytes`);
  checkDaoExtraData(header, schedule);
  checkGasLimit(header, before, hardfork);
  if (header.gasUsed > header.gasLimit) refuse('gasUsed', `at most ${header.gasLimit}`, header.gasUsed);
  if (afterMerge(header, before, schedule)) {
    expectSame('difficulty', 0n, header.difficulty);
    expectSame('nonce', ZERO_NONCE, header.nonce);
    expectSame('unclesHash', NO_UNCLES, header.unclesHash);
  }
  expectSame('baseFeePerGas', nextBaseFee(before, hardfork), header.baseFeePerGas);
  for (const { name, eip } of HEADER_FIELDS)
    if (eip !== undefined) expectPresence(name, hardfork.has(eip), header[name]);
  const mostBlobGas = hardfork.rollup ? header.gasLimit : hardfork.blobs?.max;
  if (mostBlobGas !== undefined && header.blobGasUsed! > mostBlobGas)
    refuse('blobGasUsed', `at most ${mostBlobGas}`, header.blobGasUsed);
  if (hardfork.rollup && !decodeFeeParameters(header.extraData))
    refuse('extraData', 'parameters of the base fee', header.extraData);
  expectSame('excessBlobGas', nextExcessBlobGas(before, hardfork), header.excessBlobGas);
}

function checkGasLimit({ gasLimit }: Header, parent: Header, hardfork: Hardfork): void {
  // EIP-1559: the first London block may use twice the gas, so that its gas target equals its parent's limit.
  const first = hardfork.has(1559) && parent.baseFeePerGas === undefined;
  const before = first ? 2n * parent.gasLimit : parent.gasLimit;
  const bound = before / GAS_LIMIT_BOUND;
  if (gasLimit >= before + bound || gasLimit <= before - bound)
    refuse('gasLimit', `${before} +- less than ${bound}`, gasLimit);
  if (gasLimit < MIN_GAS_LIMIT) refuse('gasLimit', `at least ${MIN_GAS_LIMIT}`, gasLimit);
}

/** EIP-3675: whether the header must be a proof-of-stake header. */
function afterMerge({ number }: Header, parent: Header, { mergeBlock }: HardforkSchedule): boolean {
  if (mergeBlock !== undefined && number >= mergeBlock) return true;
  return parent.number > 0n && parent.difficulty === 0n;
}

function expectPresence(field: string, present: boolean, value: Header[keyof Header]): void {
  if (present && value === undefined) refuse(field, 'a value at this fork', 'none');
  if (!present && value !== undefined)
    refuse(field, 'none at this fork', value instanceof Uint8Array ? value : value.toString());
}
