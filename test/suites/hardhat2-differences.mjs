import { DIFFERENCES as OF_HARDHAT_3 } from './hardhat-differences.mjs';

/** What Hardhat 2 has as devnet does, or where it stops before. */
const NOT_MET = ['debug_traceTransaction result(\\.pre)?\\.\\*\\.codeHash: absent \\| 32 bytes'];

/** What is otherwise than in Hardhat 2 on purpose: as in Hardhat 3, and more. */
export const DIFFERENCES = {
  ...Object.fromEntries(Object.entries(OF_HARDHAT_3).filter(([pattern]) => !NOT_MET.includes(pattern))),
  '(eth_mining|net_\\w+) error: absent \\| -32602 with data':
    'a parameter too many is refused, as in Hardhat 3',
  '(hardhat_(dropTransaction|reset)|eth_send(Raw)?Transaction) data\\.data(\\.\\S+)?: (null|absent) \\| .*':
    'the error of a refused parameter has the call in its data, for whatever reason it was refused',
  'eth_(getTransactionReceipt|subscription logs) result(\\.logs\\[\\])?\\.blockTimestamp: absent \\| quantity':
    'logs have `blockTimestamp`, as in geth',
  'eth_(call|estimateGas|sendTransaction) (error: -32603 with data|text: TypeError: .*) \\| .*':
    'a text in place of a transaction is refused; Hardhat 2 fails with a TypeError',
  'debug_trace(Call|Transaction) error: -32602 with data \\| absent': 'tracers are taken, as in Hardhat 3',
};
