import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../src/package.js'
import { cli } from '../support/program.js'

export const folder = join(packageRoot, 'examples/notebooks')
export const notebooks = readdirSync(folder).filter((name) => name.endsWith('.ipynb'))

export interface Cell {
  cell_type: 'markdown' | 'code'
  source: string[]
  outputs?: Output[]
  execution_count?: number | null
}

export interface Output {
  output_type: string
  /** What was printed. */
  text?: string[]
  /** What a cell shows, by media type. */
  data?: Record<string, string | string[]>
}

export function cellsOf(file: string): Cell[] {
  return (JSON.parse(readFileSync(file, 'utf8')) as { cells: Cell[] }).cells
}

export function textOf(name: string, kind: Cell['cell_type']): string {
  return cellsOf(join(folder, name))
    .filter((cell) => cell.cell_type === kind)
    .map((cell) => cell.source.join(''))
    .join('\n\n')
}

/** The blocks of a page that its reader types into a shell. */
export function shellBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^(`{3,})sh\n([\s\S]*?)^\1$/gm)].map(([, , block = '']) => block)
}

/** The exports that a notebook asks for before it is run; its last block is the one to compare with. */
export function exportsOf(name: string): string[] {
  return shellBlocks(textOf(name, 'markdown')).slice(0, -1)
}

/** Which Python runs the notebooks. */
export const python = process.env.PYTHON || 'python3'

/** Whether Python has a module, by its name: a start of Python takes longer than the question. */
const hasModule = new Map<string, boolean>()

/** Why something cannot run here: modules of Python that are not there. Empty where all are. */
export function missingModules(names: readonly string[]): string {
  const look =
    'import importlib.util, sys; print(*[n for n in sys.argv[1:] if not importlib.util.find_spec(n)])'
  const unknown = names.filter((name) => !hasModule.has(name))
  if (unknown.length > 0) {
    const { status, stdout } = spawnSync(python, ['-c', look, ...unknown], { encoding: 'utf8' })
    if (status !== 0) return `there is no ${python}; PYTHON names another`
    const absent = stdout.trim().split(' ')
    for (const name of unknown) hasModule.set(name, !absent.includes(name))
  }
  const missing = names.filter((name) => !hasModule.get(name))
  return missing.length > 0 ? `${python} has no ${missing.join(', ')}; PYTHON names another` : ''
}

/** A folder with a home of the sandbox's market, where notebooks run. */
export class NotebookMarket {
  readonly cwd = mkdtempSync(join(tmpdir(), 'candlehouse-notebooks-'))
  readonly home = join(this.cwd, 'home')
  private readonly env = { PATH: process.env.PATH, HOME: process.env.HOME, CANDLEHOUSE_HOME: this.home }

  /** Always the same night of the same market. */
  async fill(): Promise<void> {
    const night = ['nightly', '--date', '2025-06-30', '--skip-accounts', '--quiet']
    const { code, stderr } = await cli(night, { cwd: this.cwd, env: { CANDLEHOUSE_HOME: this.home } })
    if (code !== 0) throw new Error(stderr)
  }

  /** Types a block into a shell in which `candlehouse` is the built program. */
  async shell(block: string, at = this.cwd): Promise<string> {
    const candlehouse = `candlehouse() { '${process.execPath}' '${join(packageRoot, 'dist/src/main.js')}' "$@"; }`
    return await this.run('sh', ['-ec', `${candlehouse}\n${block}`], at)
  }

  async python(...args: string[]): Promise<string> {
    return await this.run(python, args, this.cwd)
  }

  /** Executes notebooks as Jupyter does, with their exports; writes them to `target`. */
  async execute(names: readonly string[], target: string): Promise<void> {
    for (const name of names) for (const block of exportsOf(name)) await this.shell(block)
    const program = join(packageRoot, 'test/examples/execute.py')
    await this.python(program, target, ...names.map((name) => join(folder, name)))
  }

  close(): void {
    rmSync(this.cwd, { recursive: true, force: true })
  }

  private async run(program: string, args: string[], cwd: string): Promise<string> {
    return (await promisify(execFile)(program, args, { cwd, env: this.env })).stdout
  }
}
