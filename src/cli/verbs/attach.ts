import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { count } from '../render/table.js'
import { type CommonOptions, type Edge, prepareReading, verb } from '../verb.js'

export function attachVerb(edge: Edge, effects: Effects): Command {
  return verb('attach', 'Write a catalog for a lake under another path: a network mount or a copy')
    .requiredOption('--lake <path>', 'lake to attach: the folder that contains manifest.json')
    .requiredOption('--out <file>', 'catalog to write; an existing catalog is replaced')
    .action(async (options: CommonOptions & { lake: string; out: string }) => {
      const call = prepareReading(options, edge, effects)
      const { attachLake } = await import('../../read/attach.js')
      const attached = await attachLake(resolve(edge.folder, options.lake), resolve(edge.folder, options.out))
      const { catalog, publication, relations, files } = attached
      await call.answer(
        attached,
        () =>
          `${catalog}: publication ${publication}, ${relations} relations over ${count(files)} files\nopen it read-only with any DuckDB client`,
      )
    })
}
