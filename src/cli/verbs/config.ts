import { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { renderTable } from '../render/table.js'
import { type CommonOptions, type Edge, settle, verb } from '../verb.js'

export function configVerb(edge: Edge, effects: Effects): Command {
  const show = verb('show', 'every setting, its value (secrets masked) and where it came from').action(
    async (options: CommonOptions) => {
      const call = settle(options, edge, effects)
      await call.answer(call.shown, () =>
        renderTable(
          [{ title: 'setting' }, { title: 'value' }, { title: 'from' }, { title: 'meaning' }],
          call.shown.map((each) => [each.variable, each.value, each.origin, each.meaning]),
        ),
      )
    },
  )
  return new Command('config').description('the settings in use').addCommand(show)
}
