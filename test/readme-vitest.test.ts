// The README's test suite with a node of its own, as a user would copy it: its tests are this file's.
import 'readme:counter.test.ts';
