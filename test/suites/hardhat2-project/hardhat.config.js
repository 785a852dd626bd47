require('@nomicfoundation/hardhat-ethers');
require('@nomicfoundation/hardhat-chai-matchers');
const { subtask } = require('hardhat/config');
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names');

// The compiler from npm, since nothing is to be downloaded.
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, ({ solcVersion }) => ({
  compilerPath: process.env.SOLC,
  isSolcJs: true,
  version: solcVersion,
  longVersion: solcVersion,
}));

module.exports = {
  solidity: { version: '0.8.37', settings: { evmVersion: 'prague' } },
  networks: { devnet: { url: process.env.DEVNET_URL ?? 'http://127.0.0.1:8545' } },
};
