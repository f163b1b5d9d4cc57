/**
 * What the gateway needs of `node:http`. An ES module that imports a built-in one reads all its names at once, and some of
 * this one are getters that load Node's own `fetch`: 40 ms and 14 MB of every start, as `npm run bench -- start` shows.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
