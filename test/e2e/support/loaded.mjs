// Loaded into the built program with `node --import`: appends the address of every module that it loads to the file
// LOADED_TRACE.
import { register } from 'node:module'

const hooks = `
  import { appendFileSync } from 'node:fs'
  export async function load(address, context, next) {
    appendFileSync(process.env.LOADED_TRACE, address + '\\n')
    return await next(address, context)
  }
`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
