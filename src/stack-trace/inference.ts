import { bytesToHex } from '@ethereumjs/util';
import type { SentMessage, TracedMessage } from '../engine/tracers/messages.ts';
import { ERROR, PANIC, revertReason } from '../protocol/revert-reason.ts';
import { callText } from '../sources/abi/argument-text.ts';
import type { SourceFunction } from '../sources/source-file.ts';
import { integerOf } from '../state/integers.ts';
import { type Jump, withArguments } from './arguments.ts';
import { type Entry, type Place, withoutRedundant } from './entries.ts';
import { callAt, constructorPlace, contractPlace, functionPlace, isModifier, placeOf } from './places.ts';
import { causeOf, precompileNumber } from './precompile.ts';
import { type Instruction, isWholeFunction, type Location, type RunningCode } from './running-code.ts';
import {
  says,
  saysReason,
  statementSaying,
  writtenCheck,
  writtenError,
  writtenReason,
} from './statements.ts';
import { unmappedRevert } from './unmapped-revert.ts';

const REVERT = 0xfd;
const INVALID = 0xfe;
const JUMP = 0x56;
const JUMPI = 0x57;
const JUMPDEST = 0x5b;
const ISZERO = 0x15;
const LT = 0x10;
const DUP1 = 0x80;
const EXTCODESIZE = 0x3b;
const CALLVALUE = 0x34;
const CALLDATASIZE = 0x36;
const CODESIZE = 0x38;
const CODECOPY = 0x39;
const DELEGATECALL = 0xf4;
const MLOAD = 0x51;
const RETURNDATASIZE = 0x3d;
const PUSH0 = 0x5f;
const PUSH1 = 0x60;

const ENDS_OF_BLOCKS: ReadonlySet<number> = new Set([JUMP, JUMPI, JUMPDEST]);

/** Finds the sources of a contract's code. */
export type FindCode = (code: Uint8Array, isCreation: boolean) => RunningCode | undefined;

/** Entries of a stack trace, the outermost first. */
type Entries = readonly Entry[];

/**
 * The stack trace of a failed message: the outermost entry first, the failure last. The rules are Hardhat's (EDR's solidity_tracer and
 * error_inferrer), made stricter where the executed code gives more information.
 */
export function inferStackTrace(root: TracedMessage, find: FindCode): Entries {
  if (root.error === undefined) return [];
  if (root.isPrecompile) return [{ kind: 'precompile', precompile: precompileNumber(root.address) }];
  const code = root.code.length === 0 ? undefined : find(root.code, root.isCreation);
  if (!code) return unknownCode(root, find);
  const entries = new MessageInference(root, code, find).entries();
  return root.error === 'out of gas' ? asOutOfGas(entries) : entries;
}

/** If the message itself ran out of gas and no other reason was found, that is the reason. */
function asOutOfGas(entries: Entries): Entries {
  const last = entries.at(-1);
  return last?.kind === 'other'
    ? [...entries.slice(0, -1), { kind: 'out-of-gas', place: last.place }]
    : entries;
}

/** The entries for code without known sources. */
function unknownCode(message: TracedMessage, find: FindCode): Entries {
  const { isCreation, address, error, output, last } = message;
  const cause = causeOf(message, last?.message);
  if (cause) {
    const entry: Entry = isCreation ? { kind: 'unknown-create' } : { kind: 'unknown-call', address };
    return [entry, ...inferStackTrace(cause, find)];
  }
  if (error === TOO_LARGE) return [{ kind: 'code-too-large' }];
  const invalidOpcode = error!.startsWith('invalid opcode');
  return [
    isCreation
      ? { kind: 'unknown-create-failed', data: output, invalidOpcode }
      : { kind: 'unknown-contract-failed', address, data: output, invalidOpcode },
  ];
}

const TOO_LARGE = 'max code size exceeded';

/** A jump into a function that hasn't returned yet. */
interface OpenJump extends Jump {
  /** index of the function's first instruction in the executed ones */
  readonly start: number;
}

/** A function that the optimizer may have inlined. */
interface InlinedFunction {
  readonly fn: SourceFunction;
  /** the last executed instruction that is mapped to a part of it */
  last: Instruction | undefined;
}

/** Finds out why one message failed, using its sources. */
class MessageInference {
  readonly #message: TracedMessage;
  readonly #code: RunningCode;
  readonly #find: FindCode;
  readonly #instructions: readonly Instruction[];
  /** calls of the functions that haven't returned, outermost first, and the first instructions of these functions */
  readonly #stack: Entry[] = [];
  readonly #entered: Instruction[] = [];
  #jumps: readonly Jump[] = [];
  /** number of entries at the end that belong to the message which this one sent */
  #passedOn = 0;
  /** the innermost inlined function, if any */
  #inlined: SourceFunction | undefined;
  /** viaIR: indices of the executed instructions that are mapped to one of the running functions */
  readonly #own = new Set<number>();
  /** viaIR: the functions that ran at the end, as far as they are known, the outermost first; all but the last have an entry */
  #inlinedOfIr: readonly InlinedFunction[] = [];
  /** whether there was a jump into a function of the source code */
  #hasEntered = false;
  /** a function that ran in place of the called one, as its code is equal */
  #copy: SourceFunction | undefined;
  /** the jump into a helper function of the compiler in which the code ended */
  #helperSite: Instruction | undefined;

  constructor(message: TracedMessage, code: RunningCode, find: FindCode) {
    this.#message = message;
    this.#code = code;
    this.#find = find;
    this.#instructions = Array.from(message.steps, (pc) => code.at(pc));
  }

