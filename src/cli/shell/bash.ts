import { type CommandShape, everyCommand, type Offered } from '../grammar.js'

/** Completion for bash 3.2 and newer, without the package bash-completion. */
export function bashCompletion(program: CommandShape): string {
  const commands = everyCommand(program)
  return `# bash completion for candlehouse; made by: candlehouse completion bash
_candlehouse_words() {
  case "$1" in
${commands.map(wordsOf).join('\n')}
  esac
}

# What the value of an option or of an argument may be: words, @files or @folders.
_candlehouse_values() {
  case "$1" in
${commands.flatMap(valuesOf).join('\n')}
    *) return 1 ;;
  esac
}

_candlehouse() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" position=0 index word option="" offered candidate
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    if [[ "$word" == "=" ]]; then continue; fi
    if [[ -n "$option" ]]; then option=""; continue; fi
    if [[ "$word" == -* ]]; then
      if _candlehouse_values "$path $word" > /dev/null; then option="$word"; fi
      continue
    fi
    if _candlehouse_words "\${path:+$path }$word" > /dev/null && [[ -n "$(_candlehouse_words "\${path:+$path }$word")" ]]; then
      path="\${path:+$path }$word"
    else
      position=$((position + 1))
    fi
  done
  if [[ "$current" == "=" ]]; then current=""; fi
  if [[ -n "$option" ]]; then
    offered="$(_candlehouse_values "$path $option")"
  elif [[ "$current" == -* ]]; then
    offered="$(_candlehouse_words "$path")"
  else
    offered="$(_candlehouse_values "$path $position")" || offered="$(_candlehouse_words "$path")"
  fi
  if [[ "$offered" == "@files" ]]; then
    while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "$current")
    compopt -o filenames 2> /dev/null
  elif [[ "$offered" == "@folders" ]]; then
    while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -d -- "$current")
    compopt -o filenames 2> /dev/null
  else
    if [[ "$current" != -* && -z "$option" ]]; then offered="$(printf '%s\\n' $offered | grep -v '^-')"; fi
    while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -W "$offered" -- "$current")
  fi
}

complete -F _candlehouse candlehouse
`
}

function wordsOf({ path, commands, options }: CommandShape): string {
  const words = [...commands.map((child) => child.path.at(-1)), ...options.map(({ long }) => long)]
  return `    "${path.join(' ')}") printf '%s' '${words.join(' ')}' ;;`
}

function valuesOf({ path, options, arguments: taken }: CommandShape): string[] {
  const line = (last: string, offered: Offered): string =>
    `    "${path.join(' ')} ${last}") printf '%s' '${offeredText(offered)}' ;;`
  return [
    ...options.flatMap(({ long, value }) => (value && !value.isOptional ? [line(long, value.offered)] : [])),
    ...taken.map(({ offered }, position) => line(String(position), offered)),
  ]
}

function offeredText(offered: Offered): string {
  if (offered.kind === 'words') return offered.words.join(' ')
  return offered.kind === 'anything' ? '' : `@${offered.kind}`
}
