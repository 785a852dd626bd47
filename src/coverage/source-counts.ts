import type { BuiltContract, Compilation } from '../sources/compilation.ts';
import { bytesOf, CodeIndex } from '../sources/match.ts';
import type { SourceFile, SourceFunction } from '../sources/source-file.ts';
import { type MapEntry, readMap } from '../sources/source-map.ts';
import type { CodeProfile, Profile } from './profile.ts';
import { type Branch, type BranchPath, type FileParts, partsOf } from './statements.ts';

const JUMPDEST = 0x5b;
const JUMPI = 0x57;
const REVERT = 0xfd;
/** STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT: the next opcode isn't run after them. */
const ENDS = new Set([0x00, 0x56, 0xf3, REVERT, 0xfe, 0xff]);
const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/** Gas that a line used in transactions, and its runs. */
export interface LineGas {
  gas: number;
  /** runs of the line's most frequent opcode */
  runs: number;
}

/** The counts of a file's parts. */
export interface FileCounts {
  /** name that the build tool uses */
  readonly name: string;
  readonly parts: FileParts;
  /** runs of each statement; `undefined` if the compiler left no code of the statement but code of its function */
  readonly statements: readonly (number | undefined)[];
  readonly functions: readonly number[];
  /** runs of each path of each branch; `undefined` if they aren't known */
  readonly branches: readonly (readonly (number | undefined)[])[];
  /** by line number, from 1 */
  readonly gas: ReadonlyMap<number, LineGas>;
}

/** Gas that belongs to no line. */
export interface GasElsewhere {
  /** gas of code that the compiler generated and mapped to no source, by contract */
  readonly generated: ReadonlyMap<string, number>;
  /** gas of contracts that no build info has, by the hash of their code */
  readonly unknown: ReadonlyMap<string, number>;
}

export interface SourceCounts {
  readonly files: readonly FileCounts[];
  readonly elsewhere: GasElsewhere;
  /** the contract that was compiled to a code, by the code's key in the profile */
  readonly contracts: ReadonlyMap<
    string,
    { readonly compilation: Compilation; readonly built: BuiltContract }
  >;
}

/**
 * Maps the counts of a profile's opcodes to lines of source.
 * @param compilations the newest first: if they have different versions of a file, only the newest version is counted
 * @param isWanted whether the report includes a file, by its name
 */
export function countSources(
  profile: Profile,
  compilations: readonly Compilation[],
  isWanted: (name: string) => boolean,
): SourceCounts {
  const index = new CodeIndex(compilations);
  const contracts = new Map<string, { compilation: Compilation; built: BuiltContract }>();
  const ran = new Map<BuiltContract, Ran>();
  const unknown = new Map<string, number>();
  for (const [key, each] of profile.codes) {
    const match = each.isCreation ? index.creation(each.code) : index.deployed(each.code);
    if (!match) {
      unknown.set(key, sumOf(each.gas));
      const created = each.isCreation ? index.deployedAtEnd(each.code) : undefined;
      if (created) contracts.set(key, created);
      continue;
    }
    contracts.set(key, match);
    addRan(ran, match.built, each);
  }
  const files = new Map<string, FileSum>();
  const generated = new Map<string, number>();
  for (const compilation of compilations) {
    const own = new Map<SourceFile, FileSum>();
    for (const file of compilation.files.values()) {
      if (file.length === 0) continue;
      const known = files.get(file.name);
      if (known && known.file.bytesAsText !== file.bytesAsText) continue;
      const sum = known ?? new FileSum(file);
      files.set(file.name, sum);
      own.set(file, sum);
    }
    for (const built of compilation.contracts)
      for (const isCreation of [false, true]) {
        const of = new ContractCounter(compilation, built, isCreation, own);
        const gas = of.count(ran.get(built)?.[isCreation ? 'creation' : 'deployed']);
        if (gas !== 0) generated.set(built.name, (generated.get(built.name) ?? 0) + gas);
      }
  }
  for (const [called, calls] of calledFunctions(profile, contracts)) {
    const sum = files.get(called.file.name);
    if (sum?.file.bytesAsText === called.file.bytesAsText) sum.addCalls(called, calls);
  }
  return {
    files: [...files.values()]
      .filter(({ file, gas }) => isWanted(file.name) || gas.size > 0)
      .map((sum) => sum.counts)
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    elsewhere: { generated, unknown },
    contracts,
  };
}

/**
 * Functions whose calls ended well, with the number of such calls, and constructors of created contracts. The compiler may have left no code
 * that is mapped to them.
 */
