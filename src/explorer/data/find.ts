import { decoder } from '../abi/contracts.ts';
import { rpc, store } from '../app.ts';
import { count, short } from '../format.ts';
import { knownContracts } from '../names/deployed.ts';
import { devAccounts } from '../names/dev-accounts.ts';
import { FIXED } from '../names/fixed.ts';
import { nameOf } from '../names/name-of.ts';
import { tokenOf } from '../names/tokens.ts';
import { linkTo } from '../route.ts';
import type { Hex } from './types.ts';

/** A suggestion of the search. */
export interface Hit {
  readonly text: string;
  /** kind of the suggested item, or details about it */
  readonly kind: string;
  readonly href: string;
  readonly address?: Hex;
}

const MAX = 8;

/** The items that a text may mean, the likeliest first: block, hash, address, account, contract, token, function. */
export function suggestions(typed: string): Hit[] {
  const text = typed.trim();
  if (text === '') return devAccounts.value.slice(0, 3).map(addressHit);
  const hits = [...byNumber(text.replaceAll(',', '')), ...byHex(text), ...byName(text.toLowerCase())];
  const seen = new Set<string>();
  return hits.filter(({ href }) => !seen.has(href) && seen.add(href)).slice(0, MAX);
}

function byNumber(text: string): Hit[] {
  if (/^(pending|latest|earliest|safe|finalized)$/.test(text))
    return [{ text: `${text} block`, kind: 'block', href: `#/block/${text}` }];
  const [, block, index] = /^(\d{1,15})(?:[./](\d{1,9}))?$/.exec(text) ?? [];
  if (block === undefined) return [];
  if (index !== undefined)
    return [
      {
        text: `flashblock ${index} of block ${count(block as Hex)}`,
        kind: 'flashblock',
        href: `#/block/${block}/${index}`,
      },
    ];
  const account = devAccounts.value[Number(block)];
  const head = Number(store.sealed.value.at(-1)?.number ?? 0);
  const hit = {
    text: `Block ${count(Number(block))}`,
    kind: Number(block) > head ? 'not there yet' : 'block',
    href: `#/block/${block}`,
  };
  return account ? [hit, addressHit(account)] : [hit];
}

function byHex(text: string): Hit[] {
  if (/^0x[\da-f]{40}$/i.test(text)) return [addressHit(text as Hex)];
  if (/^0x[\da-f]{64}$/i.test(text)) {
    const isBlock = store.knows(text as Hex);
    return [
      {
        text: short(text, 8),
        kind: isBlock ? 'block' : 'hash',
        href: isBlock ? `#/block/${text}` : `#/tx/${text}`,
      },
    ];
  }
  if (!/^0x[\da-f]{3,}$/i.test(text)) return [];
  const begins = (it: string) => it.toLowerCase().startsWith(text.toLowerCase());
  const transactions = store.recent.value.filter(({ transaction }) => begins(transaction.hash));
  return [
    ...[...devAccounts.value, ...knownContracts()].filter(begins).map(addressHit),
    ...transactions.map(({ transaction: { hash } }) => ({
      text: short(hash, 8),
      kind: 'transaction',
      href: `#/tx/${hash}`,
    })),
  ];
}

function byName(text: string): Hit[] {
  const matches = (name: string) => name.toLowerCase().includes(text);
  const places = [...devAccounts.value, ...knownContracts(), ...(Object.keys(FIXED) as Hex[])];
  const addresses = [...new Set(places)].filter(
    (address) => matches(nameOf(address)?.text ?? '') || matches(tokenOf(address)?.symbol ?? ''),
  );
  const functions = (decoder.value?.functions() ?? []).filter(({ item }) => matches(item.name));
  const exactFirst = (a: Hit, b: Hit) =>
    Number(b.text.toLowerCase() === text) - Number(a.text.toLowerCase() === text);
  return [
    ...addresses.map(addressHit),
    ...functions.slice(0, MAX).map(({ item, source, selector }) => ({
      text: `${item.name}(${item.inputs.map(({ type }) => type).join(', ')})`,
      kind: `function of ${source}`,
      href: linkTo('transactions', { function: selector }),
    })),
  ].sort(exactFirst);
}

function addressHit(address: Hex): Hit {
  const name = nameOf(address)?.text;
  const isAccount = nameOf(address)?.index !== undefined;
  return {
    text: name ?? short(address, 8),
    kind: isAccount || name ? short(address) : 'address',
    href: `#/address/${address}`,
    address,
  };
}

/** The page for an entered text; `undefined` if the text matches nothing. */
export async function destination(typed: string): Promise<string | undefined> {
  const text = typed.trim();
  if (/^0x[\da-f]{64}$/i.test(text)) {
    const [transaction, block] = await Promise.all([
      rpc.call('eth_getTransactionByHash', text),
      rpc.call('eth_getBlockByHash', text, false),
    ]);
    // A hash that is neither may be the hash of a dropped transaction.
    return block && !transaction ? `#/block/${text}` : `#/tx/${text}`;
  }
  return suggestions(text)[0]?.href;
}
