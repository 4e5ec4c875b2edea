import type { Terminal } from 'candlehouse-foundation/command-line/terminal'
import { type ChosenKey, problemOfName } from '../settings/index.js'
import { DEFAULT_KEY_NAME } from '../settings/key-name.js'
import type { Questions } from './ask.js'

/**
 * Asks for the API keys that the home has beside its first one.
 *
 * @returns all of them with the first; none where there are no more
 */
export async function askMoreKeys(
  questions: Questions,
  first: Pick<ChosenKey, 'apiKey' | 'apiSecret'>,
  terminal: Terminal,
): Promise<ChosenKey[]> {
  if (!(await questions.confirm('  Are there more API keys, with accounts of their own?'))) return []
  terminal.words(
    `  Each key has a name, which its rows and messages show. The first one is '${DEFAULT_KEY_NAME}'.`,
  )
  const keys: ChosenKey[] = [{ ...first, name: DEFAULT_KEY_NAME }]
  do {
    const name = await questions.askValid('  Name of the next key', '', (answer) =>
      problemOfName(answer, keys),
    )
    const apiKey = await askOtherKey(questions, keys, terminal)
    const apiSecret = await questions.askSecret('API secret')
    terminal.keepSecret([apiKey, apiSecret].filter(Boolean))
    keys.push({ name, apiKey, apiSecret })
  } while (await questions.confirm('  One more?'))
  return keys
}

/** Each key has one session (docs/market-facts.md#one-session-per-key): the same key twice would end its own. */
async function askOtherKey(
  questions: Questions,
  keys: readonly ChosenKey[],
  terminal: Terminal,
): Promise<string> {
  for (;;) {
    const apiKey = await questions.askSecret('API key')
    const same = apiKey && keys.find((key) => key.apiKey === apiKey)
    if (!same) return apiKey
    terminal.words(`  this is the API key of ${same.name}`)
  }
}
