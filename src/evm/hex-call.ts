/** A call with nothing but sender, target and data, as hexadecimal text that isn't checked yet. */
export interface HexCall {
  /** 42 characters; absent: the zero address */
  readonly from?: string | undefined;
  /** 42 characters */
  readonly to: string;
  readonly data: string;
}
