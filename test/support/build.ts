import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'
import { SOURCE_FOLDERS } from './sources.js'

/** What starts processes runs what users run: built anew when a source is newer than what was built. */
export default function build(): void {
  // What the build writes last.
  const built = join(packageRoot, 'packages/sandbox/dist')
  const newest = Math.max(...[...SOURCE_FOLDERS, 'build', 'sql', 'data/reference'].flatMap(times))
  if (existsSync(built) && statSync(built).mtimeMs > newest) return
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: packageRoot, stdio: 'inherit' })
}

function times(folder: string): number[] {
  return readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs)
}
