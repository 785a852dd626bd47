import hardhatEthers from '@nomicfoundation/hardhat-ethers';
import hardhatEthersChaiMatchers from '@nomicfoundation/hardhat-ethers-chai-matchers';
import hardhatMocha from '@nomicfoundation/hardhat-mocha';
import hardhatNetworkHelpers from '@nomicfoundation/hardhat-network-helpers';
import hardhatViem from '@nomicfoundation/hardhat-viem';
import { defineConfig } from 'hardhat/config';

// A project needs the `networks` entry only; the rest keeps this one's output out of the repository and off the network.
const { DEVNET_URL, SOLC, OUTPUT } = process.env;

export default defineConfig({
  plugins: [hardhatEthers, hardhatEthersChaiMatchers, hardhatMocha, hardhatNetworkHelpers, hardhatViem],
  networks: { devnet: { type: 'http', url: DEVNET_URL } },
  solidity: { version: '0.8.37', path: SOLC, settings: { evmVersion: 'prague' } },
  paths: { artifacts: `${OUTPUT}/artifacts`, cache: `${OUTPUT}/cache`, tests: { mocha: 'test' } },
});
