import type { Ran } from '../../../support/program.js'

interface Summary {
  datasets?: { dataset: string; missing: string[] }[]
  notes?: string[]
  checks?: { withheld: unknown[]; breaks: { severity: string }[] } | null
  conclusion?: unknown
  error?: unknown
}

/** What a run reports of what is wrong: missing windows, notes, its conclusion, what is withheld, errors. Without its tables. */
export function reportedBy(ran: Ran): string {
  let summary: Summary
  try {
    summary = ran.json<Summary>()
  } catch {
    return ran.stderr || ran.stdout.slice(0, 500)
  }
  const { datasets = [], notes = [], conclusion, checks, error } = summary
  const missing = datasets.flatMap((each) => each.missing.map((line) => `${each.dataset} ${line}`))
  const errors = checks?.breaks.filter(({ severity }) => severity === 'error') ?? []
  const kept = JSON.stringify([conclusion ?? null, checks?.withheld ?? [], errors, error ?? null])
  return [...missing, ...notes, kept].join('\n')
}
