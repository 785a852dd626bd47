// The end of a frame: what it returns to its caller, or rolls back.
import { ADDRESS } from '../state/accounts.ts';
import { passOutput } from './calls.ts';
import { countEnd, counts } from './counts.ts';
import { depositCode } from './creates.ts';
import { dropDestroyed } from './destroyed.ts';
import { callEnds } from './events.ts';
import { releaseSegments } from './evm-memory.ts';
import {
  ACCOUNT_CHARGE, CREATES, DESTROYED_MARK, frame, GAS, giveGas, JOURNAL_MARK, LOG_MARK, MEMORY, OUT, OUT_SIZE, pushed,
  REFUND_MARK, RETURN_AT, RETURN_SIZE, SELF, setFrame, SPILL,
} from './frames.ts';
import { DONE, OUT_OF_FUEL, REVERTED } from '../memory/halts.ts';
import { revertTo } from '../state/journal.ts';
import { FRAME_SIZE } from '../memory/layout.ts';
import { dropLogs } from './logs.ts';
import { setRefund } from './refund.ts';
import { clearReturned, setReturned } from './returned.ts';
import { returnStateGas, undoStateGas } from './state-gas.ts';
import { copyWord, setWord } from '../memory/words.ts';

/** Whether the code means that a frame has failed. */
/* @inline */ export function isFailure(halt: i32): bool {
  return halt >= REVERTED && halt < OUT_OF_FUEL;
}

/** Stores the code of a creation, and rolls back the frame's effects if it failed. @returns how the frame has actually ended */
export function settleFrame(halt: i32): i32 {
  if (halt == DONE && load<u32>(frame, CREATES)) halt = depositCode(load<u32>(frame, SELF));
  if (isFailure(halt)) {
    revertTo(load<u32>(frame, JOURNAL_MARK));
    dropLogs(load<u32>(frame, LOG_MARK));
    dropDestroyed(load<u32>(frame, DESTROYED_MARK));
    setRefund(load<i64>(frame, REFUND_MARK));
    undoStateGas();
    if (halt != REVERTED) store<i64>(frame, 0, GAS);
  }
  return halt;
}

/** Ends the current frame; its caller continues. */
export function endFrame(ended: i32): void {
  const halt = settleFrame(ended), callee = frame;
  if (TELLS_STEPS && counts) countEnd(isFailure(halt));
  const creates = load<u32>(callee, CREATES) != 0;
  // A creation returns data to its caller only if it reverted (EIP-211).
  if (halt == REVERTED || (halt == DONE && !creates)) {
    const output = <usize>load<u32>(callee, MEMORY) + load<u32>(callee, RETURN_AT);
    setReturned(output, load<u32>(callee, RETURN_SIZE));
  } else clearReturned();
  callEnds(
    halt, load<i64>(callee, GAS), <usize>load<u32>(callee, MEMORY) + load<u32>(callee, RETURN_AT),
    // Code whose deposit can't be paid is not reported as output.
    halt == DONE || halt == REVERTED ? load<u32>(callee, RETURN_SIZE) : 0,
  );
  releaseSegments(callee);
  setFrame(callee - FRAME_SIZE);
  giveGas(load<i64>(callee, GAS));
  store<i64>(frame, load<i64>(frame, SPILL) + load<i64>(callee, SPILL), SPILL);
  if (isFailure(halt)) returnStateGas(load<i64>(callee, ACCOUNT_CHARGE));
  if (creates) {
    if (halt == DONE) copyWord(pushed(), <usize>load<u32>(callee, SELF) + ADDRESS);
    else setWord(pushed(), 0);
    return;
  }
  passOutput(load<u32>(callee, OUT), load<u32>(callee, OUT_SIZE));
  setWord(pushed(), u64(halt == DONE));
}
