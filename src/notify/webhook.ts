import type { Effects } from '../effects.js'
import { packageVersion } from '../package.js'

/**
 * Sends a document by POST. Redirects are not followed: the document would go to a place that nobody has set.
 *
 * @returns undefined where it was accepted (2xx), else why not
 * @throws the reason of the signal; why the address could not be reached
 */
export async function postDocument(
  url: string,
  document: string,
  signal: AbortSignal,
  { network }: Effects,
): Promise<string | undefined> {
  const { address, authorization } = withoutCredentials(url)
  const request = new Request(address, {
    method: 'POST',
    body: document,
    redirect: 'manual',
    signal,
    headers: {
      'content-type': 'application/json',
      'user-agent': `candlehouse/${packageVersion}`,
      ...authorization,
    },
  })
  const response = await network.fetch(request)
  const { status } = response
  await response.body?.cancel().catch(() => undefined)
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) return `answered ${status}, a redirect; redirects are not followed`
  return `answered ${status}`
}

/** A `Request` refuses addresses with a user and a password; they are sent as a header. */
function withoutCredentials(url: string): { address: URL; authorization: Record<string, string> } {
  const address = new URL(url)
  const { username, password } = address
  if (username === '' && password === '') return { address, authorization: {} }
  address.username = ''
  address.password = ''
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { address, authorization: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}
