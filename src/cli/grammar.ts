import type { Argument, Command, Option } from 'commander'
import { IMPORTED } from '../import/index.js'
import { readableNames, storedNames } from '../read/published-names.js'

/** What a shell can offer for a value. */
export type Offered =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' | 'folders' | 'anything' }

export interface OptionShape {
  readonly short: string | undefined
  readonly long: string
  readonly about: string
  /** Undefined for an option without a value. */
  readonly value:
    | { readonly name: string; readonly isOptional: boolean; readonly offered: Offered }
    | undefined
  readonly isRequired: boolean
  readonly fallback: string | undefined
}

export interface ArgumentShape {
  readonly name: string
  readonly about: string
  readonly isRequired: boolean
  readonly isVariadic: boolean
  readonly offered: Offered
}

/** A command of the program, as completion and the manual show it. */
export interface CommandShape {
  /** Words behind `candlehouse`; none for the program itself. */
  readonly path: readonly string[]
  readonly about: string
  readonly options: readonly OptionShape[]
  readonly arguments: readonly ArgumentShape[]
  readonly commands: readonly CommandShape[]
}

/** Reads the commands as they are declared: a new option is in every completion and in the manual. */
export function shapeOf(command: Command, path: readonly string[] = []): CommandShape {
  return {
    path,
    about: command.description(),
    options: command.createHelp().visibleOptions(command).map(optionShape),
    arguments: command.registeredArguments.map((argument) => argumentShape(argument, path)),
    commands: command.commands.map((child) => shapeOf(child, [...path, child.name()])),
  }
}

export function everyCommand(shape: CommandShape): CommandShape[] {
  return [shape, ...shape.commands.flatMap(everyCommand)]
}

function optionShape(option: Option): OptionShape {
  const [, name] = /[<[]([^>\]]+)[>\]]/.exec(option.flags) ?? []
  return {
    short: option.short,
    long: option.long ?? '',
    about: option.description,
    value:
      name === undefined
        ? undefined
        : { name, isOptional: option.optional, offered: offeredFor(name, option.argChoices) },
    isRequired: option.mandatory,
    fallback: option.defaultValue === undefined ? undefined : String(option.defaultValue),
  }
}

function argumentShape(argument: Argument, path: readonly string[]): ArgumentShape {
  const name = argument.name()
  return {
    name,
    about: argument.description,
    isRequired: argument.required,
    isVariadic: argument.variadic,
    offered: namesFor(name, path) ?? offeredFor(name, argument.argChoices),
  }
}

/** Names of arguments that are not declared as choices, because a wrong one has an error of its own. */
function namesFor(name: string, path: readonly string[]): Offered | undefined {
  const [verb] = path
  if (name === 'dataset' && verb === 'import') return { kind: 'words', words: IMPORTED }
  if (name !== 'relation') return undefined
  // A row of a view is computed from others: only stored rows have a page.
  return { kind: 'words', words: verb === 'trace' ? storedNames() : readableNames() }
}

function offeredFor(name: string, choices: readonly string[] | undefined): Offered {
  if (choices) return { kind: 'words', words: choices }
  if (name === 'folder') return { kind: 'folders' }
  return { kind: name === 'file' || name === 'path' ? 'files' : 'anything' }
}
