/** The error for a file that can't be replayed. */
export function foreignFile(path: string): Error {
  return new Error(
    `${path} is no recording, BlockchainTests or GeneralStateTests file or folder with genesis.json and chain.rlp`,
  );
}
