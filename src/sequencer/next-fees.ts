import type { Header } from '../chain/block.ts';
import { blobBaseFee, nextBaseFee, nextExcessBlobGas } from '../chain/fees.ts';
import type { ProductionDeps } from './production.ts';

/** wei per gas, and per blob gas; `undefined` where the fork has none */
export interface NextFees {
  readonly baseFee: bigint | undefined;
  readonly blobBaseFee: bigint | undefined;
}

/** Fees of the open block, or of the one that would be mined now. */
export function nextFees(
  open: Header | undefined,
  { chain, engine, settings, clock }: Pick<ProductionDeps, 'chain' | 'engine' | 'settings' | 'clock'>,
): NextFees {
  if (open) {
    const fork = engine.schedule.at(open.number, open.timestamp);
    return { baseFee: open.baseFeePerGas, blobBaseFee: blobBaseFee(open.excessBlobGas, fork) };
  }
  const parent = chain.latest.header;
  const plan = settings.plan(parent, clock.now());
  const fork = engine.schedule.at(parent.number + 1n, plan.timestamp);
  return {
    baseFee: plan.baseFeePerGas ?? nextBaseFee(parent, fork),
    blobBaseFee: blobBaseFee(nextExcessBlobGas(parent, fork), fork),
  };
}
