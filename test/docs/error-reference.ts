import { ERRORS, type ErrorName } from '../../src/errors.ts';
import { ParsedSource } from './parsed-source.ts';

/** Codes -> where they come from, and what their errors have in common. */
const CODES: Readonly<Record<number, string>> = {
  [-32700]: 'JSON-RPC: the body is not JSON',
  [-32600]: 'JSON-RPC: the body is no request',
  [-32601]: 'JSON-RPC: no such method',
  [-32602]: 'JSON-RPC: the parameters are not what the method takes',
  [-32603]: 'JSON-RPC: a fault of the node. Its log tells more. Hardhat 2 has it for reverts',
  [-32000]: "geth's code: what was asked for isn't there, or can't be done",
  [-32005]: 'EIP-1474: too much at a time',
  [-32001]: 'There is no such thing, here the access list of a block (EIP-1474)',
  4444: 'EIP-4444: history that the node has dropped',
  [-32003]: 'EIP-1474: a transaction that is not admitted',
  3: "geth's code: a revert; `data` has what the contract returned",
  4: 'EIP-7966: no receipt in time; `data` has the hash',
  4900: 'EIP-1193: the provider of a chain that was closed',
  [-32015]: "A call's halt, such as out of gas or a bad opcode, as in OpenEthereum",
};
/** Codes of a range that the specification execution-apis keeps for one method. */
const isSimulation = (code: number) => code <= -38_000;

/** The text of docs/errors.md, from the table in src/errors.ts. */
export function errorReference(): string {
  const source = new ParsedSource('src/errors.ts');
  const row = (name: ErrorName, first: string) => {
    // The parameters of a message stand for themselves in it.
    const message = (ERRORS[name].message as (payload: unknown) => string)(NAMED);
    return `| ${first} | \`${message.replaceAll('|', '\\|')}\` | ${commentOf(source, name)} |`;
  };
  const names = Object.keys(ERRORS) as ErrorName[];
  const codes = [...new Set(names.map((name) => ERRORS[name].code))].filter((code) => !isSimulation(code));
  const sections = codes.map((code) => {
    if (!CODES[code]) throw new Error(`no text for the code ${code}`);
    const rows = names.filter((name) => ERRORS[name].code === code).map((name) => row(name, `\`${name}\``));
    return `## ${code}\n\n${CODES[code]}.\n\n| name | message | |\n|---|---|---|\n${rows.join('\n')}`;
  });
  const simulation = names
    .filter((name) => isSimulation(ERRORS[name].code))
    .map((name) => row(name, `${ERRORS[name].code} | \`${name}\``));
  return [HEAD, ...sections, `${SIMULATION}\n${simulation.join('\n')}`, ''].join('\n\n');
}

const HEAD = `# Errors

<!-- npm run docs writes this page from the table in src/errors.ts -->

Every error that a caller can get, by its JSON-RPC code. \`<name>\` stands for what differs from case to case. In-process calls throw a
\`DevnetError\` with \`kind\`, \`code\`, \`message\` and, where there is some, \`data\`. Under \`--compat hardhat\` and \`hardhat2\` codes and texts are
Hardhat's. [Methods](methods.md) says which method has which.`;

const SIMULATION = `## -38010 to -38026

The specification execution-apis has them for \`eth_simulateV1\`; \`eth_getStorageValues\` has -38026 too. Other methods answer -32003 for
these reasons.

| code | name | message | |
|---|---|---|---|`;

const NAMED = new Proxy({}, { get: (_, name) => `<${String(name)}>` });

/** The comment right before a row of the table. */
function commentOf(source: ParsedSource, name: string): string {
  const at = new RegExp(`^ +(?:\\.\\.\\.coded\\(-?\\d+, \\{ )?${name}: `, 'm').exec(source.text)!;
  const start = at.index + at[0].search(/\S/);
  return source.commentBefore(start).replaceAll('\n', ' ');
}
