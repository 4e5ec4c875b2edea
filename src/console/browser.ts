import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens a file with the user's browser. Resolves to false where none could be started. */
export type Opener = (file: URL) => Promise<boolean>

/** What the user's system opens files with. */
async function systemOpener(file: URL): Promise<boolean> {
  const [command = '', ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const browser = spawn(command, [...args, file.href], { detached: true, stdio: 'ignore' })
  browser.unref()
  return await Promise.race([
    once(browser, 'spawn').then(() => true),
    once(browser, 'error').then(() => false),
  ]).catch(() => false)
}

/**
 * Opens an address in the user's browser: through a file that only this user can read, because other users see the
 * command lines of processes, and the address has the token.
 *
 * @param folder for that file
 * @returns false where no browser could be started
 */
export async function openBrowser(
  folder: string,
  url: string,
  open: Opener = systemOpener,
): Promise<boolean> {
  const page = join(folder, 'open-console.html')
  writeFileSync(page, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">`, { mode: 0o600 })
  return await open(pathToFileURL(page))
}