function* calledFunctions(
  { functions }: Profile,
  contracts: SourceCounts['contracts'],
): Iterable<[SourceFunction, number]> {
  for (const { code, isCreation, selector, succeeded } of functions.values()) {
    const found = code === undefined ? undefined : contracts.get(code);
    if (!found || succeeded === 0) continue;
    const contract = found.compilation.contract(found.built);
    if (isCreation) {
      for (const { functions: all } of contract.source?.linearized ?? [])
        for (const each of all) if (each.kind === 'constructor') yield [each, succeeded];
    } else if (selector !== undefined) {
      const called = contract.called(Buffer.from(selector, 'hex'));
      if (called) yield [called, succeeded];
    }
  }
}

/** The counts of a contract, by byte of its code. */
interface Ran {
  deployed?: Counters;
  creation?: Counters;
}

interface Counters {
  readonly runs: Float64Array;
  readonly gas: Float64Array;
}

/** Adds a code's counts to those of its contract: codes of one contract differ only in immutables and library addresses. */
function addRan(
  ran: Map<BuiltContract, Ran>,
  built: BuiltContract,
  { runs, gas, isCreation }: CodeProfile,
): void {
  const of = ran.get(built) ?? {};
  ran.set(built, of);
  const key = isCreation ? 'creation' : 'deployed';
  const known = of[key];
  const length = Math.max(runs.length, known?.runs.length ?? 0);
  const sum = { runs: new Float64Array(length), gas: new Float64Array(length) };
  for (const each of [known, { runs, gas }])
    for (let pc = 0; pc < (each?.runs.length ?? 0); pc++) {
      sum.runs[pc]! += each!.runs[pc]!;
      sum.gas[pc]! += each!.gas[pc]!;
    }
  of[key] = sum;
}

/** The counts of a file, summed over the contracts that contain code of it. */
class FileSum {
  readonly file: SourceFile;
  readonly parts: FileParts;
  readonly statements: Float64Array;
  readonly hasCode: Uint8Array;
  readonly functions: Float64Array;
  /** calls by selector that ended well, by function */
  readonly #calls: Float64Array;
  /** how often a statement reverted, and whether that is known */
  readonly reverts: Float64Array;
  readonly hasReverts: Uint8Array;
  readonly gas = new Map<number, LineGas>();
  /** by range `start:length` */
  readonly #places = new Map<string, Place>();

  constructor(file: SourceFile) {
    this.file = file;
    this.parts = partsOf(file);
    this.statements = new Float64Array(this.parts.statements.length);
    this.hasCode = new Uint8Array(this.parts.statements.length);
    this.reverts = new Float64Array(this.parts.statements.length);
    this.hasReverts = new Uint8Array(this.parts.statements.length);
    this.functions = new Float64Array(this.parts.functions.length);
    this.#calls = new Float64Array(this.parts.functions.length);
  }

  addCalls({ start, end }: SourceFunction, calls: number): void {
    const index = this.parts.functions.findIndex((each) => each.start === start && each.end === end);
    if (index >= 0) this.#calls[index]! += calls;
  }

  placeAt(start: number, length: number): Place {
    const key = `${start}:${length}`;
    let place = this.#places.get(key);
    if (!place) {
      place = placeIn(this, start, start + length);
      this.#places.set(key, place);
    }
    return place;
  }

