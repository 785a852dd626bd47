/** What methods answer that only a forked chain has a use for. */
export const NO_FORK = 'this chain is not a fork of another one, and can not become one';
