import { decoder } from '../abi/contracts.ts';
import { failingPath } from '../data/failing-path.ts';
import type { Frame } from '../data/types.ts';
import { sourceOf } from '../names/source-of.ts';
import { Call } from '../parts/decoded.tsx';
import type { Execution } from './types.ts';

/**
 * The reason why a transaction failed: Hardhat's message, with a custom error's arguments shown with names and units.
 * @param trace the call trace; while it isn't known the message is shown unchanged
 */
export function FailureMessage(props: {
  failure: NonNullable<Execution['failure']>;
  trace: Frame | null | undefined;
}) {
  const { failure, trace } = props;
  const message = failure.message.replace(/^VM Exception while processing transaction: /, '');
  const [, before, error = '', after] = /^(reverted with custom error ')(.*)(')$/s.exec(message) ?? [];
  const frame = trace ? (failingPath(trace).at(-1) ?? trace) : undefined;
  const data = frame?.output ?? '0x';
  const decoded = error && data !== '0x' ? decoder.value?.error(data, sourceOf(frame?.to)) : undefined;
  return (
    <p class="panel failure" role="note">
      <b class="bad long">
        {decoded && !decoded.broken && error.startsWith(`${decoded.name}(`) ? (
          <>
            {before}
            <Call decoded={decoded} raw={data} contract={frame?.to} />
            {after}
          </>
        ) : (
          message
        )}
      </b>
    </p>
  );
}
