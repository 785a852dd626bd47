import { bytesToHex } from '@ethereumjs/util';
import { expect, it } from 'vitest';
import { compiledPredeploy, OWN } from '../../scripts/compiled-predeploy.mjs';
import { type OpStackContract, opStackCode } from '../../src/state/op-stack-code.ts';

it('the code of the predeployed contracts is that of their source', () => {
  for (const name of OWN)
    expect(bytesToHex(opStackCode(name as OpStackContract))).toBe(compiledPredeploy(name));
});
