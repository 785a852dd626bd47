/** Whether the module tells the host of each step: a constant that scripts/build-core.mjs gives to the compiler. */
declare const TELLS_STEPS: bool;
