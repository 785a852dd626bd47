import type { LocalVariable } from './source-file.ts';

/** A node of solc's syntax tree: it comes from a file, so nothing of it is taken for granted. */
type Node = Readonly<Record<string, unknown>>;

/** Blocks within each other that are looked at. */
const DEEPEST = 256;
/** Variables of a function that are kept. */
const MOST = 512;

/** The variables of a function and their places on the stack. */
export interface FunctionVariables {
  readonly variables: readonly LocalVariable[];
  /** words that its parameters take, directly above the return address */
  readonly parameterWords: number;
}

/**
 * Where code that solc 0.5 and later makes, without viaIR and optimizer, keeps a function's variables: parameters above the return
 * address, then results, then local variables in the order of their declarations, as long as their block lasts. What modifiers declare
 * lies below the local variables, so that these have no known place in a function with modifiers.
 * @param node of a FunctionDefinition
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

/** @param first slot of the next variable @param to where the scope ends that a declaration belongs to @returns the next slot */
function walk(
  value: unknown,
  first: number | undefined,
  depth: number,
  place: Place,
  to?: number,
): number | undefined {
  const node = nodeOf(value);
  if (!node || depth > DEEPEST) return first;
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
  if (typeof node.name !== 'string' || node.name === '' || variables.length >= MOST) return;
  variables.push({ name: node.name, type: typeOf(node), ...where });
}

const LOCATIONS: Readonly<Record<string, string>> = {
  memory: ' memory',
  calldata: ' calldata',
  storage: ' storage pointer',
};

/** The type with the place of its data: solc writes that into the type, or only beside it. */
function typeOf({ typeDescriptions, storageLocation }: Node): string {
  const type = String(nodeOf(typeDescriptions)?.typeString ?? '');
  const isWhole = / (?:memory|calldata|storage ref|storage pointer)$/.test(type);
  return isWhole ? type : `${type}${LOCATIONS[String(storageLocation)] ?? ''}`;
}

/** Words that a variable takes on the stack. @returns `undefined` where that isn't known */
function wordsOf({ typeDescriptions, storageLocation }: Node): number | undefined {
  const { typeString } = nodeOf(typeDescriptions) ?? {};
  if (typeof typeString !== 'string') return undefined;
  if (/^function .*\bexternal\b/.test(typeString)) return 2;
  // Of calldata without a fixed size there are place and length.
  const isSlice = /^(?:bytes|string|.*\[\])(?: calldata)?(?: slice)?$/s.test(typeString);
  return storageLocation === 'calldata' && isSlice ? 2 : 1;
}

function parametersOf(list: unknown): readonly Node[] {
  return nodesOf(nodeOf(list)?.parameters);
}

function nodeOf(value: unknown): Node | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : undefined;
}

/** Gaps in a tuple are null. */
function nodesOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter((each) => nodeOf(each) !== undefined) : [];
}

function rangeOf({ src }: Node): readonly [start: number, end: number] {
  const [start = 0, length = 0] = String(src).split(':').map(Number);
  return Number.isSafeInteger(start) && Number.isSafeInteger(length) ? [start, start + length] : [0, 0];
}
