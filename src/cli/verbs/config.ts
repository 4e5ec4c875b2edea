import { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { renderTable } from '../render/table.js'
import { type CommonOptions, type Edge, prepareReading, verb } from '../verb.js'

export function configVerb(edge: Edge, effects: Effects): Command {
  const show = verb('show', 'Show every setting, its value (secrets masked) and where it was set').action(
    async (options: CommonOptions) => {
      const call = prepareReading(options, edge, effects)
      await call.answer(call.shown, (width) =>
        renderTable(
          [{ title: 'setting' }, { title: 'value' }, { title: 'from' }, { title: 'meaning' }],
          call.shown.map(({ variable, value, origin, meaning }) => [variable, value, origin, meaning]),
          width,
        ),
      )
    },
  )
  return new Command('config').description('Show the settings in use').addCommand(show)
}
