// Lets the Node binding of today load the library of the next DuckDB: CANDLEHOUSE_NEXT_BINDING names its copy of duckdb.node, beside
// which the library lies. Required by every process of a run (NODE_OPTIONS).
const Module = require('node:module')

const resolve = Module._resolveFilename
Module._resolveFilename = function (request, ...rest) {
  return /^@duckdb\/node-bindings-[^/]+\/duckdb\.node$/.test(request)
    ? process.env.CANDLEHOUSE_NEXT_BINDING
    : resolve.call(this, request, ...rest)
}
