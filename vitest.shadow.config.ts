// The tests of calls, transactions, blocks and whole nodes, each run executed by both engines, which have to agree.
process.env.DEVNET_ENGINE = 'shadow';

export { default } from './vitest.config.ts';
