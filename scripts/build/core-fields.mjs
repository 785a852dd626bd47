// Generates the core's code that encodes and formats headers, transactions, logs and receipts, from src/core/tables/fields.ts.

const MADE = '// Written by scripts/build/core-fields.mjs from tables/fields.ts:';
/** The highest Ethereum transaction type that the core supports; the OP Stack's deposits have a higher type. */
const HIGHEST_TYPE = 4;

/**
 * @param {typeof import('../../src/core/tables/fields.ts')} tables
 * @returns {Record<string, string>} file name in src/core -> text
 */
export function coreFields({ HEADER_FIELDS, TRANSACTION_FIELDS, LOG_FIELDS, RECEIPT_FIELDS }) {
  return {
    'block/header-fields.ts': module('the fields of the open block, in RLP.', [
      '/** Writes the fields of its header. */',
      'export function writeHeaderFields(gasUsed: u64): void {',
      ...body(HEADER_FIELDS.map((field) => ifPresent(field, rlp(field)))),
      '}',
    ]),
    'out/header-json.ts': module('the header of the open block as JSON.', [
      '/** Writes its members, without the end of the object. */',
      'export function writeHeaderJson(gasUsed: u64): void {',
      `  writeText('{"number":');`,
      `  ${json({ core: { u64: 'BLOCK_NUMBER' } })}`,
      `  writeText(',"hash":');`,
      `  ${json({ kind: 'bytes', size: 32, core: { bytes: 'BLOCK_HASH' } })}`,
      ...body(
        HEADER_FIELDS.filter(({ name }) => name !== 'number').map((field) =>
          ifPresent(field, `writeText(',"${field.rpc ?? field.name}":');`, json(field)),
        ),
      ),
      '}',
    ]),
    'out/transaction-json.ts': module(
      'the transaction at TX as JSON. The hash of its block is missing: the caller writes it.',
      jsonObject(TRANSACTION_FIELDS, 'Transaction', { to: '', from: 'index: u32' }),
    ),
    'out/log-json.ts': module(
      'a log of the running transaction as JSON. The hash of its block is missing: the caller writes it.',
      jsonObject(LOG_FIELDS, 'Log', { to: 'log: usize, transaction: u32', from: 'index: u64' }),
    ),
    'out/receipt-fields.ts': module('the receipt of the last transaction as the store has it.', [
      '/** Writes the items of its list. */',
      'export function writeReceiptFields(): void {',
      ...RECEIPT_FIELDS.filter(({ core }) => core).map(({ core }) => `  ${core};`),
      '}',
    ]),
  };
}

/** Generates two functions that write an object: up to the digits of the block's hash, and the rest after them. */
function jsonObject(fields, name, { to, from }) {
  const written = fields.filter(({ core }) => core);
  const gap = written.findIndex(({ core }) => core.gap);
  const member = (field, i) =>
    ifOfType(
      field.core.types ?? field.types,
      `writeText('${i === 0 ? '{' : ','}"${field.name}":');`,
      json(field),
    );
  const lines = (part, offset) => body(part.map((field, i) => member(field, i + offset)));
  return [
    `/** Writes it up to the digits of the hash of its block. */`,
    `export function write${name}ToHash(${to}): void {`,
    ...lines(written.slice(0, gap), 0),
    `  writeText('${gap === 0 ? '{' : ','}"${written[gap].name}":"0x');`,
    '}',
    '',
    '/** Writes what follows these digits. */',
    `export function write${name}FromHash(${from}): void {`,
    `  writeText('"');`,
    ...lines(written.slice(gap + 1), gap + 1),
    `  writeText('}');`,
    '}',
  ];
}

/** The statement that RLP-encodes a field of a header. */
function rlp({ kind, size, core }) {
  if (core.given) return `writeInteger(${core.given});`;
  if (core.u64) return `writeInteger(load<u64>(${core.u64}));`;
  if (core.bytes) {
    if (core.length) return `writeString(${core.bytes}, load<u32>(${core.length}));`;
    return size === 32 ? `writeHash(${core.bytes});` : `writeString(${core.bytes}, ${size});`;
  }
  if (kind === 'quantity') return `writeWord(${core.word});`;
  const bytes = kind === 'address' ? 'writeString(SCRATCH + 12, 20);' : 'writeHash(SCRATCH);';
  return `reverse(SCRATCH, ${core.word});\n${bytes}`;
}

