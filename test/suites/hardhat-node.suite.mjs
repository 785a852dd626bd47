// `npx hardhat node` of Hardhat 3, and devnet with `--compat hardhat`.
import { DIFFERENCES } from './hardhat-differences.mjs';
import { compareWithHardhat } from './hardhat-nodes.mjs';
import { startHardhat } from './nodes.mjs';

compareWithHardhat({
  name: 'hardhat node',
  start: startHardhat,
  compat: 'hardhat',
  differences: DIFFERENCES,
});
