import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Effects } from '../effects.js'
import { writeWholeFile } from '../home/files.js'
import { History } from '../home/statement-history.js'
import { consoleHistoryFile, savedStatementsFolder } from '../home/user-files.js'
import { Refusal } from './response.js'

/** What the SQL page lists: the statements that were run, the latest first, and those with a name. */
export interface StatementList {
  history: string[]
  saved: { name: string; sql: string }[]
}

/** Begins with a letter or digit: never a hidden file, never a path. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,59}$/u

/** Longer ones are run, and not kept: a list of a thousand stays small. */
const LONGEST = 20_000

/** Statements that the page lists at most. */
const LISTED = 200

/** Whose statements are kept, and without which secrets. */
export interface StatementKeeping {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Removes secrets: a statement that has one is not kept. */
  clean(text: string): string
}

/**
 * The user's statements, in the user's own folders: not in the browser, which forgets them when the console has another port, and not
 * in the home, which several users may read.
 */
export class UserStatements {
  private readonly history: History
  private readonly folder: string
  private readonly clean: (text: string) => string
  private opened: Promise<unknown> | undefined

  constructor(
    { environment, clean }: StatementKeeping,
    private readonly effects: Effects,
  ) {
    this.history = new History(consoleHistoryFile(environment), clean, effects)
    this.clean = clean
    this.folder = savedStatementsFolder(environment)
  }

  /** Keeps a statement that is run. */
  async add(sql: string): Promise<void> {
    await this.open()
    if (sql.trim() !== '' && sql.length <= LONGEST) this.history.add(JSON.stringify(sql))
  }

  async list(): Promise<StatementList> {
    await this.open()
    const ran = this.history.statements.map(textOf).filter((sql) => sql !== undefined)
    return { history: [...new Set(ran)].slice(0, LISTED), saved: this.saved() }
  }

  /** @throws Refusal for a name that is not one · StorageError where the disk refuses */
  async save(name: string, sql: string): Promise<void> {
    const file = this.fileOf(name)
    if (this.clean(sql) !== sql)
      throw new Refusal(400, 'the statement has a credential of the settings: it is not saved')
    const options = { mode: 0o600, folderMode: 0o700, hint: 'check XDG_DATA_HOME' }
    await writeWholeFile(file, `${sql.trimEnd()}\n`, options, this.effects.disk)
  }

  remove(name: string): void {
    const file = this.fileOf(name)
    if (existsSync(file)) this.effects.disk.remove(file)
  }

  private saved(): StatementList['saved'] {
    if (!existsSync(this.folder)) return []
    return readdirSync(this.folder)
      .filter((file) => file.endsWith('.sql') && NAME.test(file.slice(0, -4)))
      .sort()
      .map((file) => ({
        name: file.slice(0, -4),
        sql: readFileSync(join(this.folder, file), 'utf8').trimEnd(),
      }))
  }

  private fileOf(name: string): string {
    if (NAME.test(name)) return join(this.folder, `${name}.sql`)
    throw new Refusal(400, 'a name has letters, digits, blanks, _ and -, at most 60 of them')
  }

  private async open(): Promise<void> {
    this.opened ??= this.history.open()
    await this.opened
  }
}

/** A line that is not one of ours is left out. */
function textOf(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
