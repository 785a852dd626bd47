import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { abiCode, decoder } from '../abi/contracts.ts';
import { rpc } from '../app.ts';
import {
  asCurl,
  asViem,
  type BlockForm,
  NEW_CALL,
  replaced,
  type SimulationForm,
  simulationParams,
  without,
} from '../data/simulation.ts';
import type { Frame, Hex, Transaction } from '../data/types.ts';
import { decimals } from '../format.ts';
import { addressIn } from '../names/address-in.ts';
import { useDeployed } from '../names/deployed.ts';
import { devAccounts } from '../names/dev-accounts.ts';
import { nameOf } from '../names/name-of.ts';
import { Check } from '../parts/check.tsx';
import { Field } from '../parts/field.tsx';
import { Copy, Waiting } from '../parts/values.tsx';
import { route } from '../route.ts';
import { BlockEditor } from '../simulate/editors.tsx';
import { asTyped, encode } from '../simulate/functions.ts';
import { type Inside, Result, type Sent, type SimulatedBlock } from '../simulate/result.tsx';

/** The form's contents, kept while other pages are shown. */
const form = signal<SimulationForm>({
  blocks: [{ overrides: [], calls: [NEW_CALL] }],
  after: 'pending',
  validation: false,
  traceTransfers: true,
});

interface Outcome {
  readonly blocks?: readonly SimulatedBlock[];
  readonly sent?: readonly (readonly Sent[])[];
  readonly inside?: Inside | undefined;
  readonly error?: string;
}

const outcome = signal<Outcome>({});

/** The page that simulates blocks of calls. The chain itself doesn't change. */
export function SimulatePage() {
  useDeployed();
  useTransaction(route.value.query.transaction as Hex | undefined);
  const { blocks, after, validation, traceTransfers } = form.value;
  const setBlocks = (list: readonly BlockForm[]) => {
    form.value = { ...form.peek(), blocks: list };
  };
  let params: ReturnType<typeof simulationParams> | undefined;
  let problem = '';
  try {
    params = simulationParams(form.value, encode, addressIn);
  } catch (error) {
    problem = (error as Error).message;
  }
  return (
    <>
      <div class="title">
        <h1>Simulate</h1>
      </div>
      <p class="subtitle">Runs calls on top of the chain, which stays as it is.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (params) void run(params);
        }}
      >
        <datalist id="accounts">
          {devAccounts.value.map((address) => (
            <option key={address} value={nameOf(address)?.text} />
          ))}
        </datalist>
        {blocks.map((block, i) => (
          <BlockEditor
            key={i}
            number={i + 1}
            block={block}
            onChange={(changed) => setBlocks(replaced(blocks, i, changed))}
            onRemove={blocks.length > 1 ? () => setBlocks(without(blocks, i)) : undefined}
          />
        ))}
        <div class="form">
          <button type="button" onClick={() => setBlocks([...blocks, { overrides: [], calls: [NEW_CALL] }])}>
            Add a block
          </button>
          <Field
            label="after block"
            value={after}
            onValue={(text) => (form.value = { ...form.peek(), after: text })}
          />
          <Check
            label="validate as a real block"
            checked={validation}
            onChange={(on) => (form.value = { ...form.peek(), validation: on })}
          />
          <Check
            label="transfers of ETH"
            checked={traceTransfers}
            onChange={(on) => (form.value = { ...form.peek(), traceTransfers: on })}
          />
          <button type="submit" class="main" disabled={!params}>
            Simulate
          </button>
          {params && <Copy text={asCurl(location.origin, params)} label="Copy as curl" large />}
          {params && <Copy text={asViem(location.origin, params)} label="Copy as viem" large />}
          {problem && <span class="bad">{problem}</span>}
        </div>
      </form>
      {outcome.value.error && <Waiting error={outcome.value.error} />}
      {outcome.value.blocks?.map((block, i) => (
        <Result
          key={block.hash}
          block={block}
          sent={outcome.value.sent?.[i] ?? []}
          inside={i === 0 ? outcome.value.inside : undefined}
        />
      ))}
    </>
  );
}

type Payload = {
  readonly blockStateCalls: readonly { readonly calls: readonly Sent[]; readonly stateOverrides?: object }[];
};

async function run(params: ReturnType<typeof simulationParams>): Promise<void> {
  const [{ blockStateCalls }, after] = params as unknown as [Payload, string];
  outcome.value = await Promise.all([
    rpc.call<SimulatedBlock[]>('eth_simulateV1', ...params),
    within(blockStateCalls, after),
  ]).then(
    ([blocks, inside]) => ({ blocks, sent: blockStateCalls.map(({ calls }) => calls), inside }),
    (error: Error) => ({ error: error.message }),
  );
}

/** Traces the first call. No call comes before it, so that tracing it alone gives the same result as the simulation. */
async function within([block]: Payload['blockStateCalls'], after: string): Promise<Inside | undefined> {
  const call = block?.calls[0];
  if (!call) return undefined;
  const trace = <T,>(tracer: string, tracerConfig: object) =>
    rpc.call<T>('debug_traceCall', call, after, {
      tracer,
      tracerConfig,
      ...(block.stateOverrides && { stateOverrides: block.stateOverrides }),
    });
  return Promise.all([
    trace<Frame>('callTracer', { withLog: true }),
    trace<Inside['state']>('prestateTracer', { diffMode: true }),
  ]).then(
    ([frame, state]) => ({ trace: frame, state }),
    // The simulation's own result says what is wrong with the call.
    () => undefined,
  );
}

let filledWith: string | undefined;

/** Fills the form with a transaction of the chain, to be simulated after the block before its own. */
function useTransaction(hash: Hex | undefined): void {
  const isReady = rpc.state.value === 'open' && abiCode.value !== undefined;
  // An ABI that is loaded later turns the raw data into a function with arguments.
  const key = `${hash} ${decoder.value?.artifacts.length}`;
  useEffect(() => {
    if (!hash || !isReady || key === filledWith) return;
    filledWith = key;
    rpc.call<Transaction | null>('eth_getTransactionByHash', hash).then(
      (transaction) => {
        if (transaction) fill(transaction);
      },
      () => {
        filledWith = undefined;
      },
    );
  }, [key, isReady]);
}

function fill({ from, to, value, input, blockNumber }: Transaction): void {
  const typed = to && input !== '0x' ? asTyped(to, input) : undefined;
  const call = {
    from,
    to: to ?? '',
    value: decimals(BigInt(value), 18, 18).replaceAll(',', ''),
    fn: typed?.fn ?? '',
    args: typed?.args ?? [],
    data: input,
  };
  const number = Number(blockNumber ?? 0);
  outcome.value = {};
  form.value = {
    ...form.peek(),
    blocks: [{ overrides: [], calls: [call] }],
    after: number > 0 ? String(number - 1) : 'pending',
  };
}
