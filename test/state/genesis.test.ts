import { createTxFromRLP } from '@ethereumjs/tx';
import {
  bytesToHex,
  createAddressFromString,
  createContractAddress,
  hexToBytes,
  type PrefixedHexString,
} from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { EMPTY_ROOT } from '../../src/state/account.ts';
import { EMPTY_STATE } from '../../src/state/empty-state.ts';
import { builtinAlloc, genesisWrites, parseAlloc } from '../../src/state/genesis.ts';
import { CREATE2_DEPLOYER, MULTICALL3 } from '../../src/state/genesis-code.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { Overlay } from '../../src/state/overlay.ts';
import { applyOverrides } from '../../src/state/overrides.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import { account, address, slot } from './view-contract.ts';

const fold = (alloc: ReturnType<typeof parseAlloc>): TrieState =>
  TrieState.at(new MemorySource(), EMPTY_ROOT).fold(genesisWrites(alloc));

/** Where a signed create transaction puts its contract: wrong code makes another signer, so another address. */
function deployedBy(raw: string): string {
  const sender = createTxFromRLP(hexToBytes(raw as PrefixedHexString)).getSenderAddress();
  return createContractAddress(sender, 0n).toString();
}

describe('built-in genesis', () => {
  it('has dev accounts with their balance and contracts with nonce 1 and code', () => {
    const state = fold(builtinAlloc({ accounts: [address(1), address(2)], balance: 10n ** 22n }));
    expect(state.getAccount(address(2))).toMatchObject({ nonce: 0n, balance: 10n ** 22n });
    const contracts = builtinAlloc({ accounts: [], balance: 0n });
    for (const [key, { code }] of contracts) {
      const at = createAddressFromString(key);
      expect(state.getAccount(at)).toMatchObject({ nonce: 1n, balance: 0n });
      expect(state.getCode(at)).toEqual(code);
    }
    const sizes = [...contracts.values()].map(({ code }) => code?.length);
    expect(sizes).toEqual([97, 83, 504, 414, 69, 3808]);
  });

  it('leaves out what it is told to', () => {
    const alloc = builtinAlloc({ accounts: [], balance: 0n, create2Deployer: false, multicall3: false });
    expect(alloc.size).toBe(4);
  });

  it('has the code of Multicall3 and of the create2 deployer that their signed deployments contain', () => {
    const multicall3 =
      '0xf90f538085174876e800830f42408080b90f00608060405234801561001057600080fd5b50610ee0806100206000396000f3fe' +
      MULTICALL3.code.slice(2) +
      '1ca0edce47092c0f398cebf3ffc267f05c8e7076e3b89445e0fe50f6332273d4569b' +
      'a01b0b9d000e19b24c5869b0fc3b22b0d6fa47cd63316875cbbd577d76e6fde086';
    expect(deployedBy(multicall3)).toBe(MULTICALL3.address);
    const create2 =
      '0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe' +
      CREATE2_DEPLOYER.code.slice(2) +
      `1ba0${'22'.repeat(32)}a0${'22'.repeat(32)}`;
    expect(deployedBy(create2)).toBe(CREATE2_DEPLOYER.address);
  });
});

describe("geth's alloc", () => {
  const name = address(1).toString();

  it('is read with and without 0x, with hex and decimal numbers and short slots', () => {
    const alloc = parseAlloc({
      [name.slice(2).toUpperCase()]: {
        balance: '1000',
        nonce: '0x2',
        code: '0x6001',
        storage: { '0x1': '0x02' },
      },
      [address(2).toString()]: { balance: '0x10' },
      [address(3).toString()]: { balance: 7, storage: { [bytesToHex(slot(4))]: bytesToHex(slot(0)) } },
    });
    const state = fold(alloc);
    expect(state.getAccount(address(1))).toMatchObject({ nonce: 2n, balance: 1000n });
    expect(state.getCode(address(1))).toEqual(Uint8Array.of(0x60, 1));
    expect(state.getStorage(address(1), slot(1))).toEqual(Uint8Array.of(2));
    expect(state.getAccount(address(2))).toMatchObject({ balance: 16n });
    expect(state.getAccount(address(3))).toMatchObject({ balance: 7n, storageRoot: EMPTY_ROOT });
  });

  it.each([
    ['no object', []],
    ['an address of the wrong length', { '0x12': {} }],
    ['the same address twice', { [name]: {}, [name.slice(2)]: {} }],
    ['a balance with letters', { [name]: { balance: 'ten' } }],
    ['a negative balance', { [name]: { balance: -1 } }],
    ['a balance that JSON rounded', { [name]: { balance: 1e21 } }],
    ['a balance over 256 bits', { [name]: { balance: `0x1${'00'.repeat(32)}` } }],
    ['a nonce over 64 bits', { [name]: { nonce: '0x10000000000000000' } }],
    ['code of half a byte', { [name]: { code: '0x123' } }],
    ['a slot over 32 bytes', { [name]: { storage: { [`0x${'11'.repeat(33)}`]: '0x1' } } }],
  ])('is refused with %s', (_what, json) => {
    expect(() => parseAlloc(json)).toThrow(/^alloc/);
  });
});

describe('account overrides', () => {
  const [a, key] = [address(1), address(1).toString()];
  const base = (): Overlay => {
    const overlay = new Overlay(EMPTY_STATE);
    overlay.setAccount(a, account(1n, 100n));
    overlay.setStorage(a, slot(1), Uint8Array.of(1));
    overlay.setStorage(a, slot(2), Uint8Array.of(2));
    return new Overlay(overlay);
  };

  it('replace only what they name', async () => {
    const overlay = base();
    await applyOverrides(overlay, new Map([[key, { balance: 5n, code: Uint8Array.of(0x60) }]]));
    expect(overlay.getAccount(a)).toMatchObject({ nonce: 1n, balance: 5n });
    expect(overlay.getCode(a)).toEqual(Uint8Array.of(0x60));
    expect(overlay.getStorage(a, slot(1))).toEqual(Uint8Array.of(1));
    await applyOverrides(overlay, new Map([[key, { nonce: 0n }]]));
    expect(overlay.getAccount(a)).toMatchObject({ nonce: 0n, balance: 5n });
  });

  it('state replaces the whole storage, stateDiff single slots', async () => {
    const diff = base();
    const slots = new Map([[bytesToHex(slot(1)), Uint8Array.of(9)]]);
    await applyOverrides(diff, new Map([[key, { stateDiff: slots }]]));
    expect(diff.getStorage(a, slot(1))).toEqual(Uint8Array.of(9));
    expect(diff.getStorage(a, slot(2))).toEqual(Uint8Array.of(2));
    const whole = base();
    await applyOverrides(whole, new Map([[key, { state: slots }]]));
    expect(whole.getStorage(a, slot(1))).toEqual(Uint8Array.of(9));
    expect(whole.getStorage(a, slot(2))).toEqual(new Uint8Array(0));
    expect(whole.getAccount(a)).toMatchObject({ balance: 100n });
  });

  it('make a missing account unless they name nothing', async () => {
    const overlay = new Overlay(EMPTY_STATE);
    await applyOverrides(overlay, new Map([[key, {}]]));
    expect(overlay.getAccount(a)).toBeUndefined();
    await applyOverrides(overlay, new Map([[key, { nonce: 4n }]]));
    expect(overlay.getAccount(a)).toMatchObject({ nonce: 4n, balance: 0n });
  });
});
