import { MAX_NESTED_TYPES } from './limits.ts';
/** A state variable or a member of a struct, in the form of solc's `storageLayout`. */
export interface StorageVariable {
  /** its name */
  readonly label: string;
  /** `contracts/Token.sol:Token`: the contract that declares it, or is asked for where the compiler wrote the layout */
  readonly contract: string;
  /** of the lowest byte within the slot, in bytes */
  readonly offset: number;
  /** decimal; of a member: from the start of its struct */
  readonly slot: string;
  /** key in {@link StorageLayout.types} */
  readonly type: string;
}

/** How values of a type are stored. */
export interface StorageType {
  readonly encoding: 'inplace' | 'mapping' | 'dynamic_array' | 'bytes';
  readonly label: string;
  /** decimal */
  readonly numberOfBytes: string;
  /** of elements of an array */
  readonly base?: string;
  /** of a mapping */
  readonly key?: string;
  readonly value?: string;
  /** of a struct */
  readonly members?: readonly StorageVariable[];
  /** of a user-defined value type, where the syntax tree is known: `uint128` */
  readonly underlying?: string;
  /** names of an enum's members, in the order of their numbers, where the syntax tree is known */
  readonly names?: readonly string[];
}

/** Where a contract keeps its state variables, in the form of solc's output `storageLayout`. */
export interface StorageLayout {
  readonly storage: readonly StorageVariable[];
  readonly types: Readonly<Record<string, StorageType>>;
}

/** A node of solc's syntax tree: it comes from a file, so nothing of it is taken for granted. */
type Node = Readonly<Record<string, unknown>>;

/** A contract, struct, enum or value type. */
export interface Declaration {
  readonly node: Node;
  /** as the user names it */
  readonly file: string;
}

/** The declarations of a compilation, by the ids of their nodes. */
export type Declarations = Pick<ReadonlyMap<number, Declaration>, 'get'>;

const MAX_VARIABLES = 10_000;
const SLOT = 32n;

/** A layout can't be told from what is known. */
class UnknownLayout extends Error {}

/**
 * Computes where a contract keeps its state variables, by the rules of Solidity ("Layout of State Variables in Storage").
 * @param id of the contract's node
 * @returns `undefined` where the syntax tree doesn't tell it, such as a base slot that is an expression
 */
export function layoutOf(declarations: Declarations, id: number): StorageLayout | undefined {
  try {
    return new LayoutReader(declarations).read(id);
  } catch (error) {
    if (error instanceof UnknownLayout) return undefined;
    throw error;
  }
}

/** The layout as the compiler wrote it, where a build tool kept it. @returns `undefined` where it isn't one */
export function readLayout(written: unknown): StorageLayout | undefined {
  const { storage, types } = nodeOf(written);
  if (!Array.isArray(storage) || (types != null && typeof types !== 'object')) return undefined;
  const variables = (list: unknown) =>
    listOf(list).map(
      ({ label, contract, offset, slot, type }): StorageVariable => ({
        label: textOf(label),
        contract: textOf(contract),
        offset: typeof offset === 'number' && offset >= 0 && offset < 32 ? offset : 0,
        slot: textOf(slot),
        type: textOf(type),
      }),
    );
  return {
    storage: variables(storage),
    types: Object.fromEntries(
      Object.entries(nodeOf(types)).flatMap(([name, each]): [string, StorageType][] => {
        const { encoding, label, numberOfBytes, base, key, value, members } = nodeOf(each);
        const known = ENCODINGS.find((one) => one === encoding);
        if (!known) return [];
        const type: StorageType = {
          encoding: known,
          label: textOf(label),
          numberOfBytes: textOf(numberOfBytes),
          ...(base !== undefined && { base: textOf(base) }),
          ...(key !== undefined && { key: textOf(key), value: textOf(value) }),
          ...(members !== undefined && { members: variables(members) }),
        };
        return [[name, type]];
      }),
    ),
  };
}

const ENCODINGS = ['inplace', 'mapping', 'dynamic_array', 'bytes'] as const;

/** Places variables one behind the other. */
class Cursor {
  slot: bigint;
  offset = 0;

  constructor(slot: bigint) {
    this.slot = slot;
  }

  /** @returns where a value begins. Arrays and structs begin a slot, and what follows them does, too. */
  place(bytes: bigint, isWhole: boolean): { readonly slot: bigint; readonly offset: number } {
    if (this.offset > 0 && (isWhole || BigInt(this.offset) + bytes > SLOT)) {
      this.slot++;
      this.offset = 0;
    }
    const placed = { slot: this.slot, offset: this.offset };
    if (isWhole) this.slot += (bytes + SLOT - 1n) / SLOT;
    else this.offset += Number(bytes);
    return placed;
  }

