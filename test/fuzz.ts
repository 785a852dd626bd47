import fc from 'fast-check';

/** How many times as many cases as `npm test` tries; `npm run test:fuzz` sets it. */
export const FUZZ = Number(process.env.FUZZ ?? 1);

/** Cases that a property tries. */
export const runs = (inCI: number): number => Math.ceil(inCI * FUZZ);

// CI tries the same cases each time, so that a red one means a change; a search tries new ones.
if (FUZZ === 1) fc.configureGlobal({ seed: 1 });
