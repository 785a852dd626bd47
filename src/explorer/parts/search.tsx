import { useState } from 'preact/hooks';
import { rpc } from '../app.ts';
import { go } from '../route.ts';

/** Finds a block by number or hash, a flashblock as 12.3, a transaction or an address. */
export function Search() {
  const [problem, setProblem] = useState('');
  const find = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const text = String(new FormData(form).get('text')).trim();
    if (text === '') return;
    const found = await destination(text).catch(() => undefined);
    setProblem(found ? '' : 'nothing found');
    if (found) {
      go(...found);
      form.reset();
    }
  };
  return (
    <search class="search">
      <form onSubmit={find}>
        <input
          name="text"
          type="search"
          aria-label="Search: block number, flashblock as 12.3, hash or address"
          placeholder="block, hash, address"
          autocomplete="off"
          spellcheck={false}
          onInput={() => setProblem('')}
        />
        <span role="status" class="bad">
          {problem}
        </span>
      </form>
    </search>
  );
}

/** The page for what was typed; `undefined` when the node doesn't know it. */
async function destination(text: string): Promise<readonly (string | number)[] | undefined> {
  const plain = text.replaceAll(',', '');
  if (/^(pending|latest|earliest|safe|finalized)$/.test(plain)) return ['block', plain];
  const [, block, index] = /^(\d+)(?:[./](\d+))?$/.exec(plain) ?? [];
  if (block !== undefined) return index === undefined ? ['block', block] : ['block', block, index];
  if (/^0x[\da-f]{40}$/i.test(text)) return ['address', text];
  if (!/^0x[\da-f]{64}$/i.test(text)) return undefined;
  if (await rpc.call('eth_getTransactionByHash', text)) return ['tx', text];
  if (await rpc.call('eth_getBlockByHash', text, false)) return ['block', text];
  // It may have been dropped.
  return ['tx', text];
}
