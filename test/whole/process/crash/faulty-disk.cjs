// Loaded before the command by `node --require`: makes what it writes to files slow, or fail after a time.
// DISK_FAULT=slow:MS    each write takes up to MS milliseconds
// DISK_FAULT=readonly:N the N-th write and all later ones fail with EROFS
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const [kind, amount] = process.env.DISK_FAULT.split(':');
const standing = new Int32Array(new SharedArrayBuffer(4));
let writes = 0;

const { writeSync, fdatasync } = fs;
fs.writeSync = (fd, ...rest) => {
  // Standard output and error are no files of the chain.
  if (fd > 2) {
    if (kind === 'readonly' && ++writes >= Number(amount))
      throw Object.assign(new Error('EROFS: read-only file system, write'), {
        code: 'EROFS',
        syscall: 'write',
      });
    if (kind === 'slow') Atomics.wait(standing, 0, 0, Math.random() * Number(amount));
  }
  return writeSync(fd, ...rest);
};
fs.fdatasync = (fd, done) =>
  setTimeout(() => fdatasync(fd, done), kind === 'slow' ? Math.random() * Number(amount) : 0);
syncBuiltinESMExports();
