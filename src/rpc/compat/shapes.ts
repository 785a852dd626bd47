/** Whose answers the node gives where the two differ. */
export type Compat = 'anvil' | 'hardhat';

/** Return shapes: the one place where handlers meet the difference between anvil and Hardhat. */
export interface Shapes {
  readonly compat: Compat;
  /** Done, with nothing to say: null, or true. */
  readonly done: null | true;
  pick<A, H>(anvil: A, hardhat: H): A | H;
}

export function shapesOf(compat: Compat): Shapes {
  const isHardhat = compat === 'hardhat';
  return {
    compat,
    done: isHardhat ? true : null,
    pick: (anvil, hardhat) => (isHardhat ? hardhat : anvil),
  };
}
