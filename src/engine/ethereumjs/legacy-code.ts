import { type Address, bigIntToBytes, equalsBytes, setLengthLeft } from '@ethereumjs/util';
import type { Hardfork } from '../../protocol/hardfork.ts';
import { bytesAt, type OpcodeTable, type RunState, toAddress } from './opcode-step.ts';

type Opcode = OpcodeTable[number];

/** The first bytes of an EOF container (EIP-3540). No hardfork includes EOF. */
const EOF = Uint8Array.of(0xef, 0x00);
const EXTCODESIZE = 0x3b;
const EXTCODECOPY = 0x3c;
const EXTCODEHASH = 0x3f;
const CREATE = 0xf0;
const CREATE2 = 0xf5;

/**
 * The opcodes of a hardfork, changed so that they treat code that begins with 0xef00 like any other code. The library treats such code as
 * an EOF container in every hardfork, and its opcodes neither show nor create it.
 */
export function withLegacyCode(table: OpcodeTable, hardfork: Hardfork): OpcodeTable {
  const changed = [...table];
  const change = (code: number, run: (runState: RunState) => Promise<boolean>) => {
    const { opHandler, ...entry } = table[code]!;
    changed[code] = {
      ...entry,
      opHandler: async (runState, common) => {
        if (!(await run(runState))) await opHandler(runState, common);
      },
    } as Opcode;
  };
  for (const code of [EXTCODESIZE, EXTCODECOPY, EXTCODEHASH])
    change(code, (runState) => showCode(code, runState));
  const most = hardfork.has(3860) ? hardfork.param('maxInitCodeSize') : undefined;
  for (const code of [CREATE, CREATE2]) change(code, (runState) => create(code, runState, most));
  return changed;
}

function begins(code: Uint8Array): boolean {
  return equalsBytes(code.subarray(0, 2), EOF);
}

/** Runs EXTCODESIZE, EXTCODECOPY or EXTCODEHASH. @returns false if the library's handler must run instead */
async function showCode(
  opcode: number,
  { stack, stateManager, memory, interpreter }: RunState,
): Promise<boolean> {
  if (stack.length < (opcode === EXTCODECOPY ? 4 : 1)) return false;
  const address: Address = toAddress(stack.peek(1)[0]!);
  const code = await stateManager.getCode(address);
  if (!begins(code)) return false;
  interpreter._evm.blockLevelAccessList?.addAddress(address.toString());
  stack.pop();
  if (opcode === EXTCODESIZE) stack.push(BigInt(code.length));
  else if (opcode === EXTCODEHASH) {
    const account = await stateManager.getAccount(address);
    stack.push(BigInt(`0x${Buffer.from(account!.codeHash).toString('hex')}`));
  } else {
    const [to, from, length] = stack.popN(3) as [bigint, bigint, bigint];
    if (length > 0n) {
      const at = from < code.length ? Number(from) : code.length;
      memory.write(Number(to), Number(length), bytesAt(code, at, Number(length)));
    }
  }
  return true;
}

/** Runs CREATE or CREATE2. @param most limit of init code in bytes (EIP-3860) @returns false if the library's handler must run instead */
async function create(opcode: number, runState: RunState, most: bigint | undefined): Promise<boolean> {
  const { stack, memory, interpreter } = runState;
  const words = opcode === CREATE ? 3 : 4;
  if (stack.length < words || interpreter.isStatic()) return false;
  const [value, offset, length, salt] = stack.peek(words) as [bigint, bigint, bigint, bigint?];
  if (length < 2n || (most !== undefined && length > most)) return false;
  const code = memory.read(Number(offset), Number(length), true);
  if (!begins(code)) return false;
  stack.popN(words);
  const gas = runState.messageGasLimit!;
  delete runState.messageGasLimit;
  const word = salt === undefined ? undefined : setLengthLeft(bigIntToBytes(salt), 32);
  stack.push(await interpreter.create(gas, value, code, word));
  return true;
}