  entries(): Entries {
    const before = this.#message.isCreation ? this.#beforeCreation() : this.#beforeCall();
    if (before) return before;
    this.#walk();
    const failure = this.#failure();
    const inner = new Set(failure.slice(failure.length - this.#passedOn));
    const kept = withoutRedundant(failure);
    const own = kept.findIndex((entry) => inner.has(entry));
    const entries = this.#adjusted(kept);
    if (own < 0) return withArguments(entries, this.#jumps, this.#code, this.#message);
    const outer = withArguments(entries.slice(0, own), this.#jumps, this.#code, this.#message);
    return [...outer, ...entries.slice(own)];
  }

  /** The function that the selector belongs to. */
  get #called(): SourceFunction | undefined {
    return this.#message.isCreation ? undefined : this.#code.contract.called(this.#message.input);
  }

  /** Failures that follow from the call data and the outcome alone, regardless of the executed code. */
  #beforeCall(): Entries | undefined {
    const { depth, value, output, input } = this.#message;
    const { contract, version } = this.#code;
    const called = this.#called;
    if (contract.isLibrary && depth === 0)
      return [
        {
          kind: 'library-called-directly',
          place: called ? functionPlace(this.#code, called) : contractPlace(this.#code),
        },
      ];
    if (output.length > 0) return undefined;
    if (called) {
      if (value > 0n && !contract.isLibrary && !called.isPayable)
        return [{ kind: 'function-not-payable', place: functionPlace(this.#code, called), value }];
      return undefined;
    }
    // The ABI may have the function although its source is unknown.
    if (contract.hasFunction(input)) return undefined;
    const { fallback, receive } = contract;
    const isPlain = input.length === 0;
    if (isPlain && receive) return undefined;
    const isWithoutReceive = version >= 6000 && isPlain && !receive;
    if (!fallback)
      return [
        {
          kind: isWithoutReceive ? 'missing-receive' : 'unrecognized-selector',
          place: contractPlace(this.#code),
        },
      ];
    if (value > 0n && !fallback.isPayable)
      return [
        {
          kind: isWithoutReceive ? 'fallback-not-payable-no-receive' : 'fallback-not-payable',
          place: functionPlace(this.#code, fallback),
          value,
        },
      ];
    return undefined;
  }

  #beforeCreation(): Entries | undefined {
    const { value, output } = this.#message;
    if (output.length > 0) return undefined;
    const own = this.#code.contract.ownConstructor;
    if (value > 0n && own && !own.isPayable && this.#instructions.length > 0)
      return [{ kind: 'function-not-payable', place: constructorPlace(this.#code), value }];
    if (value > 0n && !own && this.#endsInCheckOfValue())
      return [{ kind: 'function-not-payable', place: constructorPlace(this.#code), value }];
    if (own && this.#code.version >= 5009 && this.#endsInCheckOfArguments(own))
      return [{ kind: 'invalid-params', place: constructorPlace(this.#code) }];
    return undefined;
  }

  /** Whether a creation ended in the check that no value was sent: initializers of variables may run before it. */
  #endsInCheckOfValue(): boolean {
    const { source } = this.#code.contract;
    if (this.#instructions.at(-1)?.opcode !== REVERT) return false;
    if (this.#endsIn(8, CALLVALUE, DUP1, ISZERO)) return true;
    return this.#instructions.every(({ location }) => !location || isRange(location, source));
  }

  #endsInCheckOfArguments(own: SourceFunction): boolean {
    const { source } = this.#code.contract;
    const last = this.#instructions.at(-1);
    if (last?.opcode !== REVERT || last.location) return false;
    // With viaIR a revert that doesn't depend on the arguments isn't mapped either.
    if (this.#code.isIr && this.#code.contract.isWellConstructed(bytesToHex(this.#message.input)))
      return false;
    let isRead = false;
    for (const { opcode, location } of this.#instructions) {
      if (location && !isRange(location, source) && !isRange(location, own)) return false;
      isRead ||= opcode === CODESIZE;
    }
    return isRead;
  }

  /** Follows the jumps into and out of functions. */
  #walk(): void {
    const open = this.#code.hasJumps ? this.#markedJumps() : this.#seenJumps();
    while (open.length > 0 && !isFunctionEntry(open.at(-1)!) && !this.#isOfNoFunction(open.at(-1)!)) {
      this.#helperSite = open.pop()!.site;
    }
    this.#jumps = open;
    const running: SourceFunction[] = [];
    if (!this.#message.isCreation && this.#ownFunction) running.push(this.#ownFunction);
    for (const jump of open) {
      const site = this.#siteWithin(jump, running);
      if (!site) continue;
      const entry = callAt(this.#code, site);
      const target = isFromAssembly(jump) ? { ...jump.target, location: site.location } : jump.target;
      this.#entered.push(target);
      const fn = target.location?.fn;
      if (fn && this.#isCopy(jump, running)) this.#copy = fn;
      else if (fn && isFunctionEntry(jump)) running.push(fn);
      // The dispatcher, which compares selectors, runs before the first function.
      if (entry.kind === 'internal-call' && this.#isTolerant && this.#stack.length === 0) continue;
      this.#stack.push(entry);
    }
    const { start = 0, target } = open.at(-1) ?? {};
    if (this.#code.isIr) this.#enterInlinedOfIr(start, target?.location?.fn ?? this.#ownFunction);
    else if (target && this.#code.isOptimized) this.#enterInlined(start);
  }

  /**
   * The place of a jump into a function. Of a call that several functions have, optimized code may keep one copy, which is mapped to a
   * function that doesn't run: then the last place before it within a running function is used.
   * @param running the functions that run, the outermost first
   * @returns `undefined` for such a jump into a helper: it returned to another copy's end
   */
  #siteWithin(jump: OpenJump, running: readonly SourceFunction[]): Instruction | undefined {
    const { site, start } = jump;
    const { mentions } = this.#code;
    const mayRun = ({ location }: Instruction) => {
      const fn = location?.fn;
      return fn && running.some((each) => mentions.reaches(each, fn) || isModifierOf(each, fn));
    };
    if (!this.#isTolerant || running.length === 0 || !site.location?.fn || mayRun(site)) return site;
    if (!isFunctionEntry(jump)) return undefined;
    const whole = wholeOf(running.at(-1)!);
    if (this.#isCopy(jump, running)) return { ...site, location: whole };
    const within = this.#instructions
      .slice(0, start)
      .findLast((each) => mayRun(each) && !isWholeFunction(each.location!));
    return { ...site, location: within?.location ?? whole };
  }

  /** An instruction of a function that ran in place of the called one is mapped to the whole called one. */
  #asCalled(instruction: Instruction): Instruction {
    const own = this.#ownFunction;
    if (!own || !this.#copy || instruction.location?.fn !== this.#copy) return instruction;
    return { ...instruction, location: wholeOf(own) };
  }

  /** Whether the dispatcher jumps to another function than the called one: the optimizer keeps one copy of functions with equal code. */
  #isCopy({ site, target }: OpenJump, running: readonly SourceFunction[]): boolean {
    const fn = target.location?.fn;
    if (
      !this.#isTolerant ||
      !fn ||
      running.length !== 1 ||
      (site.location && !isWholeFunction(site.location))
    )
      return false;
    return !this.#code.mentions.reaches(running[0]!, fn);
  }

  /** Whether a jump calls a function variable that was never assigned: before solc 0.8.0 that ends at an INVALID mapped to the contract. */
  #isOfNoFunction({ start, target }: OpenJump): boolean {
    if (this.#code.version >= 8000 || !target.location || target.location.fn) return false;
    return this.#instructions[start + 1]?.opcode === INVALID;
  }

  /** The jumps into functions that haven't returned, by the marks in the source map. */
  #markedJumps(): OpenJump[] {
    const instructions = this.#instructions;
    const open: OpenJump[] = [];
    for (const [i, instruction] of instructions.entries()) {
      const next = instructions[i + 1];
      if (instruction.jump === 'i' && next?.opcode === JUMPDEST) {
        if (next.location) this.#hasEntered = true;
        if (this.#code.isIr) leaveModifiers(open, next);
        if (!entersBody(instruction, next)) open.push({ site: instruction, target: next, start: i + 1 });
      } else if (instruction.jump === 'o' || (this.#isTolerant && instruction.opcode === JUMP))
        open.length = this.#depthBehind(next, open);
      else if (this.#code.isIr) leaveModifiers(open, instruction);
    }
    return open;
  }

  /** The jumps into functions that haven't returned, if nothing marks them: those whose return addresses are still on the stack. */
  #seenJumps(): OpenJump[] {
    return this.#message.internalCalls.flatMap(({ site: from, target: to }) => {
      const site = this.#code.at(from);
      const target = this.#code.at(to);
      if (target.location) this.#hasEntered = true;
      return entersBody(site, target) ? [] : [{ site, target, start: 0 }];
    });
  }

  /**
   * The number of functions that haven't returned after a jump out of one. Optimized code has such jumps without a matching jump into a
   * function, where a function ends with a call of another one, and jumps that lost their mark (solc 0.8.4): so the function has returned
   * if the jump goes to the instruction after the jump into it.
   * @param next the instruction that is jumped to
   * @param open the jumps into functions that haven't returned
   */
  #depthBehind(next: Instruction | undefined, open: readonly OpenJump[]): number {
    if (!this.#isTolerant) return Math.max(0, open.length - 1);
    const left = open.findLastIndex(({ site }) => site.pc + 1 === next?.pc);
    return left < 0 ? open.length : left;
  }

  /** Whether jumps into and out of functions may be unpaired. */
  get #isTolerant(): boolean {
    return this.#code.isOptimized || this.#code.isIr;
  }

  /**
   * Adds the calls of functions that the optimizer inlined: they are entered without a jump. A jump into another function's code goes to a
   * common ending that the optimizer merged from both functions.
   * @param start index of the first instruction of the function that was entered last
   */
  #enterInlined(start: number): void {
    const running = this.#instructions[start]!.location?.fn;
    if (!running) return;
    const open: { readonly fn: SourceFunction; last: Instruction }[] = [
      { fn: running, last: this.#instructions[start]! },
    ];
    let isShared = false;
    for (let i = start + 1; i < this.#instructions.length; i++) {
      const instruction = this.#instructions[i]!;
      const fn = instruction.location?.fn;
      if (!fn) continue;
      const at = open.findLastIndex((each) => each.fn === fn || isModifierOf(fn, each.fn));
      if (at >= 0) {
        isShared = false;
        open.length = at + 1;
        open[at]!.last = instruction;
        continue;
      }
      // A function that another one calls at its end may follow it without a jump.
      const isJumpedTo =
        instruction.opcode === JUMPDEST && hasJumped(this.#instructions[i - 1]!, instruction);
      isShared ||= isJumpedTo || (fn.kind !== 'function' && fn.kind !== 'free function');
      isShared ||= !this.#code.mentions.names(open.at(-1)!.fn, fn);
      if (!isShared) open.push({ fn, last: instruction });
    }
    for (const { last } of open.slice(0, -1)) this.#stack.push(callAt(this.#code, this.#asCalled(last)));
    if (open.length > 1) this.#inlined = open.at(-1)!.fn;
  }

  /**
   * Adds the calls of functions that viaIR inlined. An instruction that is mapped to a function which the running one doesn't mention is
   * code that the optimizer merged from both.
   * @param start index of the first instruction of the function that was entered last, or of the code
   * @param root that function, or the called one
   */
  #enterInlinedOfIr(start: number, root: SourceFunction | undefined): void {
    const { mentions } = this.#code;
    const open: InlinedFunction[] = root ? [{ fn: root, last: undefined }] : [];
    const end = this.#lastBranch;
    // The target of a condition's jump may be a common ending that the optimizer merged.
    let isShared = false;
    for (let i = start; i < this.#instructions.length; i++) {
      const instruction = this.#instructions[i]!;
      if (i === end && i > 0) isShared = instruction.opcode === JUMPDEST;
      const { location, jump } = instruction;
      if (jump === 'o') isShared = false;
      if (!location?.fn || isWholeFunction(location)) continue;
      const { fn } = location;
      const least = isShared ? open.length - 1 : 0;
      let at = open.findLastIndex((each) => each.fn === fn);
      if (at < 0) {
        const caller = Math.max(
          open.findLastIndex((each) => mentions.names(each.fn, fn)),
          open.length > 0 && mentions.reaches(open.at(-1)!.fn, fn) ? open.length - 1 : -1,
          this.#isFollowedBy(open, fn) ? open.length - 2 : -1,
        );
        if (caller < least || (caller < 0 && open.length > 0)) continue;
        // A base contract's constructor isn't called by the derived one, but replaces it in the list.
        at = fn.kind === 'constructor' ? Math.max(caller, 0) : caller + 1;
        open.length = at;
        open.push({ fn, last: undefined });
      } else if (at < least || (isShared && isBefore(location, open[at]!.last))) continue;
      open.length = at + 1;
      open[at]!.last = instruction;
      this.#own.add(i);
    }
    for (const [i, { fn, last }] of open.slice(0, -1).entries()) {
      const isCall = last !== undefined && !isModifierOf(open[i + 1]!.fn, fn);
      this.#stack.push(
        isCall ? callAt(this.#code, last) : { kind: 'call', place: functionPlace(this.#code, fn) },
      );
    }
    this.#inlinedOfIr = open;
    if (this.#running?.last) this.#hasEntered = true;
  }

  /** Whether a function may follow the innermost one: a function of which nothing is mapped calls both. */
  #isFollowedBy(open: readonly InlinedFunction[], next: SourceFunction): boolean {
    const { mentions } = this.#code;
    const [outer, inner] = open.slice(-2);
    if (!outer || !inner || mentions.names(outer.fn, inner.fn)) return false;
    for (const each of mentions.within(outer.fn))
      if (mentions.names(each, inner.fn) && mentions.names(each, next)) return true;
    return false;
  }

  /** viaIR: the function that ran last, if it is known. */
  get #running(): InlinedFunction | undefined {
    return this.#inlinedOfIr.at(-1);
  }

  /** The index of the first instruction after the last conditional jump. */
  get #lastBranch(): number {
    return this.#instructions.findLastIndex(({ opcode }) => opcode === JUMPI) + 1;
  }

  #failure(): Entries {
    return (
      this.#ofLastMessage() ??
      this.#ofRefusedCall() ??
      this.#ofLastInstruction() ??
      this.#ofCallWithoutContract() ??
      this.#ofUnmappedRevert() ??
      this.#ofLargeCode() ??
      this.#ofHelper() ?? [...this.#stack, { kind: 'other', place: this.#lastPlace() ?? this.#ownPlace() }]
    );
  }

  /** If a message that this one sent is the reason. */
  #ofLastMessage(): Entries | undefined {
    const { last: sent } = this.#message;
    if (!sent) return undefined;
    const call = callAt(this.#code, this.#asCalled(this.#sentBy(sent.at)));
    if (sent.message.error !== undefined) {
      if (!this.#isPassedOn(sent) && !this.#isPassedOnByProxy(sent)) return undefined;
      const inner = inferStackTrace(sent.message, this.#find);
      this.#passedOn = inner.length;
      const entries = [...this.#stackBelow(call), call, ...inner];
      if (this.#isForWantOfGas(sent)) {
        const last = entries.pop()!;
        entries.push({ kind: 'out-of-gas', place: last.place });
      }
      return this.#withModifiedFunction(entries);
    }
    // The check of a returned value reverts without data, unless the compiler adds reasons (revertStrings).
    if (this.#code.isIr && this.#message.output.length > 0) return undefined;
    if (!this.#failsRightAfter(sent) || (this.#code.isIr && !this.#revertsBare)) return undefined;
    const { code, isPrecompile, isCreation } = sent.message;
    const kind = code.length === 0 && !isPrecompile && !isCreation ? 'no-contract' : 'returndata-size';
    return this.#withModifiedFunction([...this.#stack, { kind, place: call.place }]);
  }

  /** The calls of the functions that run when a message is sent: a function that seems inlined at that place itself doesn't run. */
  #stackBelow({ place }: Entry): Entries {
    const inlinedAt = this.#inlinedOfIr.length > 1 ? this.#stack.at(-1)?.place : undefined;
    const isThere = place && inlinedAt && contains(place, inlinedAt) && contains(inlinedAt, place);
    return isThere ? this.#stack.slice(0, -1) : this.#stack;
  }

  /** The instruction that sent a message, mapped to the running function. @param at number of instructions executed until then */
  #sentBy(at: number): Instruction {
    const instruction = this.#instructions[at - 1]!;
    const fn = instruction.location?.fn;
    const running = this.#running?.fn ?? this.#inlined ?? this.#entered.at(-1)?.location?.fn;
    if (!this.#isTolerant || !fn || !running || fn === running) return instruction;
    if (this.#code.mentions.names(running, fn) || isModifierOf(fn, running)) return instruction;
    const within = this.#instructions
      .slice(0, at)
      .findLast(({ location }) => location?.fn === running && !isWholeFunction(location));
    return within ? { ...instruction, location: within.location } : instruction;
  }

  #isPassedOn(sent: SentMessage): boolean {
    const { output, error } = this.#message;
    if (!isEqual(output, sent.message.output)) return false;
    if (error === 'out of gas' && sent.message.error === 'out of gas') return true;
    if (output.length > 0) return !this.#endsInStatement(sent);
    return this.#failsRightAfter(sent) && this.#mayForward;
  }

  /**
   * Whether the code may have ended in the compiler's code after a call, which forwards its failure. With viaIR most of that isn't mapped,
   * so it can't be told by its place from a statement such as `require(success)`: but that reverts with length zero.
   */
  get #mayForward(): boolean {
    return !this.#code.isIr || !this.#revertsBare;
  }

  /** Whether the code ended in `revert(0, 0)`. */
  get #revertsBare(): boolean {
    const from = this.#instructions.findLastIndex(({ opcode }) => ENDS_OF_BLOCKS.has(opcode)) + 1;
    const [before, offset, last] = this.#instructions.slice(-3).map(({ opcode }) => opcode);
    if (last !== REVERT) return false;
    if (offset === DUP1 || (isZero(offset) && isZero(before))) return true;
    // Offset and length may have been pushed earlier.
    return !this.#instructions
      .slice(from)
      .some(({ opcode }) => opcode === MLOAD || opcode === RETURNDATASIZE);
  }

  /** Whether the code ended in a `revert`, a `require` or a check of the source, which isn't part of the call itself. */
  #endsInStatement(sent: SentMessage): boolean {
    const { opcode } = this.#instructions.at(-1)!;
    const { location } = this.#helperSite ?? this.#instructions.at(-1)!;
    const call = this.#instructions[sent.at - 1]!.location;
    if (opcode !== REVERT || !location || !call || this.#code.isOptimized || this.#code.isIr) return false;
    if (location === call || contains(location, call) || contains(call, location)) return false;
    return !location.file.isAssembly(location.start, location.end);
  }

  /** Whether a proxy forwarded the failure of its implementation, with inline assembly. */
  #isPassedOnByProxy(sent: SentMessage): boolean {
    const { output, isCreation } = this.#message;
    if (isCreation || this.#instructions[sent.at - 1]!.opcode !== DELEGATECALL) return false;
    if (sent.message.isPrecompile || !isEqual(output, sent.message.output)) return false;
    const code = sent.message.code.length > 0 ? this.#find(sent.message.code, false) : undefined;
    if (!code || code.contract.isLibrary) return false;
    for (let i = sent.at; i < this.#instructions.length; i++) {
      const { location, jump } = this.#instructions[i]!;
      // With viaIR helpers of the compiler copy the data, and aren't mapped.
      if (!this.#code.isIr && (!location || jump !== '-')) return false;
    }
    return this.#instructions.at(-1)!.opcode === REVERT && this.#mayForward;
  }

  #isForWantOfGas(sent: SentMessage): boolean {
    const { output, error } = this.#message;
    if (output.length > 0 || error !== 'execution reverted' || sent.message.error !== 'out of gas')
      return false;
    return this.#failsRightAfter(sent) && this.#mayForward;
  }

  /**
   * Whether the code ends in REVERT, and everything executed after a call is mapped to that call. Inline assembly, which with viaIR can
   * have one place as a whole, has its own code after a call.
   */
  #failsRightAfter(sent: SentMessage): boolean {
    if (this.#instructions.at(-1)!.opcode !== REVERT) return false;
    const { location } = this.#instructions[sent.at - 1]!;
    return location !== undefined && !isAssembly(location) && this.#isLastLocation(sent.at, location);
  }

  #isLastLocation(from: number, location: Location): boolean {
    for (let i = from; i < this.#instructions.length; i++) {
      const { location: other } = this.#instructions[i]!;
      if (other && other !== location && (!this.#code.isIr || this.#own.has(i) || isAssembly(other)))
        return false;
    }
    return true;
  }

  /** If the balance or the call depth didn't allow a call. */
  #ofRefusedCall(): Entries | undefined {
    const { refusedAt } = this.#message;
    if (refusedAt === undefined || this.#message.output.length > 0) return undefined;
    const instruction = this.#instructions[refusedAt - 1];
    if (!instruction?.location || !this.#isLastLocation(refusedAt, instruction.location)) return undefined;
    if (!this.#mayForward) return undefined;
    return this.#withModifiedFunction([
      ...this.#stack,
      { kind: 'call-failed', place: placeOf(this.#code, this.#asCalled(this.#sentBy(refusedAt)).location) },
    ]);
  }

  #ofLastInstruction(): Entries | undefined {
    const mapped = this.#lastInstruction();
    if (!mapped) return undefined;
    const last = this.#saidBy(this.#asCalled(mapped));
    const reverted = this.#ofRevert(last);
    if (reverted) return reverted;
    if (this.#message.isCreation || this.#hasEntered) return undefined;
    return this.#beforeAnyFunction(last);
  }

  /**
   * The last instruction of optimized code, mapped to the statement with the reason or custom error that the message reverted with, if it
   * is found: the optimizer merges the endings of several statements, and some aren't mapped at all.
   */
  #saidBy(last: Instruction): Instruction {
    const { output } = this.#message;
    const own = this.#ownFunction;
    if (!this.#isTolerant || last.opcode !== REVERT || !own) return last;
    if (output.length === 0) return this.#behindReason(last, own);
    const data = bytesToHex(output);
    const reason = data.startsWith(ERROR) ? revertReason(output) : undefined;
    const error = data.startsWith(ERROR) ? undefined : this.#code.contract.errorIn(data)?.name;
    const said = data.startsWith(PANIC)
      ? writtenCheck(integerOf(output.subarray(4, 36)))
      : reason === undefined
        ? error && writtenError(error)
        : writtenReason(reason);
    const { location } = last;
    const mayRun = this.#code.mentions.within(own);
    if (!said) return last;
    const found = statementSaying(mayRun, said, location);
    // A `try` with its clauses has one place, which is around the statement.
    if (location?.fn && mayRun.has(location.fn) && says(location, said))
      return found && contains(location, found) ? { ...last, location: found } : last;
    if (!found) return last;
    const { fn, last: site } = this.#running ?? {};
    const open = this.#inlinedOfIr;
    const at = open.findLastIndex((each) => each.fn === found.fn);
    // The statement's function runs: what was entered since has ended, or has an equal ending.
    if (at >= 0) this.#stack.length -= open.length - 1 - at;
    else if (fn && found.fn.kind !== 'constructor')
      this.#stack.push(
        site ? callAt(this.#code, site) : { kind: 'call', place: functionPlace(this.#code, fn) },
      );
    this.#hasEntered = true;
    return { ...last, location: found };
  }

  /** If a revert without data is mapped to a statement with a reason, it came after that one: then only the function is known. */
  #behindReason(last: Instruction, own: SourceFunction): Instruction {
    const { location } = last;
    if (!location?.fn || !saysReason(location.file.bytesBetween(location.start, location.end))) return last;
    const fn = isModifier(location.fn) ? own : location.fn;
    return { ...last, location: wholeOf(fn) };
  }

  /**
   * The last instruction, mapped to its right place. The optimizer merges equal endings, which may then be mapped to another function; and
   * with viaIR the compiler's helpers are mapped to a whole function. In these cases the last place within the running function is used.
   */
  #lastInstruction(): Instruction | undefined {
    const last = this.#instructions.at(-1);
    if (!last || (!this.#code.isOptimized && !this.#code.isIr)) return last;
    if (this.#code.isIr)
      return this.#running?.last ? { ...last, location: this.#running.last.location } : last;
    const running = this.#inlined ?? this.#entered.at(-1)?.location?.fn;
    const isWithin = ({ location }: Instruction) =>
      location?.fn !== undefined &&
      (!running || location.fn === running || isModifierOf(location.fn, running));
    // Before solc 0.6.9 checks that the compiler adds aren't mapped.
    const isUnmapped = !last.location && this.#code.version < 6009 && this.#endsBehindCondition();
    if (isUnmapped || isWithin(last) || this.#hasBegunIn(last.location?.fn)) return last;
    const at = this.#instructions.findLastIndex(isWithin);
    const entered = this.#entered.at(-1)?.location;
    // If the condition held, the failure came after it: only the function is known.
    if (at >= 0 && entered && this.#isMetCondition(at)) return { ...last, location: entered };
    const within = this.#instructions[at];
    return within ? { ...last, location: within.location } : last;
  }

  /** Whether a jump is that of a `require` or `assert` whose condition held. @param at index in the executed instructions */
  #isMetCondition(at: number): boolean {
    const { opcode, pc, location } = this.#instructions[at]!;
    if (this.#code.isIr || opcode !== JUMPI || this.#instructions[at + 1]!.pc === pc + 1) return false;
    return ['require(', 'assert('].some((text) => location!.file.hasAt(location!.start, text));
  }

  /** Whether the code ended directly after a condition that didn't hold, and not after a jump to a common ending. */
  #endsBehindCondition(): boolean {
    const jump = this.#instructions.findLast(({ opcode }) => opcode === JUMPI || opcode === JUMPDEST);
    return jump?.opcode === JUMPI;
  }

  /** Whether a function was entered without a marked jump, and only its code has run since. */
  #hasBegunIn(fn: SourceFunction | undefined): boolean {
    if (!fn || this.#code.isIr) return false;
    for (let i = this.#instructions.length - 1; i >= 0; i--) {
      const { opcode, location } = this.#instructions[i]!;
      if (location && location.fn !== fn) return false;
      if (opcode === JUMPDEST && location && isWholeFunction(location)) return true;
    }
    return false;
  }

  #placeOfFailure({ location }: Instruction): Place | undefined {
    return (
      placeOf(this.#code, location) ?? this.#lastPlace() ?? (this.#code.isIr ? this.#ownPlace() : undefined)
    );
  }

  /** The entries if no function was entered. */
  #beforeAnyFunction(last: Instruction): Entries {
    const { contract } = this.#code;
    const { location } = last;
    for (const each of [contract.fallback, contract.receive])
      if (each && location && last.opcode === REVERT && contains(each, location))
        return [this.#revertAt(last, placeOf(this.#code, location))];
    const called = this.#called;
    if (this.#failsToDecode()) return [{ kind: 'invalid-params', place: functionPlace(this.#code, called!) }];
    if (location?.fn)
      return [
        this.#revertAt(
          last,
          last.opcode === REVERT ? functionPlace(this.#code, location.fn) : placeOf(this.#code, location),
        ),
      ];
    // Reasons that the compiler adds with `revertStrings: "debug"`.
    if (this.#message.output.length > 0 && last.opcode === REVERT)
      return [this.#revertAt(last, this.#ownPlace() ?? contractPlace(this.#code))];
    const isBare = called && last.opcode === REVERT && this.#message.output.length === 0;
    if (isBare && contract.takesArguments(this.#message.input) && !(this.#code.isIr && this.#isWellEncoded()))
      return [{ kind: 'invalid-params', place: functionPlace(this.#code, called) }];
    // Then the only check by the compiler is that of the value.
    if (called && this.#code.isIr && last.opcode === REVERT)
      return [this.#revertAt(last, functionPlace(this.#code, called))];
    if (this.#mayBeUnmapped(last)) {
      const unmapped = unmappedRevert(this.#code, this.#message, this.#instructions, true);
      if (unmapped) return [unmapped];
    }
    return [{ kind: 'other', place: contractPlace(this.#code) }];
  }

  /** If the code ended in REVERT or INVALID. */
  #ofRevert(last: Instruction): Entries | undefined {
    if (last.opcode !== REVERT && last.opcode !== INVALID) return undefined;
    const { isCreation, output } = this.#message;
    const entries = [...this.#stack];
    const { location } = last;
    // fallback and receive are run without a jump into them.
    const isInside =
      location !== undefined &&
      (isCreation || this.#hasEntered || (location.fn !== undefined && !this.#called));
    if (isInside && isModifier(location.fn) && !this.#running) entries.push(this.#functionOfModifier());
    const data = bytesToHex(output);
    if (data.startsWith(PANIC) && output.length >= 36) return this.#ofPanic(entries, last);
    if (output.length > 0 && !data.startsWith(ERROR)) return this.#ofCustomError(entries, last, data);
    if (isInside) {
      if (location.fn) entries.push(this.#revertAt(last, placeOf(this.#code, location)));
      else if (isCreation) entries.push(this.#revertAt(last, constructorPlace(this.#code)));
      else {
        const called = this.#called;
        if (!called) return undefined;
        entries.push(this.#revertAt(last, functionPlace(this.#code, called)));
      }
      return this.#withModifiedFunction(entries);
    }
    if (!location && output.length > 0) {
      entries.push(this.#revertAt(last, this.#lastPlace() ?? this.#ownPlace() ?? contractPlace(this.#code)));
      return this.#withModifiedFunction(entries);
    }
    return undefined;
  }

  #ofPanic(entries: Entry[], last: Instruction): Entries {
    const errorCode = integerOf(this.#message.output.subarray(4, 36));
    const place = this.#placeOfFailure(last);
    return this.#withModifiedFunction([...entries, { kind: 'panic', place, errorCode }]);
  }

  #ofCustomError(entries: readonly Entry[], last: Instruction, data: `0x${string}`): Entries {
    const decoded = this.#code.contract.errorIn(data);
    const message = decoded
      ? `reverted with custom error '${callText(decoded, 'hardhat')}'`
      : `reverted with an unrecognized custom error (return data: ${data})`;
    const place = this.#placeOfFailure(last);
    return this.#withModifiedFunction([...entries, { kind: 'custom-error', place, message }]);
  }

  #revertAt({ opcode }: Instruction, place: Place | undefined): Entry {
    if (opcode === INVALID) return { kind: 'invalid-opcode', place };
    // Other opcodes failed by themselves, such as by running out of gas.
    return opcode === REVERT
      ? { kind: 'revert', place, data: this.#message.output }
      : { kind: 'other', place };
  }

  #ofCallWithoutContract(): Entries | undefined {
    const i = this.#lastMapped();
    if (i === undefined || i === 0) return undefined;
    if (this.#code.isIr) return undefined;
    const isChecked =
      this.#instructions[i]!.opcode === ISZERO && this.#instructions[i - 1]!.opcode === EXTCODESIZE;
    return isChecked ? [...this.#stack, { kind: 'no-contract', place: this.#lastPlace() }] : undefined;
  }

  #ofUnmappedRevert(): Entries | undefined {
    const last = this.#instructions.at(-1);
    if (!last || !this.#mayBeUnmapped(last)) return undefined;
    const unmapped = unmappedRevert(this.#code, this.#message, this.#instructions, false);
    return unmapped && [...this.#stack, unmapped];
  }

  #mayBeUnmapped({ opcode }: Instruction): boolean {
    const { version } = this.#code;
    return version >= 6003 && version < 7000 && opcode === REVERT;
  }

  #ofLargeCode(): Entries | undefined {
    const { isCreation, error } = this.#message;
    if (!isCreation || error !== TOO_LARGE) return undefined;
    return [{ kind: 'code-too-large', place: constructorPlace(this.#code) }];
  }

  /** If a helper of the compiler reverted that isn't mapped. */
  #ofHelper(): Entries | undefined {
    const last = this.#instructions.at(-1);
    if (last?.opcode !== REVERT || !(this.#helperSite || this.#code.isIr)) return undefined;
    return [...this.#stack, this.#revertAt(last, this.#lastPlace() ?? this.#ownPlace())];
  }

  /** The entry of the function or constructor whose modifier failed. */
  #functionOfModifier(): Entry {
    const entered = this.#entered.at(-1);
    if (entered) return callAt(this.#code, entered);
    return { kind: 'call', place: this.#ownPlace() };
  }

  /** The function that the message calls. */
  get #ownFunction(): SourceFunction | undefined {
    const { contract } = this.#code;
    if (this.#message.isCreation) return contract.ownConstructor;
    const isPlain = this.#message.input.length === 0;
    return this.#called ?? (isPlain ? contract.receive : undefined) ?? contract.fallback;
  }

  /** Where the message starts: the constructor, the called function, or otherwise receive or fallback. */
  #ownPlace(): Place | undefined {
    if (this.#message.isCreation) return constructorPlace(this.#code);
    const own = this.#ownFunction;
    return own && functionPlace(this.#code, own);
  }

  /** If the first entry is a modifier, puts its function in front of it. */
  #withModifiedFunction(entries: Entries): Entries {
    const [first] = entries;
    if (first?.kind !== 'call' || first.place?.kind !== 'modifier') return entries;
    const place = this.#ownPlace();
    return place ? [{ kind: 'call', place }, ...entries] : entries;
  }

  /**
   * Since solc 0.6.9 the compiler's checks are mapped to the code that needs them, so that they look like reverts of the source: they are
   * recognized by their opcodes.
   */
  #adjusted(entries: readonly Entry[]): Entries {
    const last = entries.at(-1);
    if (last?.kind !== 'revert' || !last.data || last.data.length > 0 || this.#code.version < 6009)
      return entries;
    if (this.#message.last && entries.length > 1 && last.place?.contract !== this.#code.contract.name)
      return entries;
    const start = entries.slice(0, -1);
    const { place } = last;
    if (this.#failsToDecode())
      return [{ kind: 'invalid-params', place: functionPlace(this.#code, this.#called!) }];
    if (this.#code.isIr && this.#endsInCheckOfCode) return [...start, { kind: 'no-contract', place }];
    if (this.#endsIn(9, EXTCODESIZE, ISZERO, DUP1, ISZERO)) return [...start, { kind: 'no-contract', place }];
    if (this.#message.isCreation) {
      if (this.#endsIn(20, CODESIZE) && this.#endsIn(15, CODECOPY) && this.#endsIn(7, LT, ISZERO))
        return [...start, { kind: 'invalid-params', place }];
      if (start.length === 0 && place && this.#failsToDecodeArguments(place))
        return [{ kind: 'invalid-params', place }];
    } else if (this.#endsIn(11, CALLDATASIZE) && this.#endsIn(7, LT, ISZERO))
      return [...start, { kind: 'invalid-params', place }];
    return entries;
  }

  /**
   * Whether optimized code reverted because the called function can't decode the call data. The check is mapped to the whole function, or
   * to another function with the same ending.
   */
  #failsToDecode(): boolean {
    const called = this.#called;
    const { input, output } = this.#message;
    const { isOptimized, isIr } = this.#code;
    if (output.length > 0 || !called || !(isOptimized || isIr)) return false;
    if (this.#instructions.at(-1)?.opcode !== REVERT) return false;
    // Each parameter has a word or more in the call data, which is checked before the function begins.
    if (this.#code.version >= 5000 && input.length < 4 + 32 * this.#wordsOf(called)) return true;
    if (this.#entered.some((each) => each.location?.fn === called)) return false;
    if (this.#instructions.some(({ location }) => location?.fn === called && !isWholeFunction(location)))
      return false;
    if (this.#code.contract.callIn(bytesToHex(input)) === undefined) return true;
    // Solidity's own decoder is stricter: it also checks padding and values of enums.
    return !isIr && !this.#hasEntered && this.#code.contract.takesArguments(input);
  }

  /** The least number of words that the call data of a function has. */
  #wordsOf({ kind, parameters }: SourceFunction): number {
    if (kind !== 'getter') return parameters.length;
    return this.#code.contract.takesArguments(this.#message.input) ? 1 : 0;
  }

  /** Whether a constructor reverted, mapped as a whole, and the arguments after the creation code can't be decoded. */
  #failsToDecodeArguments({ shown, start, file }: Place): boolean {
    const { contract } = this.#code;
    const own = contract.ownConstructor;
    if (!own || own.file !== file || own.start !== (shown ?? start)) return false;
    return contract.constructorArguments(bytesToHex(this.#message.input)) === undefined;
  }

  /** Whether the last conditional jump depends on an address having code. */
  get #endsInCheckOfCode(): boolean {
    const end = this.#lastBranch;
    return this.#instructions.slice(Math.max(0, end - 4), end).some(({ opcode }) => opcode === EXTCODESIZE);
  }

  #isWellEncoded(): boolean {
    return this.#code.contract.isWellEncoded(bytesToHex(this.#message.input));
  }

  /** @param before the end: number of opcodes */
  #endsIn(before: number, ...opcodes: readonly number[]): boolean {
    const from = this.#instructions.length - before;
    return from >= 0 && opcodes.every((opcode, i) => this.#instructions[from + i]!.opcode === opcode);
  }

  #lastPlace(): Place | undefined {
    for (let i = this.#instructions.length - 1; i >= 0; i--) {
      const place = placeOf(this.#code, this.#instructions[i]!.location);
      if (place) return place;
    }
    return undefined;
  }

  #lastMapped(): number | undefined {
    const i = this.#instructions.findLastIndex(({ location }) => location !== undefined);
    if (i < 0 || (this.#message.last && this.#message.last.at > i)) return undefined;
    return i;
  }
}

/** Whether a jump enters a function within inline assembly: such functions can be called only there. */
function isFromAssembly({ site: { location } }: Pick<Jump, 'site'>): boolean {
  return location !== undefined && isAssembly(location);
}

/**
 * Whether a jump enters a function. A function's first instruction is mapped to the whole function; that of a helper to the code that
 * needs the helper, or to nothing. Functions within inline assembly can be called only there; the optimizer may have merged a helper with
 * other assembly.
 */
function isFunctionEntry({ site, target: { location } }: Jump): boolean {
  return isFromAssembly({ site }) || (location !== undefined && isWholeFunction(location));
}

/** With viaIR a modifier is a function, which calls the rest of the modified function: whether a jump does that. */
function entersBody({ location: site }: Instruction, { location: target }: Instruction): boolean {
  return site?.fn !== undefined && target?.fn !== undefined && isModifierOf(site.fn, target.fn);
}

/** Removes the calls of modifiers whose function continues. @param open the jumps into functions that haven't returned */
function leaveModifiers(open: OpenJump[], { location }: Instruction): void {
  const fn = location?.fn;
  if (!fn || fn.kind === 'modifier') return;
  while (open.length > 0) {
    const { target } = open.at(-1)!;
    if (!target.location?.fn || !isModifierOf(target.location.fn, fn)) return;
    open.pop();
  }
}

/** Whether an instruction was reached by a jump, and not from the instruction before it in the code. */
function hasJumped(before: Instruction, { pc }: Instruction): boolean {
  return before.opcode === JUMP || (before.opcode === JUMPI && before.pc + 1 !== pc);
}

function isAssembly({ file, start, end }: Location): boolean {
  return file.isAssembly(start, end);
}

function wholeOf(fn: SourceFunction): Location {
  const { file, start, end } = fn;
  return { file, start, end, fn };
}

/** Whether a location is before that of an instruction in the same file. */
function isBefore({ file, end }: Location, instruction: Instruction | undefined): boolean {
  const other = instruction?.location;
  return other?.file === file && end <= other.start;
}

/** Whether an opcode may push zero: PUSH0, or PUSH1 with any byte. */
function isZero(opcode: number | undefined): boolean {
  return opcode === PUSH0 || opcode === PUSH1;
}

function isModifierOf(modifier: SourceFunction, fn: SourceFunction): boolean {
  return modifier.kind === 'modifier' && fn.modifiers.includes(modifier.name);
}

function isRange(
  location: Location,
  range: { readonly start: number; readonly end: number } | undefined,
): boolean {
  return location.start === range?.start && location.end === range.end;
}

function contains(
  outer: Pick<Location, 'file' | 'start' | 'end'>,
  { file, start, end }: Pick<Location, 'file' | 'start' | 'end'>,
): boolean {
  return outer.file === file && outer.start <= start && end <= outer.end;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
