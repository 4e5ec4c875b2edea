/** What `candlehouse mine new` writes. */
export const KINDS = ['view', 'table', 'rule', 'watch', 'page'] as const

export type NewKind = (typeof KINDS)[number]
