import { aboveModifiers, functionVariables, modifierIds, modifierWords } from './local-variables.ts';
import type { FunctionKind, SourceContract, SourceFile, SourceFunction } from './source-file.ts';
import type { Declaration } from './storage-layout.ts';

/** A node of solc's syntax tree: it comes from a file, so nothing of it is taken for granted. */
type Node = Readonly<Record<string, unknown>>;

/** Nodes of one file that are looked at: more than any real file has. */
const MAX_NODES = 2_000_000;
const KINDS: ReadonlyMap<string, FunctionKind> = new Map([
  ['constructor', 'constructor'],
  ['fallback', 'fallback'],
  ['receive', 'receive'],
  ['freeFunction', 'free function'],
]);

const CONTRACT_KINDS = ['library', 'interface'] as const;

/** What a function may name in its head: a contract, in a list of bases or as a constructor that is called, or a modifier. */
export interface Named {
  readonly contract?: SourceContract;
  /** see {@link modifierWords}; 0 for a contract */
  readonly words: number | undefined;
}

/** Contracts and modifiers of a compilation by the ids of their nodes. */
export interface NamedById {
  set(id: number, named: Named): void;
  get(id: number): Named | undefined;
}

/** Writes what a syntax tree defines into its file. @param byId receives its contracts and modifiers, and has those of other files */
export function readAst(file: SourceFile, ast: unknown, byId: NamedById): void {
  for (const node of nodesOf(ast)) {
    if (node.nodeType === 'ContractDefinition') readContract(file, node, byId);
    else if (node.nodeType === 'FunctionDefinition') addFunction(file, node, undefined, byId);
  }
  const imported = nodesOf(ast).filter(({ nodeType }) => nodeType === 'ImportDirective');
  file.imports = imported.map(({ absolutePath }) => textOf(absolutePath));
  findAssembly(file, ast);
}

/** Types that state variables may have, and contracts. */
const DECLARATIONS = new Set([
  'ContractDefinition',
  'StructDefinition',
  'EnumDefinition',
  'UserDefinedValueTypeDefinition',
]);

/** What a syntax tree says of state variables and their types. @param declarations receives it, by the ids of the nodes */
export function readDeclarations(
  file: SourceFile,
  ast: unknown,
  declarations: Map<number, Declaration>,
): void {
  for (const node of nodesOf(ast)) {
    for (const each of [node, ...nodesOf(node)])
      if (DECLARATIONS.has(textOf(each.nodeType)) && typeof each.id === 'number')
        declarations.set(each.id, { file: file.name, node: withoutFunctions(each) });
  }
}

/** The functions are most of a tree: without them it may be let go. */
function withoutFunctions(node: Node): Node {
  const variables = nodesOf(node).filter(({ nodeType }) => nodeType === 'VariableDeclaration');
  return node.nodeType === 'ContractDefinition' ? { ...node, nodes: variables } : node;
}

function readContract(file: SourceFile, node: Node, byId: NamedById): void {
  const range = rangeOf(node);
  if (!range) return;
  const contract: SourceContract = {
    file,
    ...range,
    name: textOf(node.name),
    kind: CONTRACT_KINDS.find((kind) => kind === node.contractKind) ?? 'contract',
    functions: [],
    get linearized() {
      linearized ??= [contract, ...bases.flatMap((id) => byId.get(id)?.contract ?? [])];
      return linearized;
    },
  };
  const { linearizedBaseContracts: ids } = node;
  const bases = (Array.isArray(ids) ? ids : []).filter((id) => typeof id === 'number' && id !== node.id);
  let linearized: readonly SourceContract[] | undefined;
  if (typeof node.id === 'number') byId.set(node.id, { contract, words: 0 });
  file.contracts.push(contract);
  for (const member of nodesOf(node)) {
    if (member.nodeType === 'ModifierDefinition' && typeof member.id === 'number')
      byId.set(member.id, { words: modifierWords(member) });
    addFunction(file, member, contract, byId);
  }
}

