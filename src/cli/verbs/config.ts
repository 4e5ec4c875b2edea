import { Command } from 'commander'
import { columnsOf, renderTable } from '../render/table.js'
import type { NewVerb } from '../verb.js'

export function configVerb(verb: NewVerb): Command {
  const show = verb('show', 'Show every setting, its value (secrets masked) and where it was set').reads(
    async (call) => {
      await call.answer(call.shown, (width) =>
        renderTable(
          columnsOf('setting', 'value', 'from', 'meaning'),
          call.shown.map(({ variable, value, origin, meaning }) => [variable, value, origin, meaning]),
          width,
        ),
      )
    },
  )
  return new Command('config').description('Show the settings in use').addCommand(show)
}
