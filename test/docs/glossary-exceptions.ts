const OWNED = 'an account holds shares and cash: it owns them'
const PUBLISHED = 'the name of a published column'
const MIGRATED =
  'written by a migration, which is never edited: the next one that comments on the table replaces it'

/** Rejected words that stay, by place and word, with the reason. */
export const REJECTED_BUT_SHOWN: ReadonlyMap<string, string> = new Map([
  ['sql/migrations/0006_judged.sql: judge', 'migrations are never edited'],
  ...[
    'mart.account_fill.told_on: told',
    'mart.breadth.told_by: told',
    'mart.freshness.sessions_held: held',
    'mart.futures_alias.is_last_trading_date_told: told',
    'ops.run.judged_at: judge',
    'recon.finding.judged: judge',
    'recon.finding.judged_at: judge',
  ].map((key) => [key, PUBLISHED] as const),
  ...[
    'test/cases/console/account_shares/symbols-that-are-were-or-became-held.json: held',
    'account.equity_balance.on_hold_cash: comment: held',
    'account.equity_balance.hold_subscription: comment: held',
    'account.equity_margin.hold_subscription: comment: held',
    'account.equity_margin.on_hold_cash: comment: held',
    'account.max_quantity.symbol: comment: held',
    'market.corporate_action.ratio: comment: held',
    'mart.account_equity_curve.state: comment: held',
    'mart.account_equity_curve.positions: comment: held',
    'mart.covered_warrant.gearing: comment: held',
    'mart.futures_continuous.roll_rule: comment: held',
    'mart.realised_pnl.closed: comment: held',
    'mart.realised_pnl.average_price: comment: held',
  ].map((key) => [key, OWNED] as const),
  ...[
    'market.corporate_action.symbol: comment: kept',
    'market.security.symbol: comment: kept',
    'market.security_daily.symbol: comment: kept',
    'market.security_history.symbol: comment: kept',
    'ops.coverage.state: comment: says',
    'ops.coverage.reason_code: comment: says',
    'ops.quarantine.reason: comment: believed',
    'ops.request.page_size: comment: says',
    'ops.run.judged_at: comment: judge',
    'recon.finding.title: comment: says',
    'recon.finding.subject: comment: judge',
    'recon.finding.trading_date: comment: judge',
    'recon.finding.run_id: comment: judge',
    'recon.finding.judged: comment: judge',
    'recon.finding.note: comment: judge',
    'recon.finding.accepted: comment: overrule',
    'recon.finding.judged_at: comment: judge',
    'mart.session_factor.return_1: comment: believed',
  ].map((key) => [key, MIGRATED] as const),
])

const COMPUTED =
  'exact as the service sends it; DOUBLE where a view computes it from adjusted or summed values'
const OF_THE_API = 'fields of two records of the API share the name'

/** Columns with several types, or with a fraction here and percent there. */
export const SEVERAL_TYPES: ReadonlyMap<string, string> = new Map([
  ...[
    'account_balance',
    'average_price',
    'delivery_amount',
    'dividend',
    'equity',
    'margin_call',
    'net_volume',
    'net_volume_5',
    'net_volume_20',
    'residual',
    'total_assets',
    'total_deal_value',
    'total_debt',
    'total_equity',
    'total_match_value',
    'value',
  ].map((name) => [name, COMPUTED] as const),
  ['basis', 'a price less another; in mart.account_cost what a cost rests on'],
  ['factor', 'a number that multiplies prices; in mart.factor_score the name of a factor of research'],
  ['minute', 'a minute of the day, counted by a macro or by a range'],
  ['net', 'contracts, long less short; in mart.dividend_expected VND after tax'],
  ['offenders', 'how many; in recon.acceptance which ones a person saw'],
  ['price', `${OF_THE_API}: an order may have a word as its price; ${COMPUTED}`],
  ['status', `${OF_THE_API}: of an order a word; of a request the HTTP status`],
  ['rule', 'of the market: its name as mart.market_rule has it; of a finding: its number'],
])
