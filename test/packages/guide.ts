import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'

/** A program of a guide and the output that the guide shows behind it. */
export interface GuideProgram {
  name: string
  source: string
  output: string
}

export function readGuide(page: string): { programs: GuideProgram[]; sources: number } {
  const text = readFileSync(join(packageRoot, page), 'utf8')
  const programs = [...text.matchAll(/```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)].map(
    ([, source = '', output = ''], index) => ({ name: `program-${index + 1}`, source, output }),
  )
  return { programs, sources: [...text.matchAll(/```ts\n/g)].length }
}

/**
 * Compiles programs in a folder that has their packages in node_modules, against the types that these ship.
 *
 * @returns what the compiler reports
 */
export function compilePrograms(programs: readonly GuideProgram[], folder: string): string[] {
  symlinkSync(join(packageRoot, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  const files = programs.map(({ name }) => join(folder, `${name}.mts`))
  for (const { name, source } of programs) writeFileSync(join(folder, `${name}.mts`), source)
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    moduleResolution: 'nodenext',
    target: 'es2023',
    types: ['node'],
    typeRoots: [join(folder, 'node_modules/@types')],
    // Their declarations too: one that names a module which is not shipped would make its types any.
    skipLibCheck: false,
  }
  const project = join(folder, 'tsconfig.json')
  writeFileSync(project, JSON.stringify({ compilerOptions, files }))
  const compiler = join(packageRoot, 'node_modules/typescript-native/bin/tsc')
  const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' })
  const reported = stdout.split('\n').filter((line) => line !== '')
  return status === 0 || reported.length > 0 ? reported : [`the compiler ended with ${status}`]
}
