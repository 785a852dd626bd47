/** Number of newest blocks that are compared: fewer than pruned history keeps. */
const BLOCKS = 3;
/** Number of accounts of the ledger that are compared. */
const ACCOUNTS = 6;

/** The data of a chain up to a block, as readers see it: responses by request. */
export async function viewOf(member, head, { accounts, addresses }) {
  const tag = `0x${head.toString(16)}`;
  const first = Math.max(0, head - BLOCKS + 1);
  const calls = [['eth_getLogs', { fromBlock: `0x${first.toString(16)}`, toBlock: tag }]];
  for (let number = first; number <= head; number++)
    calls.push(
      ['eth_getBlockByNumber', `0x${number.toString(16)}`, true],
      ['eth_getBlockReceipts', `0x${number.toString(16)}`],
    );
  for (const address of [...accounts.slice(0, 3), ...addresses.slice(-ACCOUNTS)])
    calls.push(
      ['eth_getBalance', address, tag],
      ['eth_getTransactionCount', address, tag],
      ['eth_getProof', address, ['0x0'], tag],
    );
  const results = await member.askAll(calls);
  return Object.fromEntries(calls.map((call, i) => [JSON.stringify(call), results[i]]));
}

/** @returns the first request whose response differs, or `undefined` */
export function differenceOf(expected, got) {
  for (const [question, answer] of Object.entries(expected)) {
    const [a, b] = [JSON.stringify(answer), JSON.stringify(got[question])];
    if (a === b) continue;
    let at = 0;
    while (a[at] === b?.[at]) at++;
    const around = (text) => text?.slice(Math.max(0, at - 60), at + 60);
    return `${question}: expected ...${around(a)}..., got ...${around(b)}...`;
  }
  return undefined;
}
