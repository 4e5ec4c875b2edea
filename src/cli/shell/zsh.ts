import type { ArgumentShape, CommandShape, Offered, OptionShape } from '../grammar.js'

/** Completion for zsh, as a function file that is autoloaded from \`fpath\` or read with \`source\`. */
export function zshCompletion(program: CommandShape): string {
  return `#compdef candlehouse
# zsh completion for candlehouse; made by: candlehouse completion zsh

${functionsOf(program).join('\n\n')}

# Autoloaded, the file is the function's body; read with source, it defines it.
if [[ "$funcstack[1]" == "_candlehouse" ]]; then
  _candlehouse "$@"
else
  compdef _candlehouse candlehouse
fi
`
}

function functionsOf(command: CommandShape): string[] {
  return [functionOf(command), ...command.commands.flatMap(functionsOf)]
}

function functionName({ path }: CommandShape): string {
  return ['_candlehouse', ...path].join('_').replaceAll('-', '_')
}

function functionOf(command: CommandShape): string {
  const specs = command.options.flatMap(optionSpecs)
  if (command.commands.length === 0) {
    return `${functionName(command)}() {
  _arguments -s \\
${[...specs, ...command.arguments.map(argumentSpec)].map((spec) => `    ${spec}`).join(' \\\n')}
}`
  }
  const children = command.commands.map(
    (child) => `      ${quoted(`${child.path.at(-1)}:${escaped(child.about)}`)}`,
  )
  const cases = command.commands.map((child) => `        ${child.path.at(-1)}) ${functionName(child)} ;;`)
  return `${functionName(command)}() {
  local curcontext="$curcontext" state line
  local -a commands
  _arguments -C \\
${specs.map((spec) => `    ${spec} \\\n`).join('')}    '1:command:->command' '*::argument:->argument'
  case $state in
    command)
      commands=(
${children.join('\n')}
      )
      _describe command commands ;;
    argument)
      case $line[1] in
${cases.join('\n')}
      esac ;;
  esac
}`
}

function optionSpecs({ short, long, about, value }: OptionShape): string[] {
  const text = `[${escaped(about).replaceAll('[', '\\[').replaceAll(']', '\\]')}]`
  const taken = value ? `${value.isOptional ? '::' : ':'}${escaped(value.name)}:${action(value.offered)}` : ''
  return [...(short ? [short] : []), long].map((flag) => quoted(`${flag}${text}${taken}`))
}

function argumentSpec({ name, isRequired, isVariadic, offered }: ArgumentShape, index: number): string {
  const position = isVariadic ? '*:' : `${index + 1}${isRequired ? ':' : '::'}`
  return quoted(`${position}${escaped(name)}:${action(offered)}`)
}

function action(offered: Offered): string {
  if (offered.kind === 'words') return `(${offered.words.join(' ')})`
  if (offered.kind === 'files') return '_files'
  // A blank action completes nothing.
  return offered.kind === 'folders' ? '_files -/' : ' '
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll(':', '\\:')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
