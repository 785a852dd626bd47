import { expect, it } from 'vitest';
import { type BuiltCode, Compilation } from '../../src/sources/compilation.ts';
import { bytesOf, CodeIndex } from '../../src/sources/match.ts';

const code = (object: string, masked: BuiltCode['masked'] = []): BuiltCode => ({
  ...{ size: object.length / 2, object, sourceMap: '', ethdebug: undefined, masked },
});
const contract = (name: string, creation: string, deployed: BuiltCode) => ({
  ...{ source: 'A.sol', name, abi: [], selectors: {}, storageLayout: undefined },
  ...{ creation: code(`${creation}${deployed.object}`), deployed },
});
// The two bytes of an immutable are written when the contract is created.
const deployed = code('60016100005260aa', [{ start: 3, length: 2 }]);
const contracts = [contract('A', '6001', deployed), contract('B', '6002', code('6003'))];
const index = new CodeIndex([
  new Compilation({ solcVersion: '0.8.37', viaIr: true, isOptimized: true, sources: [], contracts }),
]);

it('a contract that another one creates by different code is found by its deployed code', () => {
  const own = bytesOf(`6001${deployed.object}`);
  expect(index.creation(own)?.built.name).toBe('A');
  const other = bytesOf(`6005${deployed.object}`);
  expect(index.creation(other)).toBeUndefined();
  expect(index.deployedAtEnd(other)?.built.name).toBe('A');
  expect(index.deployedAtEnd(bytesOf(`6005${deployed.object}00`))).toBeUndefined();
  expect(index.deployedAtEnd(bytesOf('60056004'))).toBeUndefined();
});
