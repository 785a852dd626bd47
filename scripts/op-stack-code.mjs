// Writes src/state/op-stack-code.json: the runtime code of the contracts that chains of the OP Stack have from their genesis block on.
// Some are compiled from src/state/predeploys. The others come from two npm packages:
//   npm pack @eth-optimism/contracts-bedrock@0.17.3 && mkdir bedrock && tar xzf eth-optimism-*.tgz -C bedrock
//   npm pack @account-abstraction/contracts@0.7.0 && mkdir erc4337 && tar xzf account-abstraction-*.tgz -C erc4337
//   node scripts/op-stack-code.mjs bedrock/package erc4337/package
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createEVM } from '@ethereumjs/evm';
import { Account, Address, bytesToHex, hexToBytes } from '@ethereumjs/util';
import { encodeAbiParameters } from 'viem';
import { compiledPredeploy, OWN } from './compiled-predeploy.mjs';

const [bedrock, erc4337] = process.argv.slice(2);
if (erc4337 === undefined) {
  console.error(
    'usage: node scripts/op-stack-code.mjs BEDROCK ERC4337, the folders of the unpacked packages',
  );
  process.exit(2);
}
const target = resolve(import.meta.dirname, '../src/state/op-stack-code.json');

/** Optimism's contracts whose constructors don't change the compiled runtime code. */
const PUBLISHED = [
  'Proxy',
  'ProxyAdmin',
  'LegacyMessagePasser',
  'DeployerWhitelist',
  'L2ToL1MessagePasser',
  'L2CrossDomainMessenger',
  'L2StandardBridge',
  'L2ERC721Bridge',
  'OptimismMintableERC20Factory',
  'L1BlockNumber',
  'SchemaRegistry',
];
/** By the name of the constant with the code in Preinstalls.sol. */
const PREINSTALLED = {
  Permit2: 'Permit2TemplateCode',
  Create2Deployer: 'Create2DeployerCode',
  SafeSingletonFactory: 'SafeSingletonFactoryCode',
  Safe: 'Safe_v130Code',
  SafeL2: 'SafeL2_v130Code',
  MultiSend: 'MultiSend_v130Code',
  MultiSendCallOnly: 'MultiSendCallOnly_v130Code',
  SenderCreatorV06: 'SenderCreatorCode',
  EntryPointV06: 'EntryPointCode',
};
const L2_ERC721_BRIDGE = '0x4200000000000000000000000000000000000014';
/** The addresses of the code of the factory and of EAS, which are behind proxies. */
const ERC721_FACTORY = '0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d30017';
const EAS = '0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d30021';
const ENTRY_POINT_V07 = '0x0000000071727de22e5e9d8baf0edac6f37da032';
/** The contract that the constructor of that entry point creates. */
const SENDER_CREATOR_V07 = '0xefc2c1444ebcc4db75e7613d20c6a62ff67a167c';

const artifact = (name) =>
  JSON.parse(readFileSync(join(bedrock, 'forge-artifacts', `${name}.sol`, `${name}.json`), 'utf8'));

const library = readFileSync(join(bedrock, 'src/libraries/Preinstalls.sol'), 'utf8');
function preinstalled(constant) {
  const [, digits] = new RegExp(`constant ${constant} =\\s*hex"([0-9a-f]+)"`).exec(library);
  return `0x${digits}`;
}

const evm = await createEVM();
/** Runs init code at an address. @returns the runtime code with the values of its immutable variables */
async function created(address, initCode) {
  const to = new Address(hexToBytes(address));
  await evm.stateManager.putAccount(to, new Account(1n));
  await evm.stateManager.putCode(to, hexToBytes(initCode));
  const { execResult } = await evm.runCall({ to, gasLimit: 30_000_000n });
  if (execResult.exceptionError) throw new Error(`${address}: ${execResult.exceptionError.error}`);
  return bytesToHex(execResult.returnValue);
}

const factoryArguments = encodeAbiParameters(
  [{ type: 'address' }, { type: 'uint256' }],
  [L2_ERC721_BRIDGE, 1n],
);
const entryPoint = JSON.parse(readFileSync(join(erc4337, 'artifacts/EntryPoint.json'), 'utf8'));
const code = Object.fromEntries([
  ...OWN.map((name) => [name, compiledPredeploy(name)]),
  ...PUBLISHED.map((name) => [name, artifact(name).deployedBytecode.object]),
  [
    'OptimismMintableERC721Factory',
    await created(
      ERC721_FACTORY,
      artifact('OptimismMintableERC721Factory').bytecode.object + factoryArguments.slice(2),
    ),
  ],
  ['EAS', await created(EAS, artifact('EAS').bytecode.object)],
  ...Object.entries(PREINSTALLED).map(([name, constant]) => [name, preinstalled(constant)]),
  ['EntryPointV07', await created(ENTRY_POINT_V07, entryPoint.bytecode)],
]);
code.SenderCreatorV07 = bytesToHex(
  await evm.stateManager.getCode(new Address(hexToBytes(SENDER_CREATOR_V07))),
);

writeFileSync(target, `${JSON.stringify(code, null, 2)}\n`);
for (const [name, { length }] of Object.entries(code)) console.log(name, length / 2 - 1, 'bytes');
