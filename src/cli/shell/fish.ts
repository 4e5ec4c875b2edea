import {
  type ArgumentShape,
  type CommandShape,
  everyCommand,
  type Offered,
  type OptionShape,
} from '../grammar.js'

/** Completion for fish 3 and newer. */
export function fishCompletion(program: CommandShape): string {
  const commands = everyCommand(program)
  const paths = commands.map(({ path }) => path.join(' ')).filter(Boolean)
  return `# fish completion for candlehouse; made by: candlehouse completion fish
function __candlehouse_path
    set -l path
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; and continue
        contains -- (string join ' ' $path $word) ${paths.map(quoted).join(' ')}; or break
        set path $path $word
    end
    string join ' ' $path
end

function __candlehouse_at
    test (__candlehouse_path | string collect --allow-empty) = $argv[1]
end

complete -c candlehouse -f
${commands.flatMap(linesOf).join('\n')}
`
}

function linesOf(command: CommandShape): string[] {
  const here = `__candlehouse_at ${quoted(command.path.join(' '))}`
  return [
    ...command.commands.map(
      (child) =>
        `complete -c candlehouse -n ${quoted(here)} -a ${quoted(child.path.at(-1) ?? '')} -d ${quoted(child.about)}`,
    ),
    ...command.options.map((option) => optionLine(option, here)),
    ...command.arguments.flatMap((argument) => argumentLine(argument, here)),
  ]
}

function optionLine({ short, long, about, value }: OptionShape, here: string): string {
  const names = [`-l ${long.replace(/^--/, '')}`, ...(short ? [`-s ${short.replace(/^-/, '')}`] : [])]
  const taken = value && !value.isOptional ? ` -r${offeredText(value.offered)}` : ''
  return `complete -c candlehouse -n ${quoted(here)} ${names.join(' ')}${taken} -d ${quoted(about)}`
}

/** Words are offered until one of them is there: fish does not count arguments. */
function argumentLine({ name, offered }: ArgumentShape, here: string): string[] {
  if (offered.kind === 'anything') return []
  const until =
    offered.kind === 'words' ? `; and not __fish_seen_subcommand_from ${offered.words.join(' ')}` : ''
  return [`complete -c candlehouse -n ${quoted(here + until)}${offeredText(offered)} -d ${quoted(name)}`]
}

function offeredText(offered: Offered): string {
  if (offered.kind === 'words') return ` -f -a ${quoted(offered.words.join(' '))}`
  if (offered.kind === 'folders') return " -f -a '(__fish_complete_directories)'"
  return offered.kind === 'files' ? ' -F' : ' -f'
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
