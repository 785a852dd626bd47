// Plain CommonJS and old syntax, so that a Node that is too old for devnet can still run it and say so.
'use strict';

const { engines } = require('../package.json');

/**
 * @param {string} version of Node, as in `process.versions.node`
 * @returns {string | undefined} what to tell the user of a Node that devnet doesn't run on
 */
exports.refusalOf = (version) => {
  const [major, minor] = version.split('.').map(Number);
  // `engines`: the first versions that load ECMAScript modules by `require`.
  const isSupported = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22;
  return isSupported ? undefined : `devnet needs Node.js ${engines.node}, and this is Node.js ${version}`;
};
