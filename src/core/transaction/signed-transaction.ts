// Adds a signed transaction to the open block from its encoding.
import { MISSING, NEEDS_SENDER, NONE } from '../memory/halts.ts';
import { base } from '../memory/heap.ts';
import { knowsSender } from './known-senders.ts';
import { SCRATCH, TX_EXEMPT, TX_FROM } from '../memory/layout.ts';
import { run, start } from './run.ts';
import { decode, inputs } from './transaction.ts';
import { reverse, setWord } from '../memory/words.ts';

/**
 * Adds a transaction to the open block, and runs it until it has ended or has to pause.
 * @param offset offset of its n bytes in the inputs
 * @param hasSender 1: the 20 bytes of its sender's address follow there; 0: the sender is recovered from the signature
 * @param exempt the rules that don't apply, as at TX_EXEMPT
 * @returns NEEDS_SENDER: the host has to recover the sender, and to call {@link beginSigned}. Below 0: a fault, see faults.ts. Otherwise
 * the result of {@link beginSigned}.
 */
export function includeSigned(offset: u32, n: u32, hasSender: u32, exempt: u32, fuel: i64): i32 {
  const fault = decode(offset, n);
  if (fault) return fault;
  store<u32>(TX_EXEMPT, exempt);
  if (hasSender) {
    setWord(SCRATCH, 0);
    memory.copy(SCRATCH + 12, base(inputs) + offset + n, 20);
    reverse(TX_FROM, SCRATCH);
  } else if (!knowsSender()) return NEEDS_SENDER;
  return beginSigned(fuel);
}

/**
 * Runs the transaction at TX until it has ended or has to pause.
 * @returns NONE: it hasn't begun, since state is missing; NEEDS_SIGNER: the host has to recover a signer first; in both cases start()
 * begins it then. Below 0: see faults.ts. In all these cases nothing has changed. Otherwise the result of run().
 */
export function beginSigned(fuel: i64): i32 {
  const begun = start();
  if (begun == NONE) return run(fuel);
  return begun == MISSING ? NONE : begun;
}
