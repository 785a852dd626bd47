import type { BuildInfo, BuiltCode, BuiltContract, BuiltSource, Masked } from './compilation.ts';

type Json = Readonly<Record<string, unknown>>;

/** The compiler's input and output, as standard JSON, and its version: what build tools keep. */
export interface CompilerRun {
  readonly solcVersion: unknown;
  readonly input: unknown;
  readonly output: unknown;
  /** Hardhat 3: the user's names of sources -> those in the input */
  readonly userSourceNames?: unknown;
}

/**
 * Reads what a compiler was given and what it answered.
 * @returns `undefined` where it is something else
 */
export function readBuild({
  solcVersion,
  input,
  output,
  userSourceNames,
}: CompilerRun): BuildInfo | undefined {
  const { sources, settings } = objectOf(input);
  const { sources: outputSources, contracts } = objectOf(output);
  if (!isObject(outputSources) || !isObject(contracts)) return undefined;
  const names = new Map(Object.entries(objectOf(userSourceNames)).map(([user, key]) => [key, user]));
  const texts = objectOf(sources);
  const { optimizer, viaIR } = objectOf(settings);
  return {
    solcVersion: textOf(solcVersion),
    viaIr: viaIR === true,
    isOptimized: objectOf(optimizer).enabled === true,
    sources: Object.entries(outputSources).flatMap(([key, source]): BuiltSource[] => {
      const { id, ast } = objectOf(source);
      if (typeof id !== 'number') return [];
      const text = textOf(objectOf(texts[key]).content);
      return [{ key, name: names.get(key) ?? userName(key), id, text, ...(isObject(ast) && { ast }) }];
    }),
    contracts: Object.entries(contracts).flatMap(([source, all]) =>
      Object.entries(objectOf(all)).flatMap(([name, contract]) => builtContract(source, name, contract)),
    ),
  };
}

function builtContract(source: string, name: string, contract: unknown): BuiltContract[] {
  const { abi, evm, storageLayout } = objectOf(contract);
  const { bytecode, deployedBytecode, methodIdentifiers } = objectOf(evm);
  const deployed = builtCode(deployedBytecode);
  const creation = builtCode(bytecode);
  if (creation.object === '' && deployed.object === '') return [];
  return [
    {
      source,
      name,
      abi: Array.isArray(abi) ? abi : [],
      creation,
      deployed,
      selectors: selectorsOf(methodIdentifiers),
      ...(isObject(storageLayout) && { storageLayout }),
    },
  ];
}

/** @param bytecode of solc's output for a contract, or of Foundry's artifact */
export function builtCode(bytecode: unknown): BuiltCode {
  const { object, sourceMap, ethdebug, immutableReferences, linkReferences } = objectOf(bytecode);
  const { instructions } = objectOf(ethdebug);
  const links = Object.values(objectOf(linkReferences)).flatMap((file) => Object.values(objectOf(file)));
  return {
    object: textOf(object).replace(/^0x/, ''),
    sourceMap: textOf(sourceMap),
    ...(!sourceMap && Array.isArray(instructions) && { ethdebug: instructions }),
    masked: [...Object.values(objectOf(immutableReferences)), ...links].flatMap((places) =>
      Array.isArray(places) ? places.filter(isMasked) : [],
    ),
  };
}

export function selectorsOf(methodIdentifiers: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(objectOf(methodIdentifiers));
  return Object.fromEntries(entries.filter((each): each is [string, string] => typeof each[1] === 'string'));
}

/** Hardhat 3 puts the project's files below `project/`. */
function userName(key: string): string {
  return key.replace(/^project\//, '').replace(/^npm\/((?:@[^/]+\/)?[^@/]+)@[^/]+\//, '$1/');
}

function isMasked(place: unknown): place is Masked {
  const { start, length } = objectOf(place);
  return typeof start === 'number' && typeof length === 'number';
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
