import { bytesToHex, equalsBytes, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { TallyPart } from '../../against/tally.ts';
import { BadBlock } from '../../chain/block-fault.ts';
import type { Engine } from '../../engine/engine.ts';
import { DEFAULT_ENGINE, type EngineName } from '../../engine/engine-name.ts';
import { newEngine } from '../../engine/new-engine.ts';
import { TransactionDecoder } from '../../mempool/decode.ts';
import { type Crypto, chooseCrypto } from '../../protocol/crypto.ts';
import type { TrieState } from '../../state/trie-state.ts';
import type { OtherRules } from '../replay-file.ts';
import { BlockTree } from './block-tree.ts';
import { ComparedFixture } from './compared-fixture.ts';
import { type ConsensusCase, expectedException, genesisOf, stateOf } from './fixture.ts';
import { type Network, networkOf } from './network.ts';
import { runStateTest } from './run-state-test.ts';
import { stateDifference } from './state-difference.ts';
import type { StateTestCase } from './state-test.ts';

/** The result of a case. */
export interface CaseResult {
  readonly pass: boolean;
  /** hash of the head at the end, `0x` hex; `0x` if there wasn't even a genesis block */
  readonly lastblockhash: string;
  /** the first difference from the fixture */
  readonly error?: string;
  /** the results of its transactions under other rules, if requested */
  readonly against?: TallyPart;
}

/** The result of a case of GeneralStateTests. */
export interface StateCaseResult extends Omit<CaseResult, 'lastblockhash'> {
  /** state root at the end, `0x` hex; `0x` if there wasn't even an initial state */
  readonly stateRoot: string;
}

interface Chain extends Network {
  readonly engine: Engine;
  readonly decoder: TransactionDecoder;
  /** comparisons with other rules, by hardfork and artifacts folder */
  readonly compared: Map<string, ComparedFixture>;
  /** differences between the two engines of `shadow` in the current case */
  readonly differences: string[];
}

/** How cases run. */
export interface RunOptions {
  /** the engine that executes the transactions; default: `fast` */
  readonly engine?: EngineName | undefined;
  /** other rules under which the transactions are executed, too */
  readonly against?: OtherRules | undefined;
}

/** Runs cases of BlockchainTests files. Engines are cached, because most cases share a network. */
export class CaseRunner {
  readonly #crypto: Crypto;
  readonly #chains = new Map<string, Chain>();

  private constructor(crypto: Crypto) {
    this.#crypto = crypto;
  }

  static async create(): Promise<CaseRunner> {
    return new CaseRunner(await chooseCrypto());
  }

  /** Runs a case. Never throws: a case that can't be run has failed. */
  async run(fixture: ConsensusCase, options: RunOptions = {}): Promise<CaseResult> {
    let tree: BlockTree | undefined;
    let compared: ComparedFixture | undefined;
    const result = (error?: string): CaseResult => ({
      pass: error === undefined,
      lastblockhash: tree ? bytesToHex(tree.head.hash) : '0x',
      ...(error !== undefined && { error }),
      ...(compared && { against: compared.take() }),
    });
    try {
      const chain = this.#chainOf(fixture, options);
      const { engine, decoder, terminalDifficulty, differences } = chain;
      compared = this.#comparedOf(chain, options);
      tree = new BlockTree(
        { genesis: genesisOf(fixture), terminalDifficulty },
        { engine, decoder, onBlock: compared && ((...block) => compared!.block(...block)) },
      );
      // Report the first error, but continue with the other blocks, so that the final head is known too.
      let wrong: string | undefined;
      for (const [i, block] of fixture.blocks.entries()) {
        const fault = await faultOf(tree, block.rlp);
        const exception = expectedException(block);
        if (exception !== undefined && !fault)
          wrong ??= `blocks[${i}]: expected ${exception}, but the block was accepted`;
        if (exception === undefined && fault && block.blockHeader !== undefined)
          wrong ??= `blocks[${i}]: ${fault}`;
      }
      return result(differences[0] ?? wrong ?? differenceOf(fixture, tree));
    } catch (error) {
      return result(error instanceof Error ? error.message : String(error));
    }
  }

  /** Runs one post of a state test. Like {@link run}, never throws. */
  async runState(state: StateTestCase, options: RunOptions = {}): Promise<StateCaseResult> {
    let compared: ComparedFixture | undefined;
    try {
      const { test, fork } = state;
      const chain = this.#chainOf({ network: fork, config: test.config }, options);
      const { engine, decoder, differences } = chain;
      compared = this.#comparedOf(chain, options);
      const { stateRoot, error: wrong } = await runStateTest(state, { engine, decoder, compared });
      const error = differences[0] ?? wrong;
      return {
        pass: error === undefined,
        stateRoot,
        ...(error !== undefined && { error }),
        ...(compared && { against: compared.take() }),
      };
    } catch (error) {
      return { pass: false, stateRoot: '0x', error: error instanceof Error ? error.message : String(error) };
    }
  }

  #chainOf(
    { network, config }: Pick<ConsensusCase, 'network'> & { config?: ConsensusCase['config'] | undefined },
    { engine: name = DEFAULT_ENGINE }: RunOptions,
  ): Chain {
    const chainId = BigInt(config?.chainid ?? 1);
    const blobSchedule = config?.blobSchedule && lowerCased(config.blobSchedule);
    const key = JSON.stringify([name, network, `${chainId}`, blobSchedule]);
    let chain = this.#chains.get(key);
    if (!chain) {
      const { schedule, terminalDifficulty } = networkOf(network, { chainId, blobSchedule }, this.#crypto);
      const differences: string[] = [];
      const engine = newEngine(name, {
        schedule,
        crypto: this.#crypto,
        // Not thrown: a block that must be rejected would otherwise count as correctly rejected.
        onDifference: ({ message }) => differences.push(message),
      });
      const decoder = new TransactionDecoder({ transactionGasCap: true });
      chain = { schedule, terminalDifficulty, engine, decoder, compared: new Map(), differences };
      this.#chains.set(key, chain);
    }
    chain.differences.length = 0;
    return chain;
  }

  #comparedOf(
    { engine, compared }: Chain,
    { against, engine: engineName = DEFAULT_ENGINE }: RunOptions,
  ): ComparedFixture | undefined {
    if (!against) return undefined;
    const key = JSON.stringify([against.fork, against.artifacts]);
    let one = compared.get(key);
    if (!one) {
      one = new ComparedFixture(against, { engine, engineName, crypto: this.#crypto });
      compared.set(key, one);
    }
    return one;
  }
}

/** Adds a block to the tree. @returns why the tree rejects it; `undefined` if it was accepted */
async function faultOf(tree: BlockTree, rlp: string): Promise<string | undefined> {
  if (!/^0x[0-9a-f]*$/i.test(rlp) || rlp.length % 2 !== 0) return 'rlp: not hex bytes';
  try {
    await tree.add(hexToBytes(rlp as PrefixedHexString));
    return undefined;
  } catch (error) {
    // An internal error of the EVM also counts as a rejection. No fixture passes because of one.
    return error instanceof BadBlock ? error.message : `the engine failed: ${(error as Error).message}`;
  }
}

function differenceOf(fixture: ConsensusCase, { head }: BlockTree): string | undefined {
  const hash = bytesToHex(head.hash);
  if (hash !== fixture.lastblockhash.toLowerCase())
    return `lastblockhash: expected ${fixture.lastblockhash}, got ${hash} (block ${head.header.number})`;
  const root = bytesToHex(head.state.root);
  const { postStateHash, postState } = fixture;
  if (postStateHash && postStateHash.toLowerCase() !== root)
    return `postStateHash: expected ${postStateHash}, got ${root}`;
  // In some fixtures `postState` is the state root.
  if (typeof postState === 'string')
    return postState.toLowerCase() === root ? undefined : `postState: expected ${postState}, got ${root}`;
  if (!postState || equalsBytes(stateOf(postState).root, head.state.root)) return undefined;
  return `postState: ${stateDifference(postState, head.state as TrieState)}`;
}

/** Fixtures write `Cancun`; geth's configuration, which is needed here, has `cancun`. */
function lowerCased(schedule: Readonly<Record<string, Readonly<Record<string, unknown>>>>) {
  return Object.fromEntries(Object.entries(schedule).map(([name, value]) => [name.toLowerCase(), value]));
}
