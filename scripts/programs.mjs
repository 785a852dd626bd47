// Runs generated programs in the core and in EthereumJS's EVM, and compares the results:
//   npm run test:programs -- --count 1000000 --seed 1 --hardfork amsterdam
// Prints the progress, and each program whose results differ with its seed; the exit code is 1 if there is one.
import { parseArgs } from 'node:util';
import { bytesToHex } from '@ethereumjs/util';
import { importSources } from './import-sources.mjs';

const { values } = parseArgs({
  options: {
    hardfork: { type: 'string', default: 'amsterdam' },
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
  },
});
const { hardfork } = values;
const [count, first] = [values.count, values.seed].map(Number);
for (const [name, value] of Object.entries({ count, seed: first }))
  if (!(Number.isSafeInteger(value) && value > 0)) {
    console.error(`--${name}: expected a whole number above 0, got ${values[name]}`);
    process.exit(2);
  }

const { ComparedPrograms, HARDFORKS } = await importSources([
  'test/engine/wasm/compared-programs',
  'src/protocol/hardfork',
]);
if (!HARDFORKS.includes(hardfork)) {
  console.error(`--hardfork: expected one of ${HARDFORKS.join(', ')}, got ${hardfork}`);
  process.exit(2);
}

/** Milliseconds between two lines about the progress. */
const LINE_EVERY = 30_000;

const programs = await ComparedPrograms.create(hardfork);
const began = performance.now();
let last = began;
let different = 0;
for (let i = 0; i < count; i++) {
  const seed = first + i;
  const { program, differences } = await programs.compare(seed);
  if (differences.length > 0) {
    different++;
    console.log(`seed ${seed}: ${bytesToHex(program.code)} with ${bytesToHex(program.data)}`);
    for (const difference of differences) console.log(`  ${difference}`);
  }
  if (performance.now() - last < LINE_EVERY) continue;
  last = performance.now();
  tell(i + 1);
}
programs.close();
tell(count);
process.exitCode = different > 0 ? 1 : 0;

function tell(done) {
  const rate = Math.round(done / ((performance.now() - began) / 1000));
  console.log(
    `${hardfork}: ${done} programs from seed ${first} on, ${different} of them different, ${rate} a second`,
  );
}
