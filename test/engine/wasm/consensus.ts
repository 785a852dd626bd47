import { bytesToHex, equalsBytes, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { Header } from '../../../src/chain/block.ts';
import { decodeBlock, type RawBlock } from '../../../src/chain/block-rlp.ts';
import { blobBaseFee } from '../../../src/chain/fees.ts';
import { validateHeader } from '../../../src/chain/validate-header.ts';
import { Executor } from '../../../src/engine/wasm/executor.ts';
import { type ExecutorRules, rulesOf } from '../../../src/engine/wasm/rules.ts';
import { finishLater, finishNow } from '../../../src/engine/wasm/run.ts';
import type { ExecutorLog } from '../../../src/engine/wasm/types.ts';
import type { HardforkSchedule } from '../../../src/protocol/hardfork.ts';
import { type ConsensusCase, expectedException, genesisOf } from '../../../src/replay/consensus/fixture.ts';
import { networkOf } from '../../../src/replay/consensus/network.ts';
import { EMPTY_ROOT } from '../../../src/state/account.ts';
import { parseAlloc } from '../../../src/state/genesis.ts';
import { add, openBlock, type SealedBlock, sealBlock, undoBlock } from './core-blocks.ts';
import { crypto, writeAlloc } from './executors.ts';

const CHAIN_ID = 1n;
const NO_HASH = new Uint8Array(32);

/** Networks that the executor has rules for. */
export const NETWORKS = ['Cancun', 'Prague', 'Osaka'];

interface Kept {
  readonly header: Header;
  readonly hash: Uint8Array;
}

/** Runs cases of BlockchainTests files on one executor, which is empty again after each of them. */
export class ExecutorCases {
  readonly #executor = new Executor({ chainId: CHAIN_ID }, { recover: crypto.recover });
  readonly #rules = new Map<string, ExecutorRules>();

  /** @returns the first difference from the fixture; `undefined` = it passes */
  async run(fixture: ConsensusCase): Promise<string | undefined> {
    const executor = this.#executor;
    const { schedule } = networkOf(fixture.network, { chainId: CHAIN_ID }, crypto);
    const { header, hash } = genesisOf(fixture);
    this.#useRules(fixture.network, schedule);
    writeAlloc(executor, parseAlloc(fixture.pre));
    const root = executor.stateRoot();
    executor.core.closeBlock();
    const chain: Kept[] = [{ header, hash }];
    let wrong = equalsBytes(root, header.stateRoot) ? undefined : 'the state root of the genesis block';
    for (const [i, block] of fixture.blocks.entries()) {
      const exception = expectedException(block);
      const fault = await this.#add(block.rlp, chain, schedule);
      if (exception !== undefined && !fault) wrong ??= `blocks[${i}]: expected ${exception}`;
      if (exception === undefined && fault && block.blockHeader !== undefined)
        wrong ??= `blocks[${i}]: ${fault}`;
    }
    const last = bytesToHex(chain.at(-1)!.hash);
    if (last !== fixture.lastblockhash.toLowerCase()) wrong ??= `lastblockhash: ${last}`;
    return this.#takeBack(chain) ?? wrong;
  }

  #useRules(network: string, schedule: HardforkSchedule): void {
    let rules = this.#rules.get(network);
    if (!rules) {
      rules = rulesOf(schedule.at(0n, 0n));
      this.#rules.set(network, rules);
    }
    this.#executor.useRules(rules);
  }

  /** Undoes all blocks, each of which must leave the state root of the one before. */
  #takeBack(chain: Kept[]): string | undefined {
    let wrong: string | undefined;
    for (let i = chain.length - 1; i >= 0; i--) {
      const root = finishNow(undoBlock(this.#executor));
      const expected = chain[i - 1]?.header.stateRoot ?? EMPTY_ROOT;
      if (!equalsBytes(root, expected)) wrong ??= `the state root after block ${i} was undone`;
    }
    return wrong;
  }

  /** Adds a block to the chain. @returns why it is refused */
  async #add(rlp: string, chain: Kept[], schedule: HardforkSchedule): Promise<string | undefined> {
    let block: RawBlock;
    try {
      // The executor checks the transactions itself.
      block = decodeBlock(hexToBytes(rlp as PrefixedHexString), schedule, (raw) => {
        const type = raw[0]! < 0x80 ? raw[0] : 0;
        return { tx: { type }, raw } as never;
      });
      const parent = chain.find(({ hash }) => equalsBytes(hash, block.header.parentHash));
      if (!parent) return 'parentHash';
      if (!block.withdrawals) return 'withdrawals';
      validateHeader(block.header, parent, block.hardfork, schedule);
      if (parent !== chain.at(-1)) return 'a block on another branch, which this test does not follow';
    } catch (error) {
      return (error as Error).message;
    }
    const executor = this.#executor;
    try {
      const sealed = await execute(executor, block, chain);
      if (!equalsBytes(sealed.hash, block.hash)) {
        finishNow(undoBlock(executor));
        return `another block: ${differences(block.header, sealed)}`;
      }
      chain.push({ header: block.header, hash: block.hash });
      return undefined;
    } catch (error) {
      executor.core.revertTo(0);
      return (error as Error).message;
    }
  }
}

async function execute(
  executor: Executor,
  { header, hardfork, transactions, withdrawals }: RawBlock,
  chain: Kept[],
) {
  const opening = openBlock(
    executor,
    {
      number: header.number,
      timestamp: header.timestamp,
      gasLimit: header.gasLimit,
      coinbase: header.coinbase.bytes,
      baseFeePerGas: header.baseFeePerGas!,
      blobBaseFee: blobBaseFee(header.excessBlobGas, hardfork)!,
      excessBlobGas: header.excessBlobGas!,
      difficulty: header.difficulty,
      nonce: header.nonce,
      prevRandao: header.mixHash,
      parentHash: header.parentHash,
      parentBeaconBlockRoot: header.parentBeaconBlockRoot!,
      extraData: header.extraData,
    },
    (number) => chain.find((kept) => kept.header.number === number)?.hash ?? NO_HASH,
  );
  finishNow(opening);
  const logs: ExecutorLog[] = [];
  for (const [i, { raw }] of transactions.entries()) {
    const result = await finishLater(add(executor, raw), async () => {});
    if (result.kind === 'invalid') throw new Error(`transactions[${i}]: ${result.fault}`);
    logs.push(...result.logs);
  }
  const ending = { withdrawals: (withdrawals ?? []).map((w) => ({ ...w, address: w.address.bytes })), logs };
  return finishNow(sealBlock(executor, ending));
}

function differences(expected: Header, sealed: SealedBlock): string {
  const fields = [
    'gasUsed',
    'stateRoot',
    'receiptsRoot',
    'transactionsRoot',
    'logsBloom',
    'blobGasUsed',
  ] as const;
  return fields
    .filter((name) => {
      const [a, b] = [expected[name]!, sealed[name]];
      return typeof a === 'bigint' ? a !== b : !equalsBytes(a, b as Uint8Array);
    })
    .map((name) => (typeof sealed[name] === 'bigint' ? `${name} ${expected[name]} ${sealed[name]}` : name))
    .join(', ');
}
