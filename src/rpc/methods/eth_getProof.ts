import { EMPTY_CODE_HASH } from '../../state/account.ts';
import { TrieState } from '../../state/trie-state.ts';
import { blockRef } from '../codec/block-ref.ts';
import { array, isObject } from '../codec/codec.ts';
import { hex, quantity, word } from '../codec/hex.ts';
import { address, storageKey } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { remoteProof } from '../fork/proof.ts';
import { JsonList, streamOf } from '../json-pieces.ts';
import { blockAt } from '../read/block-at.ts';

const storageKeys = array(storageKey);

/**
 * Returns an account and some of its storage slots, with Merkle proofs against the block's state root (EIP-1186).
 * @returns `{ address, accountProof, balance, codeHash, nonce, storageHash, storageProof }`
 */
export const eth_getProof = defineMethod({
  kind: 'read',
  forkable: true,
  params: [address, storageKeys, blockRef],
  asNamed: (answer, [, asked]) => {
    if (!isObject(answer) || !Array.isArray(answer.storageProof)) return answer;
    const names = storageKeys.decode(asked, 'keys');
    const storageProof = answer.storageProof.map((proof, i) =>
      isObject(proof) ? { ...proof, key: names[i]?.name ?? proof.key } : proof,
    );
    return { ...answer, storageProof };
  },
  handler: async ({ chain, fork }, account, keys, ref) => {
    const block = await blockAt(chain, ref);
    const { state } = block;
    if (!(state instanceof TrieState)) return remoteProof(fork, block, account);
    const { account: found, accountProof, storageHash } = state.proveAccount(account);
    const proofs = function* () {
      const slots = state.proveSlots(
        account,
        keys.map(({ slot }) => slot),
      );
      for (const { name: key } of keys) {
        const { value, proof } = slots.next().value!;
        yield { key, value: quantity(BigInt(word(value))), proof: proof.map(hex) };
      }
    };
    return streamOf({
      address: account.toString(),
      accountProof: accountProof.map(hex),
      balance: quantity(found?.balance ?? 0n),
      codeHash: hex(found?.codeHash ?? EMPTY_CODE_HASH),
      nonce: quantity(found?.nonce ?? 0n),
      storageHash: hex(storageHash),
      storageProof: new JsonList(proofs),
    });
  },
});
