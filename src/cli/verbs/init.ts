import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from 'candlehouse-foundation/errors'
import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { writeWholeFile } from '../../home/files.js'
import { type ChosenKey, type ChosenSettings, dotEnvOf, problemOf, tomlOf } from '../../settings/index.js'
import { openQuestions, type Questions } from '../ask.js'
import { askMoreKeys } from '../more-keys.js'
import type { CommonOptions, Edge, NewVerb } from '../verb.js'
import { runDoctor } from './doctor.js'

type Options = CommonOptions & { sandbox?: true; overwrite?: true }

interface Chosen {
  readonly settings: ChosenSettings
  /** Where the home has several API keys: all of them. */
  readonly keys: readonly ChosenKey[]
}

const LEFT = 'init was stopped before its last question: nothing was written'

export function initVerb(verb: NewVerb): Command {
  return verb('init', 'Set up this folder: ask, write candlehouse.toml and .env, then run doctor')
    .option('--sandbox', 'use the embedded sandbox and ask nothing')
    .option('--overwrite', 'replace an existing candlehouse.toml and .env without asking')
    .works(async (options: Options, edge, effects) => {
      const isAsking = !options.sandbox && options.baseUrl === undefined
      if (isAsking && !edge.stdin.isTTY) throw noTerminal()
      const questions = isAsking ? openQuestions(edge, LEFT) : undefined
      try {
        const chosen = questions ? await askAll(questions, options, edge) : chosenBy(options, edge)
        await writeFiles(chosen, options, questions, edge, effects)
      } finally {
        questions?.close()
      }
      if (!options.quiet) edge.terminal.words('\ncandlehouse doctor\n')
      // The files say it all; the doctor shows that they do.
      const { json, quiet } = options
      await runDoctor({ ...(json ? { json } : {}), ...(quiet ? { quiet } : {}) }, edge, effects)
    })
}

function noTerminal(): UsageError {
  return new UsageError('init asks questions, and standard input is not a terminal', {
    hint: 'candlehouse init --sandbox, or candlehouse init --base-url ADDRESS with BROKER_API_KEY and BROKER_API_SECRET in the environment',
  })
}

/** Without questions: options, and the credentials of the environment. Secrets are never options: others see command lines. */
function chosenBy(options: Options, { environment }: Edge): Chosen {
  if (options.sandbox && options.baseUrl !== undefined)
    throw new UsageError('--sandbox and --base-url exclude each other', {
      hint: 'candlehouse init --sandbox',
    })
  const chosen = {
    CANDLEHOUSE_HOME: options.home ?? 'data',
    BROKER_BASE_URL: options.baseUrl,
    BROKER_MAX_RPS: options.maxRps,
    ...(options.baseUrl === undefined
      ? {}
      : {
          BROKER_API_KEY: environment.BROKER_API_KEY ?? '',
          BROKER_API_SECRET: environment.BROKER_API_SECRET ?? '',
        }),
  }
  for (const [variable, value] of Object.entries(chosen)) {
    const problem = value === undefined ? undefined : problemOf(variable, value)
    if (problem !== undefined)
      throw new UsageError(`${variable} ${problem}`, { hint: 'candlehouse init --help' })
  }
  return { settings: chosen, keys: [] }
}

async function askAll(questions: Questions, options: Options, { terminal }: Edge): Promise<Chosen> {
  terminal.words(
    [
      'This sets up candlehouse in the current folder. Enter accepts the value in brackets; Ctrl-C stops, and nothing is written.',
      '',
      '1. The service. Leave it empty to use the embedded sandbox: a simulated brokerage, without credentials or network.',
    ].join('\n'),
  )
  const baseUrl = await askSetting(questions, 'BROKER_BASE_URL', 'Address of the API', '')
  let credentials: ChosenSettings = {}
  let keys: ChosenKey[] = []
  if (baseUrl !== '') {
    terminal.words(
      '\n2. The credentials of your account at the brokerage. They go to .env, which only you can read. You can leave them empty and edit .env later.',
    )
    const apiKey = await questions.askSecret('API key')
    const apiSecret = await questions.askSecret('API secret')
    terminal.keepSecret([apiKey, apiSecret].filter(Boolean))
    credentials = { BROKER_API_KEY: apiKey, BROKER_API_SECRET: apiSecret }
    keys = await askMoreKeys(questions, { apiKey, apiSecret }, terminal)
  }
  terminal.words(
    `\n${baseUrl === '' ? 2 : 3}. The home: the folder of the warehouse, the raw pages, the lake and the catalog.`,
  )
  const home = await askSetting(questions, 'CANDLEHOUSE_HOME', 'Home', options.home ?? 'data')
  const settings = {
    CANDLEHOUSE_HOME: home,
    BROKER_BASE_URL: baseUrl === '' ? undefined : baseUrl,
    BROKER_MAX_RPS: options.maxRps,
    ...credentials,
  }
  return { settings, keys }
}

/** Asks until the value is valid. An empty answer is the fallback. */
async function askSetting(
  questions: Questions,
  variable: string,
  question: string,
  fallback: string,
): Promise<string> {
  return await questions.askValid(`  ${question}`, fallback, (answer) =>
    answer === '' ? undefined : problemOf(variable, answer),
  )
}

/** Writes both files, `.env` only where there are credentials. What exists is replaced only after a yes or --overwrite. */
async function writeFiles(
  { settings, keys }: Chosen,
  options: Options,
  questions: Questions | undefined,
  { folder, terminal }: Edge,
  { disk }: Effects,
): Promise<void> {
  const files = [
    { name: 'candlehouse.toml', text: tomlOf(settings, keys), mode: 0o644 },
    ...('BROKER_API_KEY' in settings ? [{ name: '.env', text: dotEnvOf(settings, keys), mode: 0o600 }] : []),
  ]
  const existing = files.filter(({ name }) => existsSync(join(folder, name))).map(({ name }) => name)
  if (existing.length > 0 && !options.overwrite && !questions) {
    throw new UsageError(
      `${existing.join(' and ')} exist${existing.length === 1 ? 's' : ''} in this folder`,
      {
        hint: 'add --overwrite to replace, or edit by hand; candlehouse config show prints the settings in use',
      },
    )
  }
  for (const { name, text, mode } of files) {
    const isKept =
      existing.includes(name) && !options.overwrite && !(await questions?.confirm(`Replace ${name}?`))
    const place = { mode, hint: 'make the folder writable' }
    if (!isKept) await writeWholeFile(join(folder, name), text, place, disk)
    terminal.words(isKept ? `${name} was not changed` : `${name} written${mode === 0o600 ? ' (0600)' : ''}`)
  }
}
