import { bytesToHex, concatBytes } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../src/engine/engine-name.ts';
import { CaseRunner } from '../../src/replay/consensus/run-case.ts';
import { CONSOLIDATION_REQUESTS, WITHDRAWAL_REQUESTS } from '../../src/state/genesis-code.ts';
import { ConsensusBuilder } from '../replay/consensus/builder.ts';

/** EIP-8037: what a call of the protocol has, beside which there is a reservoir of 16 slots. */
const GAS = 30_000_000;
const RESERVOIR = 16 * 97_920;
/** Two pushes and SSTORE from 0, of which the state gas comes out of the reservoir first. */
const SLOT = 3 + 3 + 12_100 + 97_920;
const SLOTS = Math.floor((GAS + RESERVOIR) / SLOT);

/** Code that sets slots with all the gas that a call of the protocol has, and a rest in JUMPDESTs of 1 gas. @param more gas than that */
function spending(more: number): Uint8Array {
  const slots = Array.from({ length: SLOTS }, (_, i) => [0x60, 1, 0x61, i >> 8, i & 0xff, 0x55]);
  const left = GAS + RESERVOIR - SLOTS * SLOT;
  return concatBytes(...slots.map((bytes) => Uint8Array.from(bytes)), new Uint8Array(left + more).fill(0x5b));
}

/*
 * EIP-7002 and EIP-7251: "If the call to the contract fails or returns an error, the block MUST be invalidated." EthereumJS 10.1.3 looks at the
 * error for the contracts of EIP-8282 only, so cases that it has filled may expect such a block: so does
 * test_system_contract_errors[fork_Amsterdam-...system_contract_reaches_gas_limit-...7002]. Its contract sets 704 slots, which
 * took exactly 30,000,000 gas by an older schedule. By that of v8.1 they take 8.5 million execution gas and 68.9 million state gas.
 */
describe.each(ENGINES)('a block whose system call takes, engine %s,', (engine) => {
  const resultOf = async (address: string, more: number) => {
    const runner = await CaseRunner.create();
    const builder = new ConsensusBuilder('Amsterdam', { codes: { [address]: spending(more) } });
    const block = await builder.next(builder.genesis);
    const { lastblockhash: head, ...result } = await runner.run(builder.valid(block).build(block), {
      engine,
    });
    return { ...result, isHead: head === bytesToHex(block.hash) };
  };

  it.each([WITHDRAWAL_REQUESTS, CONSOLIDATION_REQUESTS])(
    'all of its gas is valid, one more makes it invalid: $address',
    async ({ address }) => {
      expect(await resultOf(address, 0)).toEqual({ pass: true, isHead: true });
      expect(await resultOf(address, 1)).toEqual({
        pass: false,
        isHead: false,
        error: expect.stringContaining(`system contract failed: ${address}`),
      });
    },
  );
});
