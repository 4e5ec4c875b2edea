import { decode } from '../decode/decode.js'
import type { Accounts } from '../facets.js'
import { queries } from '../queries.js'

/**
 * States of a conditional order as its history shows them (docs/brokerage-api.md#fcostatushistory). `gap`: why there
 * may be more, on one line.
 *
 * @throws what the facet throws
 */
export async function readConditionalHistory(
  accounts: Pick<Accounts, 'get'>,
  fcoId: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly states: readonly string[]; readonly gap: string | undefined }> {
  const answer = await accounts.get('fcoStatusHistory', queries.fcoStatusHistory({ fcoId }), signal)
  const decoded = decode('fcoStatusHistory', answer)
  if (decoded.kind === 'refused')
    return { states: [], gap: `${decoded.error.code} ${decoded.error.message}`.trim() }
  const { rows, faults } = decoded
  const states = rows.flatMap(({ state }) => state ?? [])
  return { states, gap: faults[0] && `${faults[0].at}: ${faults[0].reason}` }
}