  /** Bytes of all that was placed, in whole slots. */
  get bytes(): bigint {
    return (this.slot + (this.offset > 0 ? 1n : 0n)) * SLOT;
  }
}

class LayoutReader {
  readonly #declarations: Declarations;
  readonly #types: Record<string, StorageType> = Object.create(null);
  /** labels of structs whose members are being read: a struct may hold itself in a mapping or an array */
  readonly #open = new Map<string, string>();
  #count = 0;

  constructor(declarations: Declarations) {
    this.#declarations = declarations;
  }

  read(id: number): StorageLayout {
    const contract = this.#declared(id).node;
    const bases = listOf(contract.linearizedBaseContracts).filter((each) => typeof each === 'number');
    const cursor = new Cursor(baseSlotOf(contract));
    // The most basic contract's variables come first.
    const storage = bases.reverse().flatMap((base) => {
      const { node, file } = this.#declared(base);
      const variables = listOf(node.nodes).filter(isStored);
      return this.#place(variables, cursor, `${file}:${textOf(node.name)}`, 0);
    });
    return { storage, types: { ...this.#types } };
  }

  #declared(id: unknown): Declaration {
    const found = typeof id === 'number' ? this.#declarations.get(id) : undefined;
    if (!found) throw new UnknownLayout();
    return found;
  }

  #place(variables: readonly Node[], cursor: Cursor, contract: string, depth: number): StorageVariable[] {
    return variables.map((variable) => {
      if (++this.#count > MAX_VARIABLES) throw new UnknownLayout();
      const type = this.#typeOf(nodeOf(variable.typeName), depth);
      const { encoding, members, base, numberOfBytes } = this.#types[type]!;
      const isWhole = encoding !== 'inplace' || members !== undefined || base !== undefined;
      const { slot, offset } = cursor.place(BigInt(numberOfBytes), isWhole);
      return { label: textOf(variable.name), contract, offset, slot: slot.toString(), type };
    });
  }

  /** @returns the key of the type, which is kept */
  #typeOf(node: Node, depth: number): string {
    if (depth > MAX_NESTED_TYPES) throw new UnknownLayout();
    switch (node.nodeType) {
      case 'ElementaryTypeName':
        return this.#elementary(node);
      case 'UserDefinedTypeName':
        return this.#declaredType(node, depth);
      case 'ArrayTypeName':
        return this.#array(node, depth);
      case 'Mapping': {
        const key = this.#keyType(nodeOf(node.keyType), depth);
        const value = this.#typeOf(nodeOf(node.valueType), depth + 1);
        const label = `mapping(${this.#label(key)} => ${this.#label(value)})`;
        return this.#keep(`t_mapping(${key},${value})`, {
          encoding: 'mapping',
          label,
          numberOfBytes: '32',
          key,
          value,
        });
      }
      case 'FunctionTypeName': {
        const isExternal = node.visibility === 'external';
        const { typeIdentifier, typeString } = nodeOf(node.typeDescriptions);
        return this.#keep(unescaped(textOf(typeIdentifier)), {
          encoding: 'inplace',
          label: textOf(typeString),
          numberOfBytes: isExternal ? '24' : '8',
        });
      }
      default:
        throw new UnknownLayout();
    }
  }

  /** The key of a mapping isn't stored: solc names strings and bytes as those in memory. */
  #keyType(node: Node, depth: number): string {
    const { name } = node;
    if (node.nodeType !== 'ElementaryTypeName' || (name !== 'string' && name !== 'bytes'))
      return this.#typeOf(node, depth + 1);
    return this.#keep(`t_${name}_memory_ptr`, { encoding: 'bytes', label: name, numberOfBytes: '32' });
  }

  #elementary(node: Node): string {
    const name = elementaryName(node);
    // `address payable` is laid out as an address.
    const label = name.replace(/ payable$/, '');
    if (label === 'string' || label === 'bytes')
      return this.#keep(`t_${label}_storage`, { encoding: 'bytes', label, numberOfBytes: '32' });
    const bytes = bytesOf(label);
    const key = name === label ? `t_${label}` : 't_address_payable';
    return this.#keep(key, { encoding: 'inplace', label: name, numberOfBytes: String(bytes) });
  }

  #declaredType(node: Node, depth: number): string {
    // solc before 0.8.0 has the reference beside the name, later ones in its path.
    const id = node.referencedDeclaration ?? nodeOf(node.pathNode).referencedDeclaration;
    const { node: declared, file } = this.#declared(id);
    const name = textOf(declared.name);
    const label = textOf(nodeOf(node.typeDescriptions).typeString).replace(/ storage (ref|pointer)$/, '');
    switch (declared.nodeType) {
      case 'ContractDefinition':
        return this.#keep(`t_contract(${name})${id}`, { encoding: 'inplace', label, numberOfBytes: '20' });
      case 'EnumDefinition': {
        const names = listOf(declared.members).map((member) => textOf(member.name));
        const bytes = names.length > 256 ? 2 : 1;
        const type: StorageType = { encoding: 'inplace', label, numberOfBytes: String(bytes), names };
        return this.#keep(`t_enum(${name})${id}`, type);
      }
      case 'UserDefinedValueTypeDefinition': {
        const underlying = elementaryName(nodeOf(declared.underlyingType)).replace(/ payable$/, '');
        const numberOfBytes = String(bytesOf(underlying));
        return this.#keep(`t_userDefinedValueType(${name})${id}`, {
          encoding: 'inplace',
          label,
          numberOfBytes,
          underlying,
        });
      }
      case 'StructDefinition': {
        const key = `t_struct(${name})${id}_storage`;
        if (this.#types[key] || this.#open.has(key)) return key;
        this.#open.set(key, label);
        const cursor = new Cursor(0n);
        const members = this.#place(listOf(declared.members), cursor, file, depth + 1);
        this.#open.delete(key);
        return this.#keep(key, {
          encoding: 'inplace',
          label,
          numberOfBytes: cursor.bytes.toString(),
          members,
        });
      }
      default:
        throw new UnknownLayout();
    }
  }

  #array(node: Node, depth: number): string {
    const base = this.#typeOf(nodeOf(node.baseType), depth + 1);
    const [, length] = /\[(\d*)\](?: storage (?:ref|pointer))?$/.exec(
      textOf(nodeOf(node.typeDescriptions).typeString),
    ) ?? [undefined, undefined];
    if (length === undefined) throw new UnknownLayout();
    if (length === '')
      return this.#keep(`t_array(${base})dyn_storage`, {
        encoding: 'dynamic_array',
        label: `${this.#label(base)}[]`,
        numberOfBytes: '32',
        base,
      });
    return this.#keep(`t_array(${base})${length}_storage`, {
      encoding: 'inplace',
      label: `${this.#label(base)}[${length}]`,
      numberOfBytes: (slotsOfElements(this.#types[base] ?? missing(), BigInt(length)) * SLOT).toString(),
      base,
    });
  }

  #label(key: string): string {
    return this.#types[key]?.label ?? this.#open.get(key) ?? missing();
  }

  #keep(key: string, type: StorageType): string {
    this.#types[key] ??= type;
    return key;
  }
}

