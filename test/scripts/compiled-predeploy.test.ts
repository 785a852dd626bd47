import { expect, it } from 'vitest';
import { compiledPredeploy, OWN } from '../../scripts/compiled-predeploy.mjs';
import { OWN_CODE } from '../../src/state/predeploy-code.ts';

it('the code of the predeployed contracts is that of their source', () => {
  expect(OWN).toEqual(Object.keys(OWN_CODE));
  for (const name of OWN) expect(OWN_CODE[name as keyof typeof OWN_CODE]).toBe(compiledPredeploy(name));
});
