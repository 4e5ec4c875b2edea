import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface, type Interface } from 'node:readline'
import type { Figures, Question } from './question.js'
import type { Naming } from './types.js'

/** How an engine is started, and what it cannot do. */
export interface EngineKind {
  name: string
  naming: Naming
  command: string
  args: string[]
  /** Reads the home's own catalogs, no Delta log: `current` has no former versions, `history` those of all tables at once. */
  catalogOnly?: 'current' | 'history'
  /** Takes seconds per table: asked again only about tables whose log has changed since. */
  isSlow?: boolean
  /** Why it reads no former version. */
  noFormer?: string
  /** Why it is known to read this table wrongly, whoever wrote it; undefined: it must read it. */
  known?: (table: string) => string | undefined
}

/**
 * An engine in a process of its own, kept through all states of the lake: what it remembers of a table must not hide
 * the next version.
 */
export interface Engine {
  kind: EngineKind
  /** With its version. */
  title: string
  ask(question: Question): Promise<Figures>
  close(): Promise<void>
}

/** @throws Error with what it wrote to stderr when it does not come up */
export async function startEngine(kind: EngineKind): Promise<Engine> {
  const child = spawn(kind.command, kind.args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = `${errors}${text}`.slice(-20_000)
  })
  const failed = new Promise<never>((_, reject) => {
    child.on('error', reject)
    child.on('close', (code) => reject(new Error(`${kind.name} ended with ${code}: ${errors}`)))
  })
  failed.catch(() => undefined)
  child.stdin.on('error', () => undefined)
  const lines = createInterface({ input: child.stdout })
  const hello = await Promise.race([failed, nextLine<{ engine: string }>(lines)])
  return {
    kind,
    title: hello.engine,
    ask: async (question) => {
      const answer = nextLine<Figures & { error?: string }>(lines)
      child.stdin.write(`${JSON.stringify(question)}\n`)
      const { error, ...figures } = await Promise.race([failed, answer])
      if (error !== undefined) throw new Error(error)
      return figures
    },
    close: async () => await closed(child),
  }
}

async function nextLine<T>(lines: Interface): Promise<T> {
  return await new Promise((resolve) => {
    lines.once('line', (line) => resolve(JSON.parse(line) as T))
  })
}

async function closed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  child.stdin?.end()
  await ended
}
