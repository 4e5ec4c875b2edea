import { fakeEffects } from '../../support/effects.js'
import { cli } from '../../support/program.js'

export interface Said {
  code: number | null
  out: string
  err: string
}

/** Saturday noon in Vietnam: the latest session that has closed is 2025-03-14. */
export const NOW = Date.parse('2025-03-15T12:00:00+07:00')

/** Runs a verb that sends nothing, on a clock of its own. */
export async function say(args: readonly string[], folder: string): Promise<Said> {
  const { code, stdout, stderr } = await cli(args, { cwd: folder, effects: fakeEffects(NOW) })
  return { code, out: stdout, err: stderr }
}
