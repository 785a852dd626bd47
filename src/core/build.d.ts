/** Whether the module reports each step to the host: a constant that scripts/build-core.mjs passes to the compiler. */
declare const TELLS_STEPS: bool;
