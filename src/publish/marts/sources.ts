/** How the rows of a table follow from what the views of its definition read. Tables of layout `whole` need no entry. */
export interface Sources {
  /** Relations of which a row needs the rows of its own session alone. */
  readonly sessions: readonly string[]
  /** Relations that reach rows of other sessions: the view is asked which. */
  readonly compared?: {
    readonly relations: readonly string[]
    /** `sql/publish/marts/<query>.sql`: compares what this publication and the former one make of them. */
    readonly query: string
  }
  /** Relations that only omitted columns read. */
  readonly ignored?: readonly string[]
}

/** By name of the table. */
export const sources: Readonly<Record<string, Sources>> = {
  'mart.daily': { sessions: ['market.daily_summary', 'market.price_limit'] },
  'mart.daily_adjusted': {
    sessions: ['market.daily_summary'],
    compared: { relations: ['mart.adjustment_event', 'mart.chain_gap'], query: 'adjusted_symbol' },
  },
  'mart.daily_factor': {
    sessions: ['mart.session_factor'],
    compared: {
      relations: ['market.index_summary', 'market.security', 'market.security_history'],
      query: 'factor_session',
    },
    ignored: ['mart.adjustment_event'],
  },
  'mart.universe': { sessions: ['market.daily_summary', 'market.price_limit'] },
}
