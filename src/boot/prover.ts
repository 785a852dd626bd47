import { equalsBytes } from '@ethereumjs/util';
import type { Prover } from '../remote/remote-block.ts';
import { BadAnswer, readBytes, writeBytes } from '../remote/wire.ts';
import { keccak256 } from '../state/keccak.ts';
import { BadProof, proveAccount, proveSlot } from '../state/verify-proof.ts';

/** Verifies results of `eth_getProof` against a block's state root. @param stateRoot 32 bytes */
export function proverOf(stateRoot: Uint8Array): Prover {
  const account = (answer: unknown, address: Uint8Array) => {
    const { accountProof } = fieldsOf(answer);
    return proved('accountProof', () =>
      proveAccount(stateRoot, address, nodesOf(accountProof, 'accountProof')),
    );
  };
  return {
    account: (answer, address, code) => {
      const { nonce, balance, codeHash } = account(answer, address);
      const hash = keccak256(code);
      if (!equalsBytes(hash, codeHash))
        throw new BadAnswer('the code', `code with the hash ${writeBytes(codeHash)}`, writeBytes(hash));
      return { nonce, balance, code };
    },
    slot: (answer, address, slot) => {
      const { storageProof } = fieldsOf(answer);
      const { proof } = Array.isArray(storageProof) ? fieldsOf(storageProof[0]) : {};
      const { storageRoot } = account(answer, address);
      return proved('storageProof', () => proveSlot(storageRoot, slot, nodesOf(proof, 'storageProof')));
    },
  };
}

function proved<T>(name: string, prove: () => T): T {
  try {
    return prove();
  } catch (error) {
    if (error instanceof BadAnswer) throw error;
    const reason = error instanceof BadProof ? error.message : 'a node is no RLP';
    throw new BadAnswer(name, `a Merkle proof under the fork block's state root (${reason})`, 'another');
  }
}

function nodesOf(proof: unknown, name: string): Uint8Array[] {
  if (!Array.isArray(proof)) throw new BadAnswer(name, 'a list of nodes', proof);
  return proof.map((node) => readBytes(node, name));
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new BadAnswer('the proof', 'an object', value);
  return value as Readonly<Record<string, unknown>>;
}
