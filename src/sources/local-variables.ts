import { MAX_NESTED_BLOCKS } from './limits.ts';
import type { LocalVariable } from './source-file.ts';

/** A node of solc's syntax tree. It comes from a file, so its members may have any type. */
type Node = Readonly<Record<string, unknown>>;

/** Most variables that are kept for a function. */
const MAX = 512;

/** A function's variables and their slots on the stack. */
export interface FunctionVariables {
  readonly variables: readonly LocalVariable[];
  /** number of stack words of the parameters, which are directly above the return address */
  readonly parameterWords: number;
}

/**
 * The stack slots of a function's variables, in code of solc 0.5 and later without viaIR and optimizer: parameters above the return
 * address, then return values, then local variables in the order of their declarations, until their block ends. Variables that
 * modifiers declare are below the local variables, so that the slots of these aren't known in a function with modifiers.
 * @param node a FunctionDefinition
 */
export function functionVariables(node: Node): FunctionVariables {
  const variables: LocalVariable[] = [];
  const parameters = parametersOf(node.parameters);
  const results = parametersOf(node.returnParameters);
  const placeOf =
    (kind: LocalVariable['kind']): Place =>
    (declared, from, to, first) => {
      let slot = first;
      for (const each of declared) {
        const words = wordsOf(each);
        add(variables, each, { kind, slot: words === undefined ? undefined : slot, from, to });
        slot = slot === undefined || words === undefined ? undefined : slot + words;
      }
      return slot;
    };
  const everywhere = [0, Number.MAX_SAFE_INTEGER] as const;
  const above = placeOf('parameter')(parameters, ...everywhere, 0);
  const local = placeOf('result')(results, ...everywhere, above);
  const hasModifiers = Array.isArray(node.modifiers) && node.modifiers.length > 0;
  walk(node.body, hasModifiers ? undefined : local, 0, placeOf('local'));
  return { variables, parameterWords: above ?? Number.NaN };
}

type Place = (
  declared: readonly Node[],
  from: number,
  to: number,
  slot: number | undefined,
) => number | undefined;

/** @param first slot of the next variable @param to end of the scope of a declaration @returns the next slot */
function walk(
  value: unknown,
  first: number | undefined,
  depth: number,
  place: Place,
  to?: number,
): number | undefined {
  const node = nodeOf(value);
  if (!node || depth > MAX_NESTED_BLOCKS) return first;
  const [, end] = rangeOf(node);
  const scope = to ?? end;
  const inside = (...parts: readonly unknown[]) => {
    for (const part of parts) walk(part, first, depth + 1, place);
  };
  switch (node.nodeType) {
    case 'Block':
    case 'UncheckedBlock': {
      let slot = first;
      for (const each of nodesOf(node.statements)) slot = walk(each, slot, depth + 1, place, end);
      return first;
    }
    case 'VariableDeclarationStatement':
      return place(nodesOf(node.declarations), end, scope, first);
    case 'IfStatement':
      inside(node.trueBody, node.falseBody);
      return first;
    case 'WhileStatement':
    case 'DoWhileStatement':
      inside(node.body);
      return first;
    case 'ForStatement':
      walk(node.body, walk(node.initializationExpression, first, depth + 1, place, end), depth + 1, place);
      return first;
    case 'TryStatement':
      for (const clause of nodesOf(node.clauses)) {
        const [from, until] = rangeOf(clause);
        walk(clause.block, place(parametersOf(clause.parameters), from, until, first), depth + 1, place);
      }
      return first;
    default:
      return first;
  }
}

function add(variables: LocalVariable[], node: Node, where: Omit<LocalVariable, 'name' | 'type'>): void {
  if (typeof node.name !== 'string' || node.name === '' || variables.length >= MAX) return;
  variables.push({ name: node.name, type: typeOf(node), ...where });
}

const LOCATIONS: Readonly<Record<string, string>> = {
  memory: ' memory',
  calldata: ' calldata',
  storage: ' storage pointer',
};

/** The type with its data location: solc has that in the type, or only in `storageLocation`. */
function typeOf({ typeDescriptions, storageLocation }: Node): string {
  const type = String(nodeOf(typeDescriptions)?.typeString ?? '');
  const isWhole = / (?:memory|calldata|storage ref|storage pointer)$/.test(type);
  return isWhole ? type : `${type}${LOCATIONS[String(storageLocation)] ?? ''}`;
}

/** Number of stack words of a variable. @returns `undefined` if it isn't known */
function wordsOf({ typeDescriptions, storageLocation }: Node): number | undefined {
  const { typeString } = nodeOf(typeDescriptions) ?? {};
  if (typeof typeString !== 'string') return undefined;
  if (/^function .*\bexternal\b/.test(typeString)) return 2;
  // Calldata of variable size takes an offset and a length.
  const isSlice = /^(?:bytes|string|.*\[\])(?: calldata)?(?: slice)?$/s.test(typeString);
  return storageLocation === 'calldata' && isSlice ? 2 : 1;
}

function parametersOf(list: unknown): readonly Node[] {
  return nodesOf(nodeOf(list)?.parameters);
}

function nodeOf(value: unknown): Node | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : undefined;
}

/** Leaves out the nulls that stand for omitted parts of a tuple. */
function nodesOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter((each) => nodeOf(each) !== undefined) : [];
}

function rangeOf({ src }: Node): readonly [start: number, end: number] {
  const [start = 0, length = 0] = String(src).split(':').map(Number);
  return Number.isSafeInteger(start) && Number.isSafeInteger(length) ? [start, start + length] : [0, 0];
}
