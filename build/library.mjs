/**
 * Builds a library in its folder, which npm runs this in: its modules and declarations one by one, for other people's bundlers
 * and debuggers. What it has of candlehouse-foundation, which is not published, is built into it, with the npm packages that
 * no user is to install.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { writeLicenses } from './licenses.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = process.cwd()
const dist = join(folder, 'dist')
const { exports, bin = {}, files } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Modules of dist that package.json names, as their sources: `dist/client/src/index.js` is `src/index.ts`. */
const entries = [
  ...Object.values(exports).flatMap((entry) => entry.default ?? []),
  ...Object.values(bin),
].map((file) => join(root, 'packages', relative('dist', file)).replace(/\.js$/, '.ts'))

/** Files that lie in the package's folder; the others of package.json come from the root. */
const OWN = new Set(['dist', 'guide', 'README.md'])

rmSync(dist, { recursive: true, force: true })
const bundle = await rolldown({
  cwd: root,
  input: entries,
  platform: 'node',
  tsconfig: join(root, 'tsconfig.json'),
  external: /^(?!candlehouse-|date-fns|@date-fns)[^./\0]/,
})
const { output } = await bundle.write({
  dir: dist,
  preserveModules: true,
  preserveModulesRoot: root,
  // npm packs no folder node_modules.
  entryFileNames: ({ name }) => `${name.replace(/^packages\//, '').replace('node_modules', 'bundled')}.js`,
})
const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
writeLicenses(modules, join(dist, 'bundled/licenses.txt'))
execFileSync(process.execPath, [
  join(root, 'node_modules/typescript-native/bin/tsc'),
  '-p',
  join(folder, 'tsconfig.json'),
])
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
  if (name.endsWith('.d.ts')) nameFiles(join(dist, name))
for (const name of files) if (!OWN.has(name)) copy(name)

/** Over what an older build left there. @param {string} name */
function copy(name) {
  rmSync(join(folder, name), { recursive: true, force: true })
  cpSync(join(root, name), join(folder, name), { recursive: true })
}

/** A declaration names the foundation as a package: installed, it is a folder beside it. @param {string} file */
function nameFiles(file) {
  const text = readFileSync(file, 'utf8')
  const named = text.replace(/(['"])candlehouse-foundation\/([^'"]+)\1/g, (_, quote, name) => {
    const path = relative(dirname(file), join(dist, 'foundation/src', `${name}.js`))
    return `${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`
  })
  if (named !== text) writeFileSync(file, named)
}
