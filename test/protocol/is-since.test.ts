import { expect, it } from 'vitest';
import { HARDFORKS, isSince } from '../../src/protocol/hardfork.ts';

it('a hardfork has what an earlier one has brought, in the order of the table', () => {
  expect(HARDFORKS.filter((name) => isSince(name, 'bpo5'))).toEqual(['bpo5', 'amsterdam']);
  expect(isSince('osaka', 'amsterdam')).toBe(false);
});
