import type { ComponentChildren } from 'preact';
import { rpc } from '../app.ts';
import { balancesOf, type Held, holdingsOf } from '../data/holdings-of.ts';
import { keyOf } from '../data/tokens.ts';
import type { Hex } from '../data/types.ts';
import { count, etherText } from '../format.ts';
import { Address } from '../parts/address.tsx';
import { amountOf } from '../parts/amount.tsx';
import { useRemote } from '../parts/use-remote.ts';
import { Panel, Table, Waiting } from '../parts/values.tsx';

/** What an address owns at `latest` and `pending`: ETH and tokens. For a token contract also the holders of its tokens. */
export function Owns(props: { address: Hex; head: string; moment: string; isContract: boolean }) {
  const { address, head, moment, isContract } = props;
  const found = useRemote(`${head} ${isContract}`, () => holdingsOf(address, isContract));
  const held = useRemote(`${moment} ${found.value?.length}`, () => balancesOf(found.value ?? []));
  const own = held.value?.filter(({ holding }) => holding.holder === address.toLowerCase()) ?? [];
  // The largest holder comes first.
  const others = (held.value?.filter(({ holding }) => holding.holder !== address.toLowerCase()) ?? []).sort(
    (a, b) => Number(b.pending - a.pending),
  );
  return (
    <>
      <Panel title="Owns">
        <Table label="What it owns" head={['asset', 'standard', '#latest', '#pending']}>
          <Ether address={address} moment={moment}>
            {own.map((it) => (
              <TokenRow key={keyOf(it.holding)} held={it} />
            ))}
          </Ether>
        </Table>
        {found.error && <Waiting error={found.error} />}
      </Panel>
      {others.length > 0 && (
        <Panel title="Holders">
          <Table label="Holders of its tokens" head={['holder', 'standard', '#latest', '#pending']}>
            {others.map((it) => (
              <TokenRow key={keyOf(it.holding)} held={it} ofHolder />
            ))}
          </Table>
        </Panel>
      )}
    </>
  );
}

/** The row of ETH, then `children`, then the row of the nonce. @param children the rows of tokens */
function Ether(props: { address: Hex; moment: string; children: ComponentChildren }) {
  const { address, moment, children } = props;
  const read = useRemote(moment, () =>
    rpc.batch<Hex>(
      ['latest', 'pending'].flatMap((tag): [string, ...unknown[]][] => [
        ['eth_getBalance', address, tag],
        ['eth_getTransactionCount', address, tag],
      ]),
    ),
  );
  const [latest, nonce, pending, pendingNonce] = read.value ?? [];
  const changed = (a: Hex | undefined, b: Hex | undefined) => (a === b ? 'number' : 'number changed');
  return (
    <>
      <tr>
        <td>
          <b>ETH</b>
        </td>
        <td data-label="standard" class="dim">
          native
        </td>
        <td data-label="latest" class="number">
          {latest ? etherText(latest, 18) : (read.error ?? '…')}
        </td>
        <td data-label="pending" class={changed(latest, pending)}>
          {pending ? etherText(pending, 18) : '…'}
        </td>
      </tr>
      {children}
      <tr>
        <td class="dim">nonce</td>
        <td />
        <td data-label="latest" class="number">
          {nonce ? count(nonce) : '…'}
        </td>
        <td data-label="pending" class={changed(nonce, pendingNonce)}>
          {pendingNonce ? count(pendingNonce) : '…'}
        </td>
      </tr>
    </>
  );
}

/** @param ofHolder shows the holder in the first column instead of the token */
function TokenRow({ held: { holding, latest, pending }, ofHolder }: { held: Held; ofHolder?: boolean }) {
  const { token, id, standard, holder } = holding;
  const text = (amount: bigint) => {
    // A token of an ERC-721 has one owner: the account holds it or doesn't.
    if (standard === 'ERC-721') return amount > 0n ? amountOf({ token, id: id!, amount }) : '–';
    return amountOf({ token, ...(id !== undefined && { id }), amount });
  };
  return (
    <tr>
      <td>
        <Address value={ofHolder ? holder : token} />
      </td>
      <td data-label="standard" class="dim">
        {standard}
      </td>
      <td data-label="latest" class="number">
        {text(latest)}
      </td>
      <td data-label="pending" class={latest === pending ? 'number' : 'number changed'}>
        {text(pending)}
      </td>
    </tr>
  );
}