function missing(): never {
  throw new UnknownLayout();
}

/** Slots of `count` elements of an array: small ones share a slot. */
export function slotsOfElements({ numberOfBytes }: StorageType, count: bigint): bigint {
  const bytes = BigInt(numberOfBytes);
  if (bytes > SLOT / 2n) return count * ((bytes + SLOT - 1n) / SLOT);
  const each = SLOT / (bytes || 1n);
  return (count + each - 1n) / each;
}

/** `contract C layout at 100` (solc 0.8.29): a number, where it is written as one. */
function baseSlotOf(contract: Node): bigint {
  if (contract.storageLayout == null) return 0n;
  const { nodeType, kind, value, subdenomination } = nodeOf(
    nodeOf(contract.storageLayout).baseSlotExpression,
  );
  const digits = textOf(value).replaceAll('_', '');
  if (nodeType !== 'Literal' || kind !== 'number' || subdenomination != null) return missing();
  return /^(\d+|0x[\da-f]+)$/i.test(digits) ? BigInt(digits) : missing();
}

/** Whether a contract's node is a variable with a place in storage. */
function isStored({ nodeType, constant, mutability, storageLocation }: Node): boolean {
  if (nodeType !== 'VariableDeclaration' || constant === true) return false;
  return mutability !== 'immutable' && mutability !== 'constant' && storageLocation !== 'transient';
}

/** @param node of an elementary type: `uint` is `uint256` in its description */
function elementaryName({ typeDescriptions, name }: Node): string {
  return textOf(nodeOf(typeDescriptions).typeString) || textOf(name);
}

function bytesOf(label: string): number {
  if (label === 'bool') return 1;
  if (label === 'address') return 20;
  const [, kind, size = kind === 'bytes' ? '' : '256'] = /^(uint|int|bytes)(\d+)?$/.exec(label) ?? [];
  if (kind === undefined) return missing();
  return kind === 'bytes' ? Number(size) : Number(size) / 8;
}

/** solc writes `$_` for an opening parenthesis in an identifier, `_$` for a closing one, and `_$_` for a comma. */
function unescaped(identifier: string): string {
  return identifier.replaceAll('_$_', ',').replaceAll('$_', '(').replaceAll('_$', ')');
}

function nodeOf(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {};
}

function listOf(value: unknown): Node[] {
  return Array.isArray(value)
    ? value.map((each) => (typeof each === 'number' ? (each as never) : nodeOf(each)))
    : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