/** The statement that writes a field as JSON. */
function json({ kind: ofHeader, size = 32, core }) {
  const kind = core.kind ?? ofHeader;
  if (core.call) return `${core.call};`;
  if (core.text) return `writeText('${core.text}');`;
  if (core.given) return `writeQuantity(${core.given});`;
  if (core.u64) return `writeQuantity(load<u64>(${core.u64}));`;
  if (core.u32) return `writeQuantity(load<u32>(${core.u32}));`;
  if (core.bytes) return `writeHex(${core.bytes}, ${core.length ? `load<u32>(${core.length})` : size});`;
  if (kind === 'address') return `writeAddressWord(${core.word});`;
  if (kind === 'bytes') return `reverse(SCRATCH, ${core.word});\nwriteHex(SCRATCH, 32);`;
  return `writeWordQuantity(${core.word});`;
}

/** A field's statements, and the condition under which they run. */
function ifPresent({ eip, present }, ...statements) {
  return { condition: eip && `load<u32>(${present ?? `EIP_${eip}`})`, statements };
}

function ifOfType(types, ...statements) {
  if (!types) return { statements };
  const [first] = types;
  const isRest = types.length === HIGHEST_TYPE + 1 - first;
  if (!isRest && types.length > 1) throw new Error(`types ${types}: expected one, or all from one on`);
  // Unsigned: types below the first one wrap around.
  const condition =
    isRest && first < HIGHEST_TYPE
      ? `load<u32>(TX_TYPE) - ${first} <= ${HIGHEST_TYPE - first}`
      : `load<u32>(TX_TYPE) == ${first}`;
  return { condition, statements };
}

/** The lines of a function's body; consecutive fields with the same condition share one `if`. */
function body(fields) {
  const lines = [];
  let before;
  for (const { condition, statements } of fields) {
    if (condition !== before) {
      if (before) lines.push('  }');
      if (condition) lines.push(`  if (${condition}) {`);
      before = condition;
    }
    const indent = condition ? '    ' : '  ';
    lines.push(...statements.flatMap((statement) => statement.split('\n')).map((line) => indent + line));
  }
  if (before) lines.push('  }');
  return lines;
}

/** File -> pattern of the names that generated modules may import from it. */
const EXPORTS = {
  'memory/layout.ts': /\b(?:(?:BLOCK|TX|RESULT|RULES)_[A-Z_0-9]+|SCRATCH|NO_UNCLES)\b/g,
  'memory/rlp.ts': /\bwrite(?:Hash|Integer|String|Word)\b/g,
  'memory/words.ts': /\breverse\b/g,
  'out/json.ts': /\bwrite(?:AddressWord|Hex|Quantity|Text|WordQuantity)\b/g,
  'out/log-parts.ts': /\bwrite(?:LogAddress|Topics|LogData)\b/g,
  'out/transaction-parts.ts': /\bwrite(?:Recipient|GasPrice|Blobs|Input|AccessList|Authorizations)\b/g,
  'out/receipt-parts.ts': /\bwrite(?:Status|StateRoot|Bloom|Logs|Created|BlobGas|BlobGasPrice)\b/g,
  'tables/rule.ts': /\bEIP_\d+\b/g,
};

function module(subject, lines) {
  const text = lines.join('\n');
  const imports = Object.entries(EXPORTS).flatMap(([file, names]) => {
    const used = [...new Set(text.match(names))].sort();
    return used.length > 0 ? [`import {\n${wrapped(used)}\n} from '../${file}';`] : [];
  });
  return `${MADE} ${subject}\n${imports.join('\n')}\n\n${text}\n`;
}

/** Wraps names into lines of at most 120 characters. */
function wrapped(names) {
  const lines = ['  '];
  for (const name of names) {
    if (lines.at(-1).length + name.length > 118) lines.push('  ');
    lines[lines.length - 1] += lines.at(-1) === '  ' ? `${name},` : ` ${name},`;
  }
  return lines.join('\n');
}
