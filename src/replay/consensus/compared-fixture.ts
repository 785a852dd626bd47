import { bytesToHex } from '@ethereumjs/util';
import { Against } from '../../against/against.ts';
import type { TallyPart } from '../../against/tally.ts';
import type { EnvHeader, Transaction, TrieBlock } from '../../chain/block.ts';
import { SystemClock } from '../../clock.ts';
import type { Engine } from '../../engine/engine.ts';
import type { EngineName } from '../../engine/engine-name.ts';
import type { Crypto } from '../../protocol/crypto.ts';
import type { BlockEnv } from '../../protocol/types.ts';
import { Contracts } from '../../sources/contracts.ts';
import { StackTraceThread } from '../../stack-trace/thread.ts';
import { EMPTY_BYTES, EMPTY_CODE_HASH, hasCode } from '../../state/account.ts';
import type { StateView } from '../../state/view.ts';
import type { OtherRules } from '../replay-file.ts';

/** Default gas limit of calls, which fixtures don't make. */
const CALL_GAS = 30_000_000n;

/** Compares transactions of consensus tests under other rules; these tests have no node. */
export class ComparedFixture {
  readonly #against: Against;
  /** the state in which contracts are looked up for their names */
  #state: StateView | undefined;

  constructor(
    { fork, artifacts }: OtherRules,
    { engine, engineName, crypto }: { engine: Engine; engineName: EngineName; crypto: Crypto },
  ) {
    const contracts = new Contracts({ artifacts }, { clock: new SystemClock() });
    const sources = new StackTraceThread({ folder: artifacts });
    const codeOf = async (address: Parameters<StateView['getCode']>[0]) => {
      const account = await this.#state?.getAccount(address);
      if (!account || !hasCode(account)) return { code: EMPTY_BYTES, hash: bytesToHex(EMPTY_CODE_HASH) };
      return { code: await this.#state!.getCode(address), hash: bytesToHex(account.codeHash) };
    };
    this.#against = new Against(
      { fork },
      {
        engine,
        engineName,
        crypto,
        calls: {
          gasLimit: CALL_GAS,
          gasCap: true,
          style: 'geth',
          anyoneTransfers: false,
          gasInside: false,
          suggestedTip: 0n,
        },
        chain: { genesis: 0n, resolve: () => undefined },
        hashOf: () => undefined,
      },
      { known: { contracts, codeOf, sourceOf: (opcode) => sources.sourceOf(opcode) } },
    );
  }

  /** Compares the transactions of an imported block. */
  async block(
    block: TrieBlock,
    parent: TrieBlock,
    hashOf: (number: bigint) => Uint8Array | undefined,
  ): Promise<void> {
    this.#state = block.state;
    await this.#against.block(block, { chain: { genesis: 0n, resolve: () => parent }, hashOf })();
  }

  /** Compares one transaction from a state. */
  async transaction(
    transaction: Transaction,
    header: EnvHeader,
    at: { readonly env: BlockEnv; readonly state: StateView },
  ): Promise<void> {
    this.#state = at.state;
    await this.#against.transaction(transaction, header, at);
  }

  /** Returns the results of the comparisons so far, and resets them. */
  take(): TallyPart {
    return this.#against.take();
  }
}
