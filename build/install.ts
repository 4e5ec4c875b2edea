import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Tarball } from './pack.js'

/** Installs a tarball into an empty folder as its users do: npm fetches the dependencies from the registry. */
export function installWithNpm({ file }: Tarball, folder: string): void {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const command = ['install', '--no-audit', '--no-fund', '--loglevel', 'error', file]
  execFileSync('npm', command, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

/**
 * Installs a tarball into an empty folder without the network: its declared dependencies, and no others, are links to
 * those of the repository. An import that is not declared fails here as it does after `npm install`.
 */
export function installLinked(root: string, { file, manifest }: Tarball, folder: string): void {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const target = join(folder, 'node_modules', manifest.name)
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', file, '-C', target, '--strip-components', '1'])
  for (const dependency of Object.keys(manifest.dependencies)) {
    const link = join(folder, 'node_modules', dependency)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'node_modules', dependency), link)
  }
}

/** What an installation brought: packages, and megabytes on disk. */
export function measureInstallation(folder: string): { packages: number; megabytes: number } {
  const modules = join(folder, 'node_modules')
  const kilobytes = execFileSync('du', ['-sk', modules], { encoding: 'utf8' })
  return { packages: countPackages(modules), megabytes: Math.round(Number.parseInt(kilobytes, 10) / 1024) }
}

function countPackages(modules: string): number {
  if (!existsSync(modules)) return 0
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((scoped) => `${name}/${scoped}`) : [name],
  )
  const folders = names.filter((name) => !name.startsWith('.')).map((name) => join(modules, name))
  return folders.reduce((count, folder) => count + 1 + countPackages(join(folder, 'node_modules')), 0)
}
