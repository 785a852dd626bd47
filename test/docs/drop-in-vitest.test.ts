// Examples of docs that are test files, as a user would copy them: their tests are this file's.
import 'drop-in:counter.test.ts';
import 'drop-in:replays.test.ts';
