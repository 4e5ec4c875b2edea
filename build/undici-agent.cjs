// What of undici the client uses, as undici's own index.js puts it together.
const Agent = require('../node_modules/undici/lib/dispatcher/agent.js')
const Dispatcher = require('../node_modules/undici/lib/dispatcher/dispatcher.js')
const api = require('../node_modules/undici/lib/api/index.js')

Object.assign(Dispatcher.prototype, api)

module.exports = { Agent }
