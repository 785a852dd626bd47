// Scenarios of failing Solidity: compiles a scenario, writes its output in a build tool's layout, runs its steps on a node in this process,
// and compares the stack traces that `devnet_stackTrace` returns with the expected ones.
// { name, solc: { version, settings }, sources: { path: text }, steps: [{ deploy | send | call, ..., expect?: { message, frames, logs? } }] }
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { encodeAbiParameters, encodeFunctionData, getContractAddress, toHex } from 'viem';

const require = createRequire(import.meta.url);
/** File layouts of Hardhat 2, Hardhat 3, and Foundry with and without `--build-info`; `rpc` sends the output to the node instead. */
export const LAYOUTS = ['hardhat2', 'hardhat3', 'foundry', 'foundry-bare', 'rpc'];

/** Folder of cached compilations. */
const CACHE = join(tmpdir(), 'stack-trace-compilations');

const compilers = new Map();
/** Loads solc in a version, from a folder or the project's own. */
function solcOf(version, folder) {
  let solc = compilers.get(version);
  if (!solc) {
    const path = join(resolve(folder), `solc-${version}/package/soljson.js`);
    const own = require('solc/package.json').version;
    if (!existsSync(path) && own !== version) throw new Error(`no solc ${version} in ${folder}`);
    solc = existsSync(path) ? require('solc/wrapper')(require(path)) : require('solc');
    compilers.set(version, solc);
  }
  return solc;
}

/** Compiles a scenario: the standard JSON input and output, with `prefix` before the input's source names. */
function compile({ solc: { version, settings }, sources }, prefix, { solc, cache }) {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      Object.entries(sources).map(([name, content]) => [prefix + name, { content }]),
    ),
    settings: {
      ...settings,
      outputSelection: {
        '*': {
          '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'evm.methodIdentifiers', 'metadata'],
          '': ['ast'],
        },
      },
    },
  };
  const key = createHash('md5')
    .update(JSON.stringify([version, input]))
    .digest('hex');
  const path = join(cache, `${key}.json`);
  if (!existsSync(path)) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(
      path,
      JSON.stringify(shortened(JSON.parse(solcOf(version, solc).compile(JSON.stringify(input))))),
    );
  }
  const output = JSON.parse(readFileSync(path, 'utf8'));
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors[0].formattedMessage);
  return { id: key, version, input, output };
}

/** Removes output that stack traces don't need. */
function shortened(output) {
  each(output, (_file, _name, { evm }) => {
    for (const code of [evm.bytecode, evm.deployedBytecode]) {
      code.opcodes = undefined;
      code.generatedSources = undefined;
      code.functionDebugData = undefined;
    }
  });
  return output;
}

const write = (path, json) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof json === 'string' ? json : JSON.stringify(json));
};

/** A copy without the contracts that shall have no artifact. */
function known(output) {
  const contracts = {};
  for (const [file, all] of Object.entries(output.contracts))
    contracts[file] = Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('Ignored')));
  return { ...output, contracts };
}

function each(output, visit) {
  for (const [file, all] of Object.entries(output.contracts ?? {}))
    for (const [name, contract] of Object.entries(all)) visit(file, name, contract);
}

const without = ({ functionDebugData, generatedSources, ...rest }) => rest;

