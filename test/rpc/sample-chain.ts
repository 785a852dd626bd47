import {
  bytes,
  FakeChain,
  fakeBlock,
  fakeLog,
  fakeState,
  fakeTransaction,
  GWEI,
  SENDER,
} from './fake-chain.ts';

export const A = SENDER.toString();
export const TOPIC = bytes(0x11);
export const SLOT_ONE = `0x${'00'.repeat(31)}01`;

export const legacy = fakeTransaction({ type: 0, nonce: 0n, gasPrice: 3n * GWEI });
export const dynamic = fakeTransaction({
  type: 2,
  nonce: 1n,
  maxFeePerGas: 9n * GWEI,
  maxPriorityFeePerGas: 2n * GWEI,
});
export const preconfirmed = fakeTransaction({
  type: 2,
  nonce: 2n,
  maxFeePerGas: 9n * GWEI,
  maxPriorityFeePerGas: GWEI,
});

/** A genesis, a block of two transactions by A with three logs, and a pending block of one with one. */
export function chain(async = false): FakeChain {
  const genesis = fakeBlock(0n, bytes(0));
  const one = fakeBlock(
    1n,
    genesis.hash,
    [
      { transaction: legacy, logs: [fakeLog([TOPIC]), fakeLog()] },
      { transaction: dynamic, logs: [fakeLog([bytes(0x22), TOPIC])], gasUsed: 60_000n },
    ],
    {},
    {
      state: fakeState(
        { [A]: { nonce: 2n, balance: 255n, code: Uint8Array.of(0x60) } },
        { [`${A}/${SLOT_ONE}`]: Uint8Array.of(7) },
        async,
      ),
    },
  );
  const pending = fakeBlock(
    2n,
    one.hash,
    [{ transaction: preconfirmed, logs: [fakeLog([TOPIC])] }],
    { baseFeePerGas: 2n * GWEI },
    { state: fakeState({ [A]: { nonce: 3n, balance: 254n } }, {}, async) },
  );
  return new FakeChain([genesis, one], pending);
}
