import { decoder } from '../abi/contracts.ts';
import { failureOf } from '../data/reasons.ts';
import type { Hex } from '../data/types.ts';
import { sourceOf } from '../names/source-of.ts';
import { Call } from '../parts/decoded.tsx';
import type { Execution } from './types.ts';

/** Why a transaction failed: Hardhat's message, in which a custom error has the names and units of its values. */
export function FailureMessage({ hash, failure }: { hash: Hex; failure: NonNullable<Execution['failure']> }) {
  const message = failure.message.replace(/^VM Exception while processing transaction: /, '');
  const [, before, error, after] = /^(reverted with custom error ')(.*)(')$/s.exec(message) ?? [];
  const frame = failureOf(hash);
  const data = frame?.output ?? '0x';
  const decoded = error && data !== '0x' ? decoder.value?.error(data, sourceOf(frame!.to)) : undefined;
  const isSame = decoded && !decoded.broken && error!.startsWith(`${decoded.name}(`);
  return (
    <p class="panel failure" role="note">
      <b class="bad long">
        {isSame ? (
          <>
            {before}
            <Call decoded={decoded} raw={data} contract={frame!.to} />
            {after}
          </>
        ) : (
          message
        )}
      </b>
    </p>
  );
}
