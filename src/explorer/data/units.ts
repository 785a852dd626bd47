/** Units of ETH by name, as exponents of ten. */
const UNITS: Readonly<Record<string, number>> = {
  wei: 0,
  kwei: 3,
  mwei: 6,
  gwei: 9,
  szabo: 12,
  finney: 15,
  ether: 18,
  eth: 18,
};

const AMOUNT = /^([+-]?)(\d[\d_,]*)?(?:\.(\d+))?(?:e([+-]?\d{1,3}))?\s*([a-z][\w.]*)?$/i;

/**
 * Parses a whole number as people write it: `1,000`, `0x10`, `1e18`, `1.5 ether`, `20 gwei`, or with a token's symbol.
 * @param options.unit decimals of a number without a unit; 0 by default
 * @param options.symbols decimals of other units, by their name in lower case
 * @returns `undefined` if the text isn't a number, or has a fraction of the smallest unit
 */
export function wholeNumber(
  text: string,
  { unit = 0, symbols = {} }: { unit?: number; symbols?: Readonly<Record<string, number>> } = {},
): bigint | undefined {
  const plain = text.trim();
  if (/^0x[\da-f]+$/i.test(plain)) return BigInt(plain);
  const [, sign, whole = '', part = '', exponent, name] = AMOUNT.exec(plain) ?? [];
  if (sign === undefined || (whole === '' && part === '')) return undefined;
  const named = name?.toLowerCase();
  const places = named === undefined ? (exponent === undefined ? unit : 0) : (symbols[named] ?? UNITS[named]);
  if (places === undefined) return undefined;
  const shift = places + Number(exponent ?? 0);
  const digits = whole.replaceAll(/[_,]/g, '') + part;
  const zeros = shift - part.length;
  if (zeros < 0 && !/^0*$/.test(digits.slice(zeros))) return undefined;
  const value = BigInt((zeros < 0 ? digits.slice(0, zeros) : digits + '0'.repeat(zeros)) || '0');
  return sign === '-' ? -value : value;
}
