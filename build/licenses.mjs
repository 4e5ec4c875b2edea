import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The licenses of the npm packages in a bundle: each of them asks to be kept with copies of its code.
 *
 * @param {string[]} modules paths of the bundle's modules
 * @param {string} file to write
 */
export function writeLicenses(modules, file) {
  const folders = new Set(modules.flatMap((id) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []))
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const entry = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name))
    const text = entry === undefined ? '' : `\n${readFileSync(join(folder, entry), 'utf8').trim()}\n`
    return `${name} ${version} (${license})\n${text}`
  })
  writeFileSync(file, texts.join(`\n${'-'.repeat(80)}\n\n`))
}
