import hardhatEthers from '@nomicfoundation/hardhat-ethers';
import hardhatEthersChaiMatchers from '@nomicfoundation/hardhat-ethers-chai-matchers';
import hardhatMocha from '@nomicfoundation/hardhat-mocha';
import hardhatNetworkHelpers from '@nomicfoundation/hardhat-network-helpers';
import hardhatViem from '@nomicfoundation/hardhat-viem';
import { defineConfig } from 'hardhat/config';
// The README's example, with the address of the test's node: what a project needs for devnet.
import readme from './readme.config.js';

export default defineConfig({
  ...readme,
  plugins: [hardhatEthers, hardhatEthersChaiMatchers, hardhatMocha, hardhatNetworkHelpers, hardhatViem],
  // The compiler from npm, since nothing is to be downloaded.
  solidity: { version: '0.8.37', path: process.env.SOLC, settings: { evmVersion: 'prague' } },
  paths: { tests: { mocha: 'test' } },
});
