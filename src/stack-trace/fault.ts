import type { FrameKind } from './entries.ts';

/** Hardhat's sentences for failures without a reason of their own. */
const SENTENCES: Partial<Record<FrameKind, string>> = {
  'invalid-params': 'function was called with incorrect parameters',
  'unrecognized-selector': "function selector was not recognized and there's no fallback function",
  'missing-receive': "function selector was not recognized and there's no fallback nor receive function",
  'returndata-size': 'function returned an unexpected amount of data',
  'no-contract': 'function call to a non-contract account',
  'call-failed': 'function call failed to execute',
  'library-called-directly': 'library was called directly',
  'code-too-large': 'trying to deploy a contract whose code is too large',
  'out-of-gas': 'contract call run out of gas and made the transaction revert',
};

/** What was wrong with a call that failed without a reason of the contract, in Hardhat's words; `undefined` for other failures. */
export function faultOf({
  kind,
  value,
}: {
  readonly kind: FrameKind;
  /** wei */
  readonly value?: bigint | string | undefined;
}): string | undefined {
  switch (kind) {
    case 'function-not-payable':
      return `non-payable function was called with value ${value}`;
    case 'fallback-not-payable':
      return `fallback function is not payable and was called with value ${value}`;
    case 'fallback-not-payable-no-receive':
      return `there's no receive function, fallback function is not payable and was called with value ${value}`;
    default:
      return SENTENCES[kind];
  }
}
