import { equalsBytes } from '@ethereumjs/util';

/** The first violation of the chain's rules in a block. */
export interface BlockFault {
  /** header field, or position in the body: `transactions[3]`, `uncles[0].number` */
  readonly field: string;
  /** the expected value, or the rule that is broken */
  readonly expected: string;
  readonly got: string;
}

/** Thrown for an invalid block. */
export class BadBlock extends Error {
  override readonly name = 'BadBlock';
  readonly fault: BlockFault;
  /** number of the block, if it could be read */
  number?: bigint;

  constructor(fault: BlockFault) {
    super(`${fault.field}: expected ${fault.expected}, got ${fault.got}`);
    this.fault = fault;
  }
}

type Value = Uint8Array | bigint | undefined;

/** @throws BadBlock unless both values are equal */
export function expectSame(field: string, expected: Value, got: Value): void {
  const same =
    expected instanceof Uint8Array && got instanceof Uint8Array
      ? equalsBytes(expected, got)
      : expected === got;
  if (!same) refuse(field, show(expected), got);
}

/** @throws BadBlock */
export function refuse(field: string, expected: string, got: Value | string): never {
  throw new BadBlock({ field, expected, got: typeof got === 'string' ? got : show(got) });
}

function show(value: Value): string {
  if (value === undefined) return 'none';
  return value instanceof Uint8Array ? `0x${Buffer.from(value).toString('hex')}` : value.toString();
}
