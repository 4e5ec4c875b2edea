// npm run conformance -- URL: what an owner of real credentials runs. Reads only unless --writes.

import { conformance } from './command.js'

process.exitCode = await conformance(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
