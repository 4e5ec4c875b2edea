import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { attachLake } from '../../read/index.js'
import { count } from '../render/table.js'
import { type CommonOptions, type Edge, settle, verb } from '../verb.js'

export function attachVerb(edge: Edge, effects: Effects): Command {
  return verb('attach', 'write a catalog for a lake seen under another path: a mount, a copy')
    .requiredOption('--lake <path>', 'folder that holds manifest.json')
    .requiredOption('--out <file>', 'catalog to write; one that is there is replaced')
    .action(async (options: CommonOptions & { lake: string; out: string }) => {
      const call = settle(options, edge, effects)
      const attached = await attachLake(options.lake, options.out)
      const { catalog, publication, relations, files } = attached
      await call.answer(
        attached,
        () =>
          `${catalog}: publication ${publication}, ${relations} relations over ${count(files)} files\nopen it with any DuckDB, read-only`,
      )
    })
}
