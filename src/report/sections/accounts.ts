import { type Draw, INK } from '../charts/draw.js'
import { namedLines } from '../charts/line-charts.js'
import { change, date, decimal, flow, money, moneyAxis, plural, price, share } from '../figures.js'
import { type Html, html } from '../html.js'
import {
  type Account,
  type AccountMargin,
  exposureOf,
  type Residual,
  staleCloseOf,
} from '../model/accounts.js'
import { columns, command, figure, nothing, section, table, tile, tiles, tonedChange } from './blocks.js'

const TITLE = 'Accounts'

export function accountsSection(accounts: readonly Account[], draw: Draw): Html {
  if (accounts.length === 0) {
    return section(
      'accounts',
      TITLE,
      false,
      nothing(
        html`No snapshot is stored. Accounts need a login with a one-time password: ${command('candlehouse login')}`,
      ),
    )
  }
  const open = accounts.filter(({ residual }) => residual.state === 'unexplained').length
  // The name of the key is worth a word where there are several.
  const namesKeys = new Set(accounts.map(({ latest }) => latest.key_name)).size > 1
  const warned = accounts.filter(({ margin }) => margin?.warning).length
  const margins = warned === 0 ? '' : ` ${plural(warned, 'account')} at or near a margin level.`
  const words =
    open === 0
      ? 'Prices, trades, fees and dividends explain every known change.'
      : `${plural(open, 'account')} changed by what nothing explains.`
  return section(
    'accounts',
    TITLE,
    `${plural(accounts.length, 'account')}. ${words}${margins} Values in VND.`,
    accounts.map((account) => accountCard(account, namesKeys, draw)),
  )
}

function accountCard(account: Account, namesKeys: boolean, draw: Draw): Html {
  const { latest, positions } = account
  return html`<article class="account">
<h3>${account.account} ${latest.account_type !== null && html`<span class="badge">${latest.account_type.toLowerCase()}</span>`}${namesKeys && html` <span class="badge">key ${latest.key_name}</span>`}</h3>
<p>Snapshot of ${date(latest.trading_date)}: ${latest.state}.${latest.missing ? ` Missing: ${latest.missing}.` : ''}</p>
${account.margin?.warning && html`<p class="warning ${account.margin.warning.level}">Margin: ${account.margin.warning.text}</p>`}
${tiles(
  tile('Net asset value', money(latest.net_asset_value), changeOf(account)),
  tile('Net cash', money(latest.net_cash), latest.total_debt ? `debt ${money(latest.total_debt)}` : false),
  tile('Exposure', share(exposureOf(account)), `${plural(positions.length, 'position')}, of net asset value`),
  tile('Unexplained', residualFigure(account.residual), residualWords(account.residual)),
  ...(account.margin ? [marginTile(account.margin)] : []),
)}
${equityFigure(account, draw)}
${positions.length > 0 ? positionTable(account) : false}
</article>`
}

function marginTile(margin: AccountMargin): Html {
  const { ratio, call_ratio, call_fall, fall, ratio_after } = margin
  const after = `after a fall of all prices by ${share(fall, 0)}: ${share(ratio_after)}`
  if (margin.account_type === 'DERIVATIVE') {
    const limits = [margin.warning_level_1, margin.warning_level_2, margin.warning_level_3].map((level) =>
      share(level, 0),
    )
    return tile('Margin of contracts', share(ratio), `of assets; limits ${limits.join(', ')}; ${after}`)
  }
  return tile(
    'Margin ratio',
    share(ratio),
    `call at ${share(call_ratio)}, a fall of ${share(call_fall)}; ${after}`,
  )
}

function changeOf(account: Account): Html | false {
  const { latest } = account
  const stale = staleCloseOf(account)
  if (stale) return html`at the close of ${date(stale)}: the change is not known`
  if (latest.change === null) return false
  const before = latest.net_asset_value === null ? null : latest.net_asset_value - latest.change
  return html`${tonedChange(before ? latest.change / before : null)} (${flow(latest.change)}) since ${date(latest.before_of)}`
}

function residualFigure({ cash, positions }: Residual): string {
  if (cash === null) return '–'
  return positions ? `${flow(cash)}, ${plural(positions, 'symbol')}` : flow(cash)
}

function residualWords({ state }: Residual): Html | string {
  if (state === 'unknown') return 'needs two complete snapshots'
  if (state === 'explained') return 'within what fees, interest and dividends may be'
  return html`beyond fees and dividends: ${command('candlehouse reconcile')}`
}

function equityFigure({ account, curve }: Account, draw: Draw): Html | false {
  const [first] = curve
  const last = curve.at(-1)
  if (!first || !last || curve.length < 2) return false
  const from = first.net_asset_value
  const sentence = `Net asset value from ${money(from)} on ${date(first.trading_date)} to ${money(last.net_asset_value)} on ${date(last.trading_date)}.`
  const line = {
    name: account,
    label: from ? change((last.net_asset_value ?? 0) / from - 1, 1) : '',
    color: INK,
    dash: 'solid' as const,
    values: curve.map(({ net_asset_value }) => net_asset_value),
  }
  return figure(
    `Equity curve of ${account}`,
    sentence,
    draw(`Equity curve. ${sentence}`, (room) =>
      namedLines(
        curve.map(({ trading_date }) => trading_date),
        [line],
        moneyAxis,
        room,
        180,
      ),
    ),
    table(
      `Equity of ${account}, VND`,
      columns('Date', '#Net asset value', '#Change', '#Prices and trades', '#Unexplained'),
      [...curve]
        .reverse()
        .map((day) => [
          date(day.trading_date),
          decimal(day.net_asset_value),
          flow(day.change),
          flow(day.price_gain),
          flow(day.unexplained_cash),
        ]),
    ),
  )
}

function closeOf({ priced_on, trading_date, is_current }: Account['positions'][number]): string {
  if (priced_on === null || priced_on === trading_date) return date(priced_on)
  return `${date(priced_on)}, ${is_current ? 'no trade since' : 'later closes are not known'}`
}

function unrealisedOf({ unrealised_pnl, dividend_quantity }: Account['positions'][number]): string {
  return unrealised_pnl === null && dividend_quantity
    ? `not known, ${decimal(dividend_quantity)} shares to come`
    : flow(unrealised_pnl)
}

function positionTable({ account, positions }: Account): Html {
  return table(
    `Positions of ${account}; prices and values in VND, of contracts in points and what they stand for`,
    columns(
      'Symbol',
      '#Quantity',
      '#Average price',
      '#Price',
      'Close of',
      '#Value',
      '#Unrealised',
      '#Weight',
    ),
    positions.map((position) => [
      position.symbol,
      decimal(position.quantity),
      price(position.average_price),
      price(position.price),
      closeOf(position),
      money(position.market_value),
      unrealisedOf(position),
      share(position.weight),
    ]),
  )
}
