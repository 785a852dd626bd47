import hardhatEthers from '@nomicfoundation/hardhat-ethers';
import hardhatEthersChaiMatchers from '@nomicfoundation/hardhat-ethers-chai-matchers';
import hardhatMocha from '@nomicfoundation/hardhat-mocha';
import hardhatNetworkHelpers from '@nomicfoundation/hardhat-network-helpers';
import hardhatViem from '@nomicfoundation/hardhat-viem';
import hardhatViemAssertions from '@nomicfoundation/hardhat-viem-assertions';
import { defineConfig } from 'hardhat/config';
// An example of docs/drop-in.md, with the address of the test's node: what a project needs for devnet.
import dropIn from './drop-in.config.js';

export default defineConfig({
  ...dropIn,
  plugins: [
    ...[
      hardhatEthers,
      hardhatEthersChaiMatchers,
      hardhatMocha,
      hardhatNetworkHelpers,
      hardhatViem,
      hardhatViemAssertions,
    ],
    ...(dropIn.plugins ?? []),
  ],
  // The compiler from npm, since nothing is to be downloaded.
  solidity: { version: '0.8.37', path: process.env.SOLC, settings: { evmVersion: 'prague' } },
  paths: { tests: { mocha: 'test' } },
});
