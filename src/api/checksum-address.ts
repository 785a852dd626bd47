/** A file of its own: of a package that is imported dynamically, all code would be in the bundle. */
export { toChecksumAddress } from '@ethereumjs/util';
