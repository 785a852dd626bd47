import { rpc } from '../app.ts';
import type { Block, Hex } from '../data/types.ts';
import { count, etherText, plural } from '../format.ts';
import { Address } from './address.tsx';
import { useRemote } from './use-remote.ts';
import { Panel, Table, Waiting } from './values.tsx';

/** A value that an account has after one transaction of the block. Index 0 is the start of the block, 1 its first transaction. */
interface Change {
  readonly index: Hex;
  readonly value: Hex;
}

/** A block's accesses to an account and changes of it, as `eth_getBlockAccessList` returns them. */
interface Accesses {
  readonly address: Hex;
  readonly storageChanges: readonly { readonly key: Hex; readonly changes: readonly Change[] }[];
  readonly storageReads: readonly Hex[];
  readonly balanceChanges: readonly Change[];
  readonly nonceChanges: readonly Change[];
  readonly codeChanges: readonly { readonly index: Hex; readonly code: Hex }[];
}

const MAX_ROWS = 500;

/** The block access list of a sealed block (EIP-7928), which blocks have from Amsterdam on. */
export function BlockAccesses({ block }: { block: Block & { readonly blockAccessListHash?: Hex } }) {
  const { hash, blockAccessListHash, transactions } = block;
  const list = useRemote(`${hash}`, async () =>
    blockAccessListHash ? await rpc.call<Accesses[] | null>('eth_getBlockAccessList', hash) : null,
  );
  if (!blockAccessListHash) return null;
  const rows = (list.value ?? []).flatMap(rowsOf);
  const when = (index: Hex) => {
    const number = Number(index);
    if (number === 0) return 'at the start';
    return number > transactions.length ? 'at the end' : `transaction ${number - 1}`;
  };
  return (
    <Panel
      title="Block access list"
      aside={<span class="dim small">{plural(list.value?.length ?? 0, 'account')}</span>}
    >
      {list.value ? (
        <Table label="What the block accessed" head={['account', 'what', 'values']}>
          {rows.slice(0, MAX_ROWS).map(({ address, what, changes }, i) => (
            <tr key={i} class={rows[i - 1]?.address === address ? '' : 'first'}>
              <td>{rows[i - 1]?.address !== address && <Address value={address} />}</td>
              <td data-label="what" class="what">
                {what}
              </td>
              <td data-label="values" class="what">
                {changes.map(({ index, value }) => (
                  <div key={index}>
                    <span class="dim">{when(index)}:</span> <code>{value}</code>
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </Table>
      ) : (
        <Waiting error={list.error} />
      )}
      {rows.length > MAX_ROWS && <p class="dim">and {count(rows.length - MAX_ROWS)} more</p>}
    </Panel>
  );
}

function rowsOf(accesses: Accesses) {
  const { address, storageChanges, storageReads, balanceChanges, nonceChanges, codeChanges } = accesses;
  const row = (what: string, changes: readonly Change[], show: (value: Hex) => string) =>
    changes.length === 0
      ? []
      : [{ address, what, changes: changes.map(({ index, value }) => ({ index, value: show(value) })) }];
  const codes = codeChanges.map(({ index, code }) => ({ index, value: code }));
  const rows = [
    ...row('balance', balanceChanges, (wei) => etherText(wei, 18)),
    ...row('nonce', nonceChanges, count),
    ...row('code', codes, (code) => plural(code.length / 2 - 1, 'byte')),
    ...storageChanges.flatMap(({ key, changes }) =>
      row(`slot ${short(key)}`, changes, (value) => `0x${BigInt(value).toString(16)}`),
    ),
    ...(storageReads.length > 0
      ? [{ address, what: `reads slot ${storageReads.map(short).join(', ')}`, changes: [] }]
      : []),
  ];
  return rows.length > 0 ? rows : [{ address, what: 'accessed', changes: [] }];
}

/** A slot without leading zeros; a hash is shortened. */
function short(key: Hex): string {
  const digits = BigInt(key).toString(16);
  return digits.length > 16 ? `0x${digits.slice(0, 8)}…${digits.slice(-8)}` : `0x${digits}`;
}
