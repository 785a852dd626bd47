// `npx hardhat node` of Hardhat 2, and devnet with `--compat hardhat2`.

import { compareWithHardhat } from './hardhat-nodes.mjs';
import { DIFFERENCES } from './hardhat2-differences.mjs';
import { startHardhat2 } from './nodes.mjs';

compareWithHardhat({
  name: 'hardhat node of Hardhat 2',
  start: startHardhat2,
  compat: 'hardhat2',
  differences: DIFFERENCES,
});
