import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderWith } from '../package.js'

/** A place in a built module, as V8 writes it in a stack: `file:///…/dist/chunks/job.js:120:7`. */
const PLACE = /(file:\/\/\S+?\.js):(\d+):(\d+)/g

/**
 * The stack with places of the source, `src/run/load.ts:20:5`, where a source map beside the module knows them. Node's own
 * option reads every map at every start; this reads those of the failure, when there is one.
 */
export function withSourcePlaces(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>()
  return stack.replace(PLACE, (place, address: string, line: string, column: string) => {
    const file = fileURLToPath(address)
    if (!maps.has(file)) maps.set(file, readMap(`${file}.map`))
    // V8 counts lines and columns from one, a map from zero.
    const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!entry || !('originalSource' in entry)) return place
    const source = relative(folderWith('package.json', address), join(dirname(file), entry.originalSource))
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}

function readMap(file: string): SourceMap | undefined {
  if (!existsSync(file)) return undefined
  return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload)
}
