import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isConsensusFile } from '../replay/consensus/fixture.ts';
import { isStateTestFile } from '../replay/consensus/state-test.ts';
import { foreignFile } from '../replay/foreign-file.ts';
import { membersOf, NoObject } from '../replay/json-members.ts';
import { isRecording } from '../replay/read-recording.ts';
import { chainFiles, isChainFolder } from '../replay/replay-chain.ts';
import type { CaseOutcome } from '../replay/replay-file.ts';
import type { Replayed } from '../replay/replay-tally.ts';

/** The BullMQ queue of the jobs. */
export const QUEUE = 'devnet-replay';
/** Files with more bytes aren't sent through Redis: workers must find them under their path. */
export const MAX_BYTES = 64 * 2 ** 20;
/** BlockchainTests and GeneralStateTests files with more bytes are split into several jobs, so that all workers are busy until the end. */
const MAX_BYTES_OF_JOB = 2 ** 18;
/** The beginning of a member that isn't a case. */
const INFO = '"_info"';
const [OPEN, COMMA, CLOSE] = [Buffer.from('{'), Buffer.from(','), Buffer.from('}')];

/** A file of a job. */
export interface JobFile {
  readonly name: string;
  /** hex */
  readonly sha256: string;
  readonly bytes: number;
}

/** A worker's task: to replay a fixture, or some of its cases. */
export interface ReplayJob {
  /** devnet's version: results of another version may differ */
  readonly version: string;
  /** id of the run to which the job belongs: the prefix of its contents in Redis */
  readonly run: string;
  /** the path that the user gave; a worker that has the same content there reads it from there */
  readonly path: string;
  /** one file, or the files of a folder with an exported chain */
  readonly files: readonly JobFile[];
  readonly isFolder: boolean;
  /** the case of a BlockchainTests or GeneralStateTests file to begin with, from 0: earlier ones are done */
  readonly from: number;
  readonly bail: boolean;
  /** see `ReplayFileOptions.whole` */
  readonly whole?: boolean;
}

/** A worker's result. */
export interface JobResult {
  readonly cases: CaseOutcomes;
  /** the case with which to continue, from 0, if a worker has done its part and cases are left */
  readonly next?: number | undefined;
}

/** Results by case name. */
export type CaseOutcomes = Readonly<Record<string, CaseOutcome>>;

/** Messages about a job while a worker processes it. */
export type ReplayProgress =
  | { readonly done: Replayed }
  /** a worker of this version has returned the job to the queue */
  | { readonly refusedBy: string };

/** A file of a job, with its content unless the content isn't sent through Redis. */
export interface PieceFile extends JobFile {
  readonly content?: Uint8Array;
}

/** The content of a job. */
export interface Piece {
  readonly isFolder: boolean;
  /** its share of the fixture, 0 to 1 */
  readonly share: number;
  readonly files: readonly PieceFile[];
}

/** The key of a content in Redis. */
export function contentKey(run: string, sha256: string): string {
  return `${QUEUE}:${run}:${sha256}`;
}

export function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Computes the SHA-256 of a file, which is read in chunks. @returns hex */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path) as AsyncIterable<Uint8Array>) hash.update(piece);
  return hash.digest('hex');
}

async function fileAt(path: string): Promise<PieceFile> {
  const name = basename(path);
  const { size: bytes } = await stat(path);
  if (bytes > MAX_BYTES) return { name, sha256: await sha256OfFile(path), bytes };
  return fileOf(name, await readFile(path));
}

function fileOf(name: string, content: Uint8Array): PieceFile {
  return { name, sha256: sha256Of(content), bytes: content.length, content };
}

/**
 * Splits a fixture into jobs while it is read: a large BlockchainTests or GeneralStateTests file becomes several jobs with some of its
 * cases each.
 * @throws Error when the file can't be read
 */
export async function* piecesOf(path: string): AsyncGenerator<Piece> {
  if (await isChainFolder(path)) {
    const files = await chainFiles(path);
    yield {
      isFolder: true,
      share: 1,
      files: await Promise.all(files.map((name) => fileAt(join(path, name)))),
    };
    return;
  }
  const isOne =
    (await isRecording(path)) || (await stat(path)).size <= MAX_BYTES_OF_JOB || !(await hasCases(path));
  if (isOne) {
    yield { isFolder: false, share: 1, files: [await fileAt(path)] };
    return;
  }
  const name = basename(path);
  const { size } = await stat(path);
  try {
    for await (const part of partsOf(path))
      yield { isFolder: false, share: part.length / size, files: [fileOf(name, part)] };
  } catch (error) {
    throw error instanceof NoObject ? foreignFile(path) : error;
  }
}

/** Whether a file contains consensus tests, judging by its first case. */
async function hasCases(path: string): Promise<boolean> {
  try {
    for await (const { text } of membersOf(createReadStream(path)))
      if (!isInfo(text)) {
        const json = JSON.parse(`{${text}}`);
        return isConsensusFile(json) || isStateTestFile(json);
      }
    return false;
  } catch (error) {
    if (error instanceof NoObject || error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Groups the cases of a file into JSON objects of limited size. @throws NoObject when the file is truncated */
async function* partsOf(path: string): AsyncGenerator<Uint8Array> {
  let texts: Uint8Array[] = [];
  let bytes = 0;
  const part = () => {
    const joined = Buffer.concat([
      OPEN,
      ...texts.flatMap((text, i) => (i === 0 ? [text] : [COMMA, text])),
      CLOSE,
    ]);
    [texts, bytes] = [[], 0];
    return joined;
  };
  for await (const { text } of membersOf(createReadStream(path))) {
    const isCase = !isInfo(text);
    if (texts.length > 0 && (!isCase || bytes + text.length > MAX_BYTES_OF_JOB)) yield part();
    if (!isCase) continue;
    texts.push(text);
    bytes += text.length + 1;
  }
  if (texts.length > 0) yield part();
}

const isInfo = (member: Buffer) => member.toString('latin1', 0, INFO.length) === INFO;
