import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two writes. */
const PACE = 100;
/** JSON-RPC's code for an internal error. */
const INTERNAL = -32603;

/** Sends writes to all nodes that can answer, one at a time, and records the acknowledged ones. */
export class Load {
  #members;
  #ledger;
  #random;
  #onFailure;
  #isPaused = false;
  #running = Promise.resolve();
  #ends = false;
  acknowledged = 0;
  refused = 0;

  /** @param deps.onFailure called with a failure that must never happen */
  constructor(members, { ledger, random, onFailure }) {
    this.#members = members;
    this.#ledger = ledger;
    this.#random = random;
    this.#onFailure = onFailure;
  }

  begin(accounts) {
    this.#running = this.#run(accounts);
  }

  /** Waits for the write in flight, and sends no more. */
  async pause() {
    this.#isPaused = true;
    while (this.#isWriting) await sleep(5);
  }

  resume() {
    this.#isPaused = false;
  }

  async end() {
    this.#ends = true;
    await this.#running;
  }

  #isWriting = false;

  async #run(accounts) {
    while (!this.#ends) {
      await sleep(PACE);
      if (this.#isPaused || this.#ends) continue;
      const able = this.#members().filter((member) => member.canAnswer);
      if (able.length === 0) continue;
      this.#isWriting = true;
      await this.#write(this.#random.of(able), accounts);
      this.#isWriting = false;
    }
  }

  async #write(member, accounts) {
    const address = this.#ledger.address();
    const amount = `0x${(this.#ledger.last + 1).toString(16)}`;
    const kind = this.#random.of(['transfer', 'transfer', 'balance', 'slot', 'log']);
    const from = this.#random.of(accounts);
    const word = `0x${amount.slice(2).padStart(64, '0')}`;
    const [method, ...params] = {
      transfer: ['eth_sendTransaction', { from, to: address, value: amount }],
      balance: ['anvil_setBalance', address, amount],
      slot: ['anvil_setStorageAt', address, '0x0', word],
      // Creates a contract without code that emits a log and passes its value on. Pruned history keeps states.
      // PUSH1 1, PUSH1 0, PUSH1 0, LOG1; four times PUSH1 0, CALLVALUE, PUSH20, GAS, CALL
      log: [
        'eth_sendTransaction',
        {
          from,
          value: amount,
          data: `0x600160006000a1${'6000'.repeat(4)}3473${address.slice(2)}5af1`,
          gas: '0x30d40',
        },
      ],
    }[kind];
    const { ended } = this.#ledger;
    try {
      const { status, position, result, error } = await member.ask(method, params);
      if (error?.code === INTERNAL) this.#onFailure(`${method} of ${member.name}: ${JSON.stringify(error)}`);
      if (error || status !== 200) this.refused++;
      else {
        this.acknowledged++;
        const hash = method === 'eth_sendTransaction' ? result : undefined;
        this.#ledger.add({ kind, address, value: amount, hash, position, by: member.name }, ended);
      }
    } catch (error) {
      this.refused++;
      if (error.constructor.name === 'Hangs') this.#onFailure(error.message);
    }
  }
}