/** Writes the files of a build tool into the folder. @returns the option `artifacts` */
function lay(layout, folder, { id, version, input, output: whole }) {
  const output = known(whole);
  if (layout === 'hardhat2') {
    write(join(folder, `artifacts/build-info/${id}.json`), {
      id,
      _format: 'hh-sol-build-info-1',
      solcVersion: version,
      solcLongVersion: version,
      input,
      output,
    });
    each(output, (file, name, { abi, evm }) => {
      const base = join(folder, 'artifacts', file, name);
      write(`${base}.json`, {
        _format: 'hh-sol-artifact-1',
        contractName: name,
        sourceName: file,
        abi,
        bytecode: `0x${evm.bytecode.object}`,
        deployedBytecode: `0x${evm.deployedBytecode.object}`,
        linkReferences: evm.bytecode.linkReferences,
        deployedLinkReferences: evm.deployedBytecode.linkReferences,
      });
      write(`${base}.dbg.json`, {
        _format: 'hh-sol-dbg-1',
        buildInfo: `${'../'.repeat(file.split('/').length)}build-info/${id}.json`,
      });
    });
    return join(folder, 'artifacts');
  }
  if (layout === 'hardhat3') {
    const buildInfoId = `solc-${version.replaceAll('.', '_')}-${id}`;
    each(output, (_, _2, contract) => {
      contract.evm.bytecode = without(contract.evm.bytecode);
      contract.evm.deployedBytecode = without(contract.evm.deployedBytecode);
    });
    const userSourceNameMap = Object.fromEntries(
      Object.keys(input.sources).map((name) => [name.replace(/^project\//, ''), name]),
    );
    write(join(folder, `artifacts/build-info/${buildInfoId}.json`), {
      _format: 'hh3-sol-build-info-1',
      id: buildInfoId,
      solcVersion: version,
      solcLongVersion: version,
      compilerType: 'solc',
      userSourceNameMap,
      input,
    });
    write(join(folder, `artifacts/build-info/${buildInfoId}.output.json`), {
      _format: 'hh3-sol-build-info-output-1',
      id: buildInfoId,
      output,
    });
    each(output, (file, name, { abi, evm }) =>
      write(join(folder, 'artifacts', file.replace(/^project\//, ''), `${name}.json`), {
        _format: 'hh3-artifact-1',
        contractName: name,
        sourceName: file.replace(/^project\//, ''),
        abi,
        bytecode: `0x${evm.bytecode.object}`,
        deployedBytecode: `0x${evm.deployedBytecode.object}`,
        linkReferences: evm.bytecode.linkReferences,
        deployedLinkReferences: evm.deployedBytecode.linkReferences,
        immutableReferences: evm.deployedBytecode.immutableReferences,
        inputSourceName: file,
        buildInfoId,
      }),
    );
    return join(folder, 'artifacts');
  }
  const isBare = layout === 'foundry-bare';
  const build = id.slice(0, 16);
  const paths = Object.fromEntries(Object.entries(output.sources).map(([name, source]) => [source.id, name]));
  write(join(folder, `out/build-info/${build}.json`), {
    id: build,
    source_id_to_path: paths,
    language: 'Solidity',
    ...(!isBare && {
      _format: 'ethers-rs-sol-build-info-1',
      input: { version, ...input },
      output,
      solcVersion: version,
      solcLongVersion: version,
    }),
  });
  const seen = new Set();
  const files = {};
  each(output, (file, name, { abi, evm, metadata }) => {
    const place = `${basename(file)}/${name}.json`;
    const path = seen.has(place) ? join(dirname(file), place) : place;
    seen.add(path);
    const rename = ({ object, ...rest }) => ({ object: `0x${object}`, ...without(rest) });
    write(join(folder, 'out', path), {
      abi,
      bytecode: rename(evm.bytecode),
      deployedBytecode: rename(evm.deployedBytecode),
      methodIdentifiers: evm.methodIdentifiers,
      rawMetadata: metadata,
      metadata: JSON.parse(metadata || '{}'),
      ...(!isBare && { ast: output.sources[file].ast }),
      id: output.sources[file].id,
    });
    files[file] ??= { artifacts: {} };
    files[file].artifacts[name] = { [version]: { default: { path, build_id: build } } };
  });
  write(join(folder, 'cache/solidity-files-cache.json'), {
    _format: '',
    paths: { artifacts: 'out', build_infos: 'out/build-info', sources: 'contracts' },
    files,
  });
  for (const [name, { content }] of Object.entries(input.sources)) write(join(folder, name), content);
  return join(folder, 'out');
}

const link = (object, references, addressOf) => {
  let code = object;
  for (const file of Object.values(references ?? {}))
    for (const [name, places] of Object.entries(file))
      for (const { start, length } of places)
        code = code.slice(0, 2 * start) + addressOf(name).slice(2) + code.slice(2 * (start + length));
  return code;
};

const JUDGED = [
  'kind',
  'contract',
  'function',
  'file',
  'message',
  'value',
  'errorCode',
  'precompile',
  'data',
];

/** @returns the difference, or undefined */
function difference(expected, { message, frames, logs }) {
  if (expected.message !== message) return `message: ${message}`;
  if (expected.logs && JSON.stringify(expected.logs) !== JSON.stringify(logs))
    return `logs: ${JSON.stringify(logs)}`;
  const aside = (list) => (expected.callsAside ? list.filter(({ kind }) => kind !== 'call') : list);
  const wanted = aside(expected.frames);
  const got = aside(frames);
  if (wanted.length !== got.length) return 'number of frames';
  for (const [i, frame] of wanted.entries()) {
    for (const key of JUDGED) if (frame[key] !== got[i][key]) return `frame ${i}: ${key}`;
    const args = got[i].arguments ?? null;
    if (frame.arguments !== undefined && ![frame.arguments].flat().includes(args))
      return `frame ${i}: arguments: ${args}`;
    const lines = [frame.line].flat();
    if (!lines.includes(got[i].line)) return `frame ${i}: line`;
  }
  return undefined;
}

/**
 * Runs a scenario.
 * @param options.createDevnet starts the node
 * @param options.solc folder with `solc-VERSION/package/soljson.js`
 * @param options.cache folder for cached compilations
 * @returns the steps with another result than expected: `{ number, what, expected?, got? }`
 */
export async function runScenario(scenario, layout, { createDevnet, engine, solc = '', cache = CACHE }) {
  const compiled = compile(scenario, layout === 'hardhat3' ? 'project/' : '', { solc, cache });
  const folder = mkdtempSync(join(tmpdir(), 'stack-trace-'));
  const isRpc = layout === 'rpc';
  const artifacts = isRpc ? join(folder, 'none') : lay(layout, folder, compiled);
  const node = await createDevnet({
    automine: true,
    artifacts,
    silent: true,
    port: 0,
    ...(engine && { engine }),
  });
  const failures = [];
  try {
    const request = (method, ...params) => node.provider.request({ method, params });
    if (isRpc) {
      const { version, input, output } = compiled;
      await request('hardhat_addCompilationResult', version, input, known(output));
    }
    const [from] = await request('eth_accounts');
    const addresses = [];
    const contracts = [];
    const find = (wanted) => {
      const [name, file] = wanted.split(':').reverse();
      let found;
      each(compiled.output, (path, each, contract) => {
        if (each === name && (!file || path.endsWith(file))) found ??= { ...contract, name };
      });
      if (!found) throw new Error(`no contract ${wanted}`);
      return found;
    };
    const value = (argument) => {
      if (Array.isArray(argument)) return argument.map(value);
      if (argument && typeof argument === 'object') {
        if ('addressOf' in argument) return addresses[argument.addressOf];
        if ('callOf' in argument) {
          const [name, fn, args = []] = argument.callOf;
          return encode(find(name).abi, fn, args);
        }
        return Object.fromEntries(Object.entries(argument).map(([key, each]) => [key, value(each)]));
      }
      return argument;
    };
    const encode = (abi, fn, args) => {
      const items = abi.filter(({ type }) => type === 'function');
      const item = fn.includes('(')
        ? items.find(
            ({ name, inputs }) => `${name}(${inputs.map(signatureType).join()})` === fn.replaceAll(' ', ''),
          )
        : items.find(({ name, inputs }) => name === fn && inputs.length === args.length);
      if (!item) throw new Error(`no function ${fn}`);
      return encodeFunctionData({ abi: [item], functionName: item.name, args: args.map(value) });
    };
    const quantity = (each) => (each === undefined ? undefined : toHex(BigInt(each)));
    for (const [number, step] of scenario.steps.entries()) {
      let call;
      if (step.deploy) {
        const contract = find(step.deploy);
        contracts[number] = contract;
        const { object, linkReferences } = contract.evm.bytecode;
        const created = contract.abi.find(({ type }) => type === 'constructor');
        // null: sends no arguments, whatever the constructor takes
        const args =
          step.args === null
            ? '0x'
            : encodeAbiParameters(created?.inputs ?? [], (step.args ?? []).map(value));
        const code = link(object, linkReferences, (name) => addresses[step.libraries[name]]);
        call = {
          data: `0x${code}${args.slice(2)}${(step.extraData ?? '').replace(/^0x/, '')}`,
          gas: quantity(step.gas ?? 15_000_000),
        };
      } else {
        const [to, fn, args = []] = step.send ?? step.call;
        const address = typeof to === 'number' ? addresses[to] : value(to);
        const abi = step.as ? find(step.as).abi : contracts[to]?.abi;
        const data = step.data ?? (fn === undefined || fn === null ? '0x' : encode(abi, fn, args));
        call = { to: address, data, gas: quantity(step.gas ?? 4_000_000) };
      }
      call = { from, ...call, ...(step.value !== undefined && { value: quantity(step.value) }) };
      let trace;
      let logs;
      if (step.call) {
        trace = await request('devnet_stackTrace', call, 'latest');
        if (step.expect?.logs) logs = await request('devnet_consoleLogs', call, 'latest');
      } else {
        const nonce = await request('eth_getTransactionCount', from, 'latest');
        let hash;
        try {
          hash = await request('eth_sendTransaction', call);
        } catch (error) {
          hash = error.data?.transactionHash ?? error.data?.txHash ?? error.data?.hash;
          if (!hash) throw error;
        }
        if (step.deploy) addresses[number] = getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase();
        trace = await request('devnet_stackTrace', hash);
        if (step.expect?.logs) logs = await request('devnet_consoleLogs', hash);
      }
      if (!step.expect?.frames) {
        if (trace) failures.push({ number, what: 'failed', got: trace });
        continue;
      }
      if (!trace) {
        failures.push({ number, what: 'succeeded', expected: step.expect });
        continue;
      }
      const what = difference(step.expect, { ...trace, logs });
      if (what) failures.push({ number, what, expected: step.expect, got: trace });
    }
  } catch (error) {
    failures.push({ number: -1, what: error.stack });
  } finally {
    await node.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return failures;
}

const signatureType = ({ type, components }) =>
  type.startsWith('tuple') ? `(${components.map(signatureType).join()})${type.slice(5)}` : type;
