/** Blocks from the newest one on that are compared: fewer than are kept where history is pruned. */
const BLOCKS = 3;
/** Accounts of the ledger that are compared. */
const ACCOUNTS = 6;

/** What readers see of a chain up to a block: answers by their question. */
export async function viewOf(member, head, { accounts, addresses }) {
  const view = {};
  const ask = async (method, ...params) => {
    view[`${method}(${params.map((param) => JSON.stringify(param)).join(', ')})`] = await member.call(
      method,
      ...params,
    );
  };
  const tag = `0x${head.toString(16)}`;
  const first = Math.max(0, head - BLOCKS + 1);
  for (let number = first; number <= head; number++) {
    await ask('eth_getBlockByNumber', `0x${number.toString(16)}`, true);
    await ask('eth_getBlockReceipts', `0x${number.toString(16)}`);
  }
  await ask('eth_getLogs', { fromBlock: `0x${first.toString(16)}`, toBlock: tag });
  for (const address of [...accounts.slice(0, 3), ...addresses.slice(-ACCOUNTS)]) {
    await ask('eth_getBalance', address, tag);
    await ask('eth_getTransactionCount', address, tag);
    await ask('eth_getProof', address, ['0x0'], tag);
  }
  return view;
}

/** @returns the first question that is answered otherwise, or `undefined` */
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
