import { rpc, store } from '../app.ts';
import type { Hex } from '../data/types.ts';
import { count, gwei, plural, time } from '../format.ts';
import { paceOf } from '../parts/header.tsx';
import { useRemote } from '../parts/use-remote.ts';
import { Fact, Panel } from '../parts/values.tsx';
import { turn } from './send.ts';

/** The current settings of the chain that the requests of this page change. */
export function ChainSettings() {
  const status = store.status.value!;
  const head = store.sealed.value.at(-1);
  const moved = status.timeMoved;
  const fee = useRemote(`${head?.hash} ${turn.value}`, () => rpc.call<Hex>('eth_baseFee'));
  const { accounts, all } = status.impersonated;
  const pace = paceOf(status);
  return (
    <Panel title="The chain now">
      <dl class="numbers four">
        <Fact name="blocks">{pace.blocks}</Fact>
        <Fact name="flashblocks">{pace.flashblocks}</Fact>
        <Fact name="newest block">
          {head ? (
            <>
              {count(head.number)}{' '}
              <span class="dim small" title={time(head.timestamp)}>
                {time(head.timestamp).slice(11)}
              </span>
            </>
          ) : (
            '–'
          )}
        </Fact>
        <Fact name="chain time">
          {moved === 0
            ? "same as the machine's"
            : `${count(Math.abs(moved))} s ${moved > 0 ? 'ahead' : 'behind'}`}
        </Fact>
        <Fact name="next base fee">{fee.value ? `${gwei(fee.value)} gwei` : '–'}</Fact>
        <Fact name="gas limit">{head ? count(head.gasLimit) : '–'}</Fact>
        <Fact name="waiting">{plural(status.mempool, 'transaction')}</Fact>
        <Fact name="impersonated">{all ? 'every account' : plural(accounts.length, 'account')}</Fact>
      </dl>
    </Panel>
  );
}
