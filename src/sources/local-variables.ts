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
 * address, then return values, then what modifiers have there (see {@link aboveModifiers}), then local variables in the order of their
 * declarations, until their block ends.
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
        slot = sum(slot, words);
      }
      return slot;
    };
  const everywhere = [0, Number.MAX_SAFE_INTEGER] as const;
  const above = placeOf('parameter')(parameters, ...everywhere, 0);
  const local = placeOf('result')(results, ...everywhere, above);
  walk(node.body, local, 0, { place: placeOf('local') });
  return { variables, parameterWords: above ?? Number.NaN };
}

/**
 * The variables of a function that has modifiers: its local variables are above those of the modifiers.
 * @param words number of words of all modifiers, see {@link modifierWords}; `undefined` if it isn't known
 */
export function aboveModifiers(known: FunctionVariables, words: number | undefined): FunctionVariables {
  const variables = known.variables.map((each) =>
    each.kind === 'local' ? { ...each, slot: sum(each.slot, words) } : each,
  );
  return { ...known, variables };
}

/**
 * Number of stack words that a modifier has below the local variables of a function: its parameters, and its own variables at `_`.
 * @param node a ModifierDefinition
 * @returns `undefined` if it isn't known: `_` stands in several places, or another modifier may override this one
 */
export function modifierWords(node: Node): number | undefined {
  // Before solc 0.6, which writes no `virtual`, each modifier could be overridden.
  if (node.virtual !== false) return undefined;
  const place: Place = (declared, _from, _to, first) =>
    declared.reduce((slot: number | undefined, each) => sum(slot, wordsOf(each)), first);
  const found = new Set<number | undefined>();
  const placeholder = (slot: number | undefined) => void found.add(slot);
  walk(node.body, place(parametersOf(node.parameters), 0, 0, 0), 0, { place, placeholder });
  return found.size > 1 ? undefined : [...found, 0][0];
}

/** The ids of the declarations that a function names as its modifiers: also those of contracts whose constructors it calls. */
export function modifierIds({ modifiers }: Node): readonly unknown[] {
  return nodesOf(modifiers).map(({ modifierName }) => nodeOf(modifierName)?.referencedDeclaration);
}

/** @returns `undefined` if a summand isn't known */
function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}

/** Called with declared variables and the slot of the first one. @returns the slot after the last one */
type Place = (
  declared: readonly Node[],
  from: number,
  to: number,
  slot: number | undefined,
) => number | undefined;

interface Visitor {
  readonly place: Place;
  /** called with the slot of the first variable of what runs at a modifier's `_` */
  readonly placeholder?: (slot: number | undefined) => void;
}

/** @param first slot of the next variable @param to end of the scope of a declaration @returns the next slot */
function walk(
  value: unknown,
  first: number | undefined,
  depth: number,
  visitor: Visitor,
  to?: number,
): number | undefined {
  const node = nodeOf(value);
  if (!node || depth > MAX_NESTED_BLOCKS) return first;
  const { place, placeholder } = visitor;
  const [, end] = rangeOf(node);
  const scope = to ?? end;
  const inside = (...parts: readonly unknown[]) => {
    for (const part of parts) walk(part, first, depth + 1, visitor);
  };
  switch (node.nodeType) {
    case 'Block':
    case 'UncheckedBlock': {
      let slot = first;
      for (const each of nodesOf(node.statements)) slot = walk(each, slot, depth + 1, visitor, end);
      return first;
    }
    case 'VariableDeclarationStatement':
      return place(nodesOf(node.declarations), end, scope, first);
    case 'PlaceholderStatement':
      placeholder?.(first);
      return first;
    case 'IfStatement':
      inside(node.trueBody, node.falseBody);
      return first;
    case 'WhileStatement':
    case 'DoWhileStatement':
      inside(node.body);
      return first;
    case 'ForStatement':
      walk(
        node.body,
        walk(node.initializationExpression, first, depth + 1, visitor, end),
        depth + 1,
        visitor,
      );
      return first;
    case 'TryStatement':
      for (const clause of nodesOf(node.clauses)) {
        const [from, until] = rangeOf(clause);
        walk(clause.block, place(parametersOf(clause.parameters), from, until, first), depth + 1, visitor);
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
