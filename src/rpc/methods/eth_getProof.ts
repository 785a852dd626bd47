import { EMPTY_CODE_HASH } from '../../state/account.ts';
import { TrieState } from '../../state/trie-state.ts';
import { blockRef } from '../codec/block-ref.ts';
import { array } from '../codec/codec.ts';
import { hex, quantity, word } from '../codec/hex.ts';
import { address, storageKey } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { proofElsewhere } from '../fork/proof.ts';
import { blockAt } from '../read/block-at.ts';

/**
 * EIP-1186: an account and some of its slots with Merkle proofs against the block's state root.
 * @returns `{ address, accountProof, balance, codeHash, nonce, storageHash, storageProof }`
 */
export const eth_getProof = defineMethod({
  kind: 'read',
  forkable: true,
  params: [address, array(storageKey), blockRef],
  handler: async ({ chain, fork }, account, keys, ref) => {
    const block = await blockAt(chain, ref);
    const { state } = block;
    if (!(state instanceof TrieState)) return proofElsewhere(fork, block, account);
    const proof = state.prove(
      account,
      keys.map(({ slot }) => slot),
    );
    return {
      address: account.toString(),
      accountProof: proof.accountProof.map(hex),
      balance: quantity(proof.account?.balance ?? 0n),
      codeHash: hex(proof.account?.codeHash ?? EMPTY_CODE_HASH),
      nonce: quantity(proof.account?.nonce ?? 0n),
      storageHash: hex(proof.storageHash),
      storageProof: proof.storage.map(({ value, proof: nodes }, i) => ({
        key: keys[i]!.name,
        value: quantity(BigInt(word(value))),
        proof: nodes.map(hex),
      })),
    };
  },
});
