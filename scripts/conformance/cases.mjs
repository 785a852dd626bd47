// Cases in the format of ethereum/execution-apis, and the rules by which hive's rpc-compat compares responses.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { RESULTS, shapeProblem } from './shapes.mjs';

/**
 * The cases of a folder in the order of their file names, in which they are sent.
 * @returns {{ name: string, method: string, request: object, expected: object, shapeOnly: boolean }[]}
 */
export function readCases(dir) {
  return readdirSync(dir, { recursive: true })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => name.endsWith('.io'))
    .sort()
    .flatMap((name) => {
      const lines = readFileSync(join(dir, name), 'utf8').split('\n');
      const shapeOnly = lines.some((line) => line.startsWith('//') && line.includes('speconly:'));
      const asked = lines.filter((line) => line.startsWith('>>')).map((line) => JSON.parse(line.slice(2)));
      const answers = lines.filter((line) => line.startsWith('<<')).map((line) => JSON.parse(line.slice(2)));
      return asked.map((request, i) => ({
        name,
        method: request.method,
        request,
        expected: answers[i],
        shapeOnly,
      }));
    });
}

/**
 * The first difference between two responses, or undefined: JSON equality, ignoring the order of keys; the message of an error isn't
 * compared if both sides have one.
 */
export function difference(expected, got, shapeOnly = false) {
  const member = (answer) => ('error' in answer ? 'error' : 'result');
  if (member(expected) !== member(got)) {
    const why = got.error ? `${got.error.code} ${got.error.message}` : brief(got.result);
    return `expected ${member(expected)}, got ${member(got)}: ${why}`;
  }
  if (shapeOnly) return shapeDifference(expected[member(expected)], got[member(got)], member(got));
  return valueDifference(expected[member(expected)], got[member(got)], member(got));
}

function valueDifference(expected, got, at) {
  if (!isContainer(expected) || !isContainer(got) || Array.isArray(expected) !== Array.isArray(got))
    return expected === got ? undefined : `${at}: expected ${brief(expected)}, got ${brief(got)}`;
  if (Array.isArray(expected) && expected.length !== got.length)
    return `${at}: expected ${expected.length} items, got ${got.length}`;
  for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
    if (key === 'message' && at.endsWith('error') && key in expected && key in got) continue;
    const found = valueDifference(expected[key], got[key], `${at}.${key}`);
    if (found) return found;
  }
}

/** Compares the kinds of values under the same keys; the lengths of lists may differ. */
function shapeDifference(expected, got, at) {
  if (kind(expected) !== kind(got)) return `${at}: expected ${kind(expected)}, got ${kind(got)}`;
  if (Array.isArray(expected))
    return expected.length > 0 && got.length > 0
      ? shapeDifference(expected[0], got[0], `${at}.0`)
      : undefined;
  if (kind(expected) !== 'object') return undefined;
  for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
    const found = shapeDifference(expected[key], got[key], `${at}.${key}`);
    if (found) return found;
  }
}

function kind(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)) return 'hex';
  return typeof value;
}

const isContainer = (value) => typeof value === 'object' && value !== null;

function brief(value) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 100 ? `${text.slice(0, 97)}...` : text;
}

/**
 * Sends every case to a node, one after the other.
 * @param {(request: object) => Promise<object>} ask responds to a JSON-RPC request
 * @returns {Promise<{ name: string, method: string, difference: string | undefined }[]>}
 */
export async function runCases(cases, ask) {
  const results = [];
  for (const { name, method, request, expected, shapeOnly } of cases) {
    const answer = await ask(request);
    const problem = 'result' in answer ? shapeProblem(method, answer.result) : undefined;
    // If only the schema counts, optional keys may differ: then the known schema of the method decides.
    const schemaOnly = shapeOnly && method in RESULTS && 'result' in expected && 'result' in answer;
    const found = schemaOnly ? undefined : difference(expected, answer, shapeOnly);
    results.push({ name, method, difference: found ?? problem });
  }
  return results;
}

/** Makes the `ask` function of `runCases` for a node of `createDevnet`: it uses the provider, and returns the response as on the wire. */
export function askProvider(provider) {
  return async ({ method, params }) => {
    try {
      const result = await provider.request({ method, params });
      return { result: result === undefined ? null : JSON.parse(JSON.stringify(result)) };
    } catch (error) {
      const { code, message, data } = error;
      return { error: { code, message, ...(data !== undefined && { data }) } };
    }
  };
}
