import type { AbiFunction } from 'viem';
import { artifactOfContract, decoder, hasAbis } from '../abi/contracts.ts';
import type { Hex } from '../data/types.ts';
import { sourceOf } from '../names/source-of.ts';
import { isAwaited, tokenOf } from '../names/tokens.ts';
import { Panel, Waiting } from '../parts/values.tsx';
import { ReadForm, signatureOf, WriteForm } from './function-form.tsx';

/** The functions of a contract: those of its artifact, otherwise those of the token standard that it follows. */
export function functionsOf(address: Hex): readonly AbiFunction[] {
  // Requests the token's decimals and symbol, so that the forms accept amounts in its unit.
  tokenOf(address);
  const artifact = artifactOfContract(address);
  if (artifact) return artifact.abi.filter((item) => item.type === 'function');
  const source = sourceOf(address);
  return source ? (decoder.value?.functions(source).map(({ item }) => item) ?? []) : [];
}

/** The functions that read (view and pure), or those that write. */
export function Functions({ address, writes }: { address: Hex; writes: boolean }) {
  const functions = functionsOf(address).filter(
    ({ stateMutability }) => (stateMutability === 'view' || stateMutability === 'pure') !== writes,
  );
  const isKnown = hasAbis.value && !isAwaited(address);
  // Functions without parameters, which are called at once, come first.
  const list = [...functions].sort((a, b) => Number(a.inputs.length > 0) - Number(b.inputs.length > 0));
  return (
    <Panel
      title={writes ? 'Send a transaction to a function' : 'Read from the contract'}
      aside={<span class="dim small">{writes ? 'amounts take 1.5 ether or 1e18' : 'at pending'}</span>}
    >
      {list.length === 0 && !isKnown && <Waiting error={undefined} />}
      {list.length === 0 && isKnown && (
        <p class="empty">
          {functionsOf(address).length > 0
            ? `It has no functions that ${writes ? 'write' : 'read'}.`
            : 'No ABI is known for this contract: drop its artifact on this page.'}
        </p>
      )}
      {list.map((item) =>
        writes ? (
          <WriteForm key={signatureOf(item)} address={address} item={item} />
        ) : (
          <ReadForm key={signatureOf(item)} address={address} item={item} />
        ),
      )}
    </Panel>
  );
}
