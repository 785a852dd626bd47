const ETHER = 10n ** 18n;
/** balance of each dev account in the genesis block, wei */
const FUNDED = 10_000n * ETHER;
const DEV_ACCOUNTS = 10;
const COINBASE = `0x${'00'.repeat(20)}`;
const hex = (number) => `0x${number.toString(16)}`;

/** Checks invariants of the chain against the node's responses. */
export class Ledger {
  #client;
  #port;
  #accounts;
  /** by number from 1 on: hash, number of transactions, burnt wei */
  #blocks = [];
  #pending;
  #rewriting = false;
  #checking = Promise.resolve();
  faults = [];

  /** @param options.accounts all accounts that have ether, the dev accounts first */
  constructor({ client, port, accounts }) {
    this.#client = client;
    this.#port = port;
    this.#accounts = [...accounts, COINBASE];
  }

  /** Runs a task that removes blocks, with no check meanwhile. */
  async rewrite(task) {
    this.#rewriting = true;
    await this.#checking;
    await task();
    this.#pending = undefined;
    this.#rewriting = false;
  }

  /** Checks that the pending block is on top of the latest one, and only grows. A batch requests both at the same moment. */
  async checkPending() {
    if (this.#rewriting) return;
    const [latest, pending] = await this.#batch([
      ['eth_getBlockByNumber', ['latest', false]],
      ['eth_getBlockByNumber', ['pending', false]],
    ]);
    this.#expect('number of the pending block', BigInt(pending.number), BigInt(latest.number) + 1n);
    this.#expect('parent of the pending block', pending.parentHash, latest.hash);
    const before = this.#pending;
    if (before?.parentHash === pending.parentHash && !this.#rewriting) {
      const kept = pending.transactions.slice(0, before.transactions.length);
      this.#expect('transactions that were pending before', kept.join(), before.transactions.join());
    }
    this.#pending = pending;
  }

  /** Checks nonces, sums and logs at the newest sealed block. */
  async check() {
    if (this.#rewriting) return;
    this.#checking = this.#checkBlocks();
    await this.#checking;
  }

  async #checkBlocks() {
    const head = Number(await this.#client.call('eth_blockNumber'));
    while (this.#blocks.length > 0) {
      const block = await this.#client.call('eth_getBlockByNumber', [hex(this.#blocks.length), false]);
      if (block?.hash === this.#blocks.at(-1).hash) break;
      this.#blocks.pop();
    }
    const from = this.#blocks.length + 1;
    let logs = 0;
    for (let number = from; number <= head; number++) {
      const [block, receipts] = await this.#batch([
        ['eth_getBlockByNumber', [hex(number), false]],
        ['eth_getBlockReceipts', [hex(number)]],
      ]);
      this.#expect(
        `receipts of block ${number}`,
        receipts.map(({ transactionHash }) => transactionHash).join(),
        block.transactions.join(),
      );
      logs += receipts.reduce((sum, receipt) => sum + receipt.logs.length, 0);
      const burnt = BigInt(block.baseFeePerGas) * BigInt(block.gasUsed);
      this.#blocks.push({ hash: block.hash, count: block.transactions.length, burnt });
    }
    const tag = hex(head);
    const found =
      from > head ? [] : await this.#client.call('eth_getLogs', [{ fromBlock: hex(from), toBlock: tag }]);
    this.#expect(`logs of blocks ${from} to ${head}`, found.length, logs);
    const nonces = await this.#batch(
      this.#accounts.slice(0, DEV_ACCOUNTS).map((address) => ['eth_getTransactionCount', [address, tag]]),
    );
    const count = this.#blocks.reduce((sum, block) => sum + block.count, 0);
    this.#expect(`nonces at block ${head}`, Number(sumOf(nonces)), count);
    const balances = await this.#batch(this.#accounts.map((address) => ['eth_getBalance', [address, tag]]));
    const burnt = this.#blocks.reduce((sum, block) => sum + block.burnt, 0n);
    this.#expect(`ether at block ${head}`, sumOf(balances) + burnt, FUNDED * BigInt(DEV_ACCOUNTS));
  }

  /** Sends one request with several calls: the reads of a batch see the chain at the same moment. */
  async #batch(calls) {
    const body = JSON.stringify(
      calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })),
    );
    const answers = await (await fetch(`http://127.0.0.1:${this.#port}`, { method: 'POST', body })).json();
    return answers
      .sort((one, other) => one.id - other.id)
      .map(({ result, error }) => {
        if (error) throw new Error(error.message);
        return result;
      });
  }

  #expect(what, got, expected) {
    if (got !== expected) this.faults.push(`${what}: ${short(got)} instead of ${short(expected)}`);
  }
}

const sumOf = (quantities) => quantities.reduce((sum, quantity) => sum + BigInt(quantity), 0n);
const short = (value) => String(value).slice(0, 200);
