import { relative, resolve } from 'node:path'
import { whole } from 'candlehouse-foundation/command-line/argument'
import type { Command } from 'commander'
import { everySetting } from '../../settings/index.js'
import type { MadeDemo } from '../render/demo.js'
import { type ConsoleAddress, serveConsole } from '../serve-console.js'
import { type Call, type CommonOptions, type Edge, type NewVerb, prepareReading } from '../verb.js'

type Options = CommonOptions & { console?: boolean; open?: boolean; port?: number }

const HOME = 'demo'

export function demoVerb(verb: NewVerb): Command {
  return verb(
    'demo',
    'Make a home with 60 sessions and 20 nights of the sandbox, and serve the console on it',
  )
    .option('--no-console', 'end when the home is made')
    .option('--open', 'open the console in the browser')
    .option('--port <number>', 'port of the console on loopback (default: any free port)', whole(0, 65_535))
    .works(async (options: Options, edge, effects) => {
      const home = resolve(edge.folder, options.home ?? HOME)
      const call = prepareReading({ ...options, home }, ownEdge(edge, home), effects)
      const { makeDemo } = await import('../demo/make-demo.js')
      const { demoStory } = await import('../demo/story.js')
      const story = edge.story ?? demoStory()
      call.whenStopped('stopping after the current page')
      const startedAt = effects.monotonic()
      const runs = await makeDemo(call.settings, story, call)
      const took = effects.monotonic() - startedAt
      const { sightsOf } = await import('../demo/sights.js')
      const sessions = [...story.before, ...story.nights]
      const demo = {
        home: shownHome(home, edge),
        from: sessions[0] ?? '',
        to: sessions.at(-1) ?? '',
        sessions: sessions.length,
        nights: story.nights.length,
        runs,
        sights: sightsOf(story, shownHome(home, edge)),
      }
      await show(demo, took, options, call)
    })
}

/** As a person types it in this folder. */
function shownHome(home: string, { folder }: Edge): string {
  const name = relative(folder, home)
  return name === '' || name.startsWith('..') ? home : name
}

/** Without what the environment and the folder have for a real home: its service, its keys, its bucket, its hooks. */
function ownEdge(edge: Edge, home: string): Edge {
  const names = new Set(everySetting.map(({ variable }) => variable).filter((name) => !KEPT.includes(name)))
  const environment = Object.fromEntries(
    Object.entries(edge.environment).filter(([name]) => !names.has(name)),
  )
  return { ...edge, environment, folder: home }
}

const KEPT: readonly string[] = ['CANDLEHOUSE_PALETTE', 'CANDLEHOUSE_READERS', 'CANDLEHOUSE_LAKE_MARTS']

async function show(
  made: Omit<MadeDemo, 'console'>,
  took: number,
  { console: serves = true, open = false, port = 0 }: Options,
  call: Call,
): Promise<void> {
  const { renderDemo } = await import('../render/demo.js')
  const answer = async (address: ConsoleAddress | null): Promise<void> => {
    const demo = { ...made, console: address }
    await call.answer(demo, () => renderDemo(demo, took))
  }
  if (serves) await serveConsole(call, { port, open }, answer)
  else await answer(null)
}
