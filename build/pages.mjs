/**
 * A step of the build: the pages of the console as static files in dist/console, with all libraries they use. Nothing of
 * them is fetched from another host.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { writeLicenses } from './licenses.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = join(root, 'src/console/pages')
const folder = join(root, 'dist/console')

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const bundle = await rolldown({
  cwd: root,
  input: { main: join(pages, 'main.tsx') },
  platform: 'browser',
  tsconfig: join(pages, 'tsconfig.json'),
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
})
const { output } = await bundle.write({
  dir: folder,
  format: 'es',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  minify: true,
})
copyFileSync(join(pages, 'index.html'), join(folder, 'index.html'))
const styles = [join(root, 'node_modules/uplot/dist/uPlot.min.css'), join(pages, 'style.css')]
writeFileSync(join(folder, 'style.css'), styles.map((file) => readFileSync(file, 'utf8')).join('\n'))
const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
writeLicenses([...modules, ...styles], join(folder, 'licenses.txt'))
