/** What `candlehouse mine new` writes. */
export const KINDS = ['view', 'table', 'rule', 'watch'] as const

export type NewKind = (typeof KINDS)[number]
