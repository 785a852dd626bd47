// The test suite of docs/drop-in.md with a node of its own, as a user would copy it: its tests are this file's.
import 'drop-in:counter.test.ts';