  get counts(): FileCounts {
    const { parts, gas } = this;
    const compiled = new Set<number>();
    for (const [i, { function: index }] of parts.statements.entries())
      if (this.hasCode[i] || this.#calls[index]! > 0) compiled.add(index);
    const statements = parts.statements.map(({ function: index }, i) =>
      this.hasCode[i] || !compiled.has(index) ? this.statements[i]! : undefined,
    );
    return {
      name: this.file.name,
      parts,
      statements,
      functions: [...this.functions].map((runs, i) => Math.max(runs, this.#calls[i]!)),
      branches: parts.branches.map((branch) => this.#pathsOf(branch, statements)),
      gas,
    };
  }

  #pathsOf({ kind, statement, paths }: Branch, statements: readonly (number | undefined)[]) {
    const all = statements[statement];
    const known = paths.map((path) => this.#runsOf(path, statement, statements));
    return paths.map((path, i) => {
      const runs = known[i];
      if (runs !== undefined || all === undefined) return runs;
      // Of the other paths nothing may be missing: this one has the rest of the branch's runs.
      const others = known.filter((_, other) => other !== i);
      const hasRest = (kind !== 'if' || paths.length > 1) && others.every((each) => each !== undefined);
      if (hasRest) return Math.max(0, all - others.reduce<number>((sum, each) => sum + each!, 0));
      const first = path.statements.find((each) => statements[each] !== undefined);
      return first === undefined ? undefined : Math.min(statements[first]!, all);
    });
  }

  #runsOf(
    { holds, statements: inPath, loops }: BranchPath,
    statement: number,
    statements: readonly (number | undefined)[],
  ): number | undefined {
    if (holds !== undefined) {
      const all = statements[statement];
      if (all === undefined || (all > 0 && !this.hasReverts[statement])) return undefined;
      const failed = Math.min(this.reverts[statement]!, all);
      return holds ? all - failed : failed;
    }
    const first = inPath.find((each) => statements[each] !== undefined);
    // A loop at the beginning of the path runs more often than the path is taken.
    if (first === undefined || this.parts.statements[first]!.loops > loops) return undefined;
    return Math.min(statements[first]!, statements[statement] || Number.POSITIVE_INFINITY);
  }
}

/** The source position of an instruction. */
interface Place {
  readonly sum: FileSum;
  readonly line: number;
  /** index of the statement that contains it; -1 = none */
  readonly statement: number;
  /** index of the function whose whole range it is mapped to; -1 = none */
  readonly whole: number;
}

/** Adds the counts of one code of a contract to its source files. */
class ContractCounter {
  readonly #compilation: Compilation;
  readonly #files: ReadonlyMap<SourceFile, FileSum>;
  readonly #code: Uint8Array;
  readonly #map: readonly MapEntry[];

  constructor(
    compilation: Compilation,
    built: BuiltContract,
    isCreation: boolean,
    files: ReadonlyMap<SourceFile, FileSum>,
  ) {
    const mapped = isCreation ? built.creation : built.deployed;
    this.#compilation = compilation;
    this.#files = files;
    this.#code = bytesOf(mapped.object);
    this.#map = readMap(mapped, this.#code);
  }

  /** @param ran `undefined` if the code never ran @returns gas that belongs to no file */
  count(ran: Counters | undefined): number {
    const statements = new Map<FileSum, Map<number, StatementRuns>>();
    const functions = new Map<FileSum, Map<number, number>>();
    let elsewhere = ran ? sumOf(ran.gas) : 0;
    let segment = 0;
    let isOfFunction = true;
    let jumpsOut = false;
    let goesOn = false;
    for (let pc = 0, number = 0; pc < this.#code.length && number < this.#map.length; number++) {
      const entry = this.#map[number]!;
      const opcode = this.#code[pc]!;
      const next = pc + (opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 2 : 1);
      const place = this.#placeOf(entry);
      const runs = ran?.runs[pc] ?? 0;
      // viaIR maps places in the middle of a function to the whole function, too: code before them goes on there.
      if (opcode === JUMPDEST && (jumpsOut || (!goesOn && place && place.whole >= 0))) {
        segment++;
        isOfFunction = place !== undefined && place.whole >= 0;
      }
      jumpsOut = entry.jump === 'o';
      goesOn = !ENDS.has(opcode);
      if (place) {
        const { sum, statement, whole, line } = place;
        const gas = ran?.gas[pc] ?? 0;
        if (runs > 0) addLine(sum, line, gas, runs);
        elsewhere -= gas;
        if (whole >= 0) {
          const of = inMap(functions, sum);
          of.set(whole, Math.max(of.get(whole) ?? 0, runs));
        }
        const runsOfStatement =
          statement < 0 ? undefined : this.#isMerged(place, number, next) ? this.#jumps(ran, next) : runs;
        if (runsOfStatement !== undefined) {
          const of = inMap(statements, sum);
          const known = of.get(statement) ?? NO_RUNS;
          const reverts = opcode === REVERT ? runs : undefined;
          of.set(statement, addRuns(known, { segment, isOfFunction, runs: runsOfStatement, reverts }));
        }
      }
      pc = next;
    }
    this.#add(statements, functions);
    return elsewhere;
  }

  #add(
    statements: ReadonlyMap<FileSum, ReadonlyMap<number, StatementRuns>>,
    functions: ReadonlyMap<FileSum, Map<number, number>>,
  ): void {
    const { isOptimized, viaIr } = this.#compilation;
    const entered = new Map(functions);
    for (const [sum, all] of statements) {
      const ofFile = inMap(entered, sum);
      const begun = new Map<number, number>();
      for (const [statement, { own, ended, other, hasOwn, most, reverts }] of all) {
        const runs = isOptimized ? most : hasOwn ? own : other;
        // viaIR reverts in functions that are mapped to no statement, and the optimizer merges code that reverts. With both nothing is known.
        const unended = hasOwn && viaIr !== isOptimized ? Math.max(0, own - ended) : undefined;
        const failed = unended ?? reverts;
        if (failed !== undefined) {
          sum.reverts[statement]! += failed;
          sum.hasReverts[statement] = 1;
        }
        sum.statements[statement]! += runs;
        sum.hasCode[statement] = 1;
        const { function: index, isInner } = sum.parts.statements[statement]!;
        if (isInner) continue;
        const first = begun.get(index);
        if (first === undefined || statement < first) begun.set(index, statement);
      }
      for (const [index, first] of begun) {
        const { own, other, hasOwn, most } = all.get(first)!;
        const runs = isOptimized ? most : hasOwn ? own : other;
        ofFile.set(index, Math.max(ofFile.get(index) ?? 0, runs));
      }
    }
    for (const [sum, all] of entered) for (const [index, runs] of all) sum.functions[index]! += runs;
  }

  /**
   * Whether an instruction is all that is left of a `break`, `continue`, `return` or `leave` in an `if`: the compiler makes one JUMPI of the
   * jump over it and its own jump, and maps only the push of its target to it.
   * @param next where the following instruction begins
   */
  #isMerged({ sum, statement }: Place, number: number, next: number): boolean {
    if (this.#code[next] !== JUMPI) return false;
    const { start, end } = sum.parts.statements[statement]!;
    const jump = this.#map[number + 1];
    return jump !== undefined && jump.start < start && end <= jump.start + jump.length;
  }

  /** How often a JUMPI jumped; `undefined` if other code jumps to where it goes on without a jump. */
  #jumps(ran: Counters | undefined, jumpi: number): number | undefined {
    if (this.#code[jumpi + 1] === JUMPDEST) return undefined;
    return Math.max(0, (ran?.runs[jumpi] ?? 0) - (ran?.runs[jumpi + 1] ?? 0));
  }

  #placeOf({ start, length, file: id }: MapEntry): Place | undefined {
    const file = this.#compilation.files.get(id);
    return file && this.#files.get(file)?.placeAt(start, length);
  }
}

/** Runs of a statement in one code. */
interface StatementRuns {
  /** runs of its first opcode, summed over the functions that contain a copy of it; `other` sums over all other segments of the code */
  readonly own: number;
  readonly other: number;
  /** runs of its last opcode, summed as `own` is */
  readonly ended: number;
  /** runs of its most frequent opcode */
  readonly most: number;
  /** whether a segment contains it that begins as a function of the source; the compiler maps helper functions to statements, too */
  readonly hasOwn: boolean;
  /** the last segment that contains it, and the runs of its last opcode there */
  readonly segment: number;
  readonly last: number;
  /** runs of its REVERTs; `undefined` if it has none */
  readonly reverts: number | undefined;
}

const NO_RUNS: StatementRuns = {
  ...{ own: 0, ended: 0, other: 0, most: 0, hasOwn: false },
  ...{ segment: -1, last: 0, reverts: undefined },
};

function addRuns(
  { own, ended, other, most, hasOwn, segment: before, last, reverts: reverted }: StatementRuns,
  at: {
    readonly segment: number;
    readonly isOfFunction: boolean;
    readonly runs: number;
    /** if the opcode is REVERT */
    readonly reverts: number | undefined;
  },
): StatementRuns {
  const { segment, isOfFunction, runs, reverts } = at;
  const isFirst = segment !== before;
  return {
    own: own + (isFirst && isOfFunction ? runs : 0),
    ended: ended + (isOfFunction ? runs - (isFirst ? 0 : last) : 0),
    other: other + (isFirst && !isOfFunction ? runs : 0),
    most: Math.max(most, runs),
    hasOwn: hasOwn || isOfFunction,
    segment,
    last: runs,
    reverts: reverts === undefined ? reverted : (reverted ?? 0) + reverts,
  };
}

function placeIn(sum: FileSum, start: number, end: number): Place {
  const { file, parts } = sum;
  return {
    sum,
    line: file.lineAt(Math.min(start, file.length)),
    statement: aroundIn(parts.statements, start, end),
    whole: parts.functions.findIndex((each: SourceFunction) => each.start === start && each.end === end),
  };
}

/** The index of the statement that contains a range; statements don't overlap. */
function aroundIn(
  statements: readonly { readonly start: number; readonly end: number }[],
  start: number,
  end: number,
): number {
  return statements.findIndex((each) => each.start <= start && end <= each.end);
}

function addLine({ gas: lines }: FileSum, line: number, gas: number, runs: number): void {
  const known = lines.get(line);
  if (!known) lines.set(line, { gas, runs });
  else {
    known.gas += gas;
    known.runs = Math.max(known.runs, runs);
  }
}

function inMap<K, V>(map: Map<K, Map<number, V>>, key: K): Map<number, V> {
  let of = map.get(key);
  if (!of) {
    of = new Map();
    map.set(key, of);
  }
  return of;
}

export function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
