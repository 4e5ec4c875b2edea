import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** Statements that a user ran at the prompt: of XDG's state, since several users may read one home. */
export function historyFile(environment: Environment): string {
  return join(xdgFolder(environment, 'XDG_STATE_HOME', '.local/state'), 'sql_history')
}

/** Statements that a user ran in the console, one JSON text per line: they have several lines, which the prompt cannot show. */
export function consoleHistoryFile(environment: Environment): string {
  return join(xdgFolder(environment, 'XDG_STATE_HOME', '.local/state'), 'console_history')
}

/** A user's saved statements, a file `NAME.sql` each: of XDG's data, to be edited, copied and read by `.read` as any file. */
export function savedStatementsFolder(environment: Environment): string {
  return join(xdgFolder(environment, 'XDG_DATA_HOME', '.local/share'), 'statements')
}

/** Symbols that a user watches in the console, one per line: of XDG's data. */
export function watchlistFile(environment: Environment): string {
  return join(xdgFolder(environment, 'XDG_DATA_HOME', '.local/share'), 'watchlist')
}

function xdgFolder(environment: Environment, variable: string, fallback: string): string {
  const { [variable]: folder = '', HOME: home = homedir() } = environment
  // XDG's rule: a relative path is ignored.
  return join(isAbsolute(folder) ? folder : join(home, fallback), 'candlehouse')
}