function addFunction(
  file: SourceFile,
  node: Node,
  contract: SourceContract | undefined,
  byId: NamedById,
): void {
  const range = rangeOf(node);
  const kind = kindOf(node, contract);
  if (!range || !kind || node.implemented === false) return;
  const isGetter = kind === 'getter';
  const isExternal = node.visibility === 'public' || node.visibility === 'external';
  const ids = modifierIds(node);
  let known = node.nodeType === 'FunctionDefinition' ? functionVariables(node) : undefined;
  let isComplete = ids.length === 0;
  const added: SourceFunction = {
    file,
    ...range,
    name: textOf(node.name),
    kind,
    contract,
    isExternal: isExternal && (kind === 'function' || isGetter),
    isPayable: node.stateMutability === 'payable',
    selector: typeof node.functionSelector === 'string' ? node.functionSelector : undefined,
    parameters: isGetter ? [] : parametersOf(node),
    modifiers: modifiersOf(node),
    // Later, because the modifiers may be in files that aren't read yet.
    get variables() {
      if (known && !isComplete) known = aboveModifiers(known, wordsOf(ids, byId));
      isComplete = true;
      return known;
    },
  };
  contract?.functions.push(added);
  file.functions.push(added);
}

/** Number of stack words of all modifiers with these ids. */
function wordsOf(ids: readonly unknown[], byId: NamedById): number | undefined {
  let words = 0;
  for (const id of ids) {
    const own = typeof id === 'number' ? byId.get(id)?.words : undefined;
    if (own === undefined) return undefined;
    words += own;
  }
  return words;
}

/** @returns `undefined` for what nothing runs in */
function kindOf(node: Node, contract: SourceContract | undefined): FunctionKind | undefined {
  if (node.nodeType === 'ModifierDefinition') return 'modifier';
  if (node.nodeType === 'VariableDeclaration')
    return contract && node.visibility === 'public' ? 'getter' : undefined;
  if (node.nodeType !== 'FunctionDefinition') return undefined;
  if (!contract) return 'free function';
  // solc before 0.5.0 has no kinds.
  if (node.isConstructor === true) return 'constructor';
  return (
    KINDS.get(textOf(node.kind)) ?? (node.name === '' && node.kind === undefined ? 'fallback' : 'function')
  );
}

function parametersOf(node: Node): readonly (string | undefined)[] {
  const { parameters } = (node.parameters ?? {}) as Node;
  return Array.isArray(parameters) ? parameters.map((each: Node) => abiType(each)) : [];
}

function modifiersOf({ modifiers }: Node): readonly string[] {
  if (!Array.isArray(modifiers)) return [];
  return modifiers.map((each: Node | null) => {
    const { name, pathNode } = (each?.modifierName ?? {}) as Node;
    return textOf(name ?? ((pathNode ?? {}) as Node).name)
      .split('.')
      .at(-1)!;
  });
}

/** The ABI's name of a parameter's type; `undefined` for a struct, whose name isn't that of the ABI. */
function abiType(parameter: Node): string | undefined {
  const { typeString } = ((parameter as Node).typeDescriptions ?? {}) as Node;
  const type = textOf(typeString).replace(/ (memory|calldata|storage ref|storage pointer)$/, '');
  const [, base = '', dimensions = ''] = /^(.*?)((?:\[\d*\])*)$/s.exec(type) ?? [];
  if (base.startsWith('contract ') || base === 'address payable') return `address${dimensions}`;
  if (base.startsWith('enum ')) return `uint8${dimensions}`;
  if (base.startsWith('function ')) return `function${dimensions}`;
  return base === '' || base.includes(' ') ? undefined : type;
}

/** Looks at all nodes for inline assembly. */
function findAssembly(file: SourceFile, ast: unknown): void {
  const open: unknown[] = [ast];
  for (let seen = 0; open.length > 0 && seen < MAX_NODES; seen++) {
    const each = open.pop();
    if (Array.isArray(each)) for (const item of each) open.push(item);
    if (typeof each !== 'object' || each === null || Array.isArray(each)) continue;
    const node = each as Node;
    if (node.nodeType === 'InlineAssembly') {
      const range = rangeOf(node);
      if (range) file.assembly.push({ file, ...range });
      continue;
    }
    for (const key in node) {
      const value = node[key];
      if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
}

function nodesOf(node: unknown): readonly Node[] {
  const { nodes } = (node ?? {}) as Node;
  return Array.isArray(nodes) ? nodes.filter((each) => typeof each === 'object' && each !== null) : [];
}

/** @returns `undefined` where the node doesn't say where it is */
function rangeOf({ src }: Node): { readonly start: number; readonly end: number } | undefined {
  const [start, length] = textOf(src).split(':').map(Number);
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(length)) return undefined;
  return { start: start!, end: start! + length! };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
