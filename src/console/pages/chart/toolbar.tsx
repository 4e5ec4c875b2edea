import { BAR_LENGTHS } from '../../bar-columns.js'
import { type ChartState, chartAddress, chartStateOf } from './chart-address.js'
import { IndicatorMenu } from './indicator-menu.js'
import { SymbolBox } from './symbol-box.js'
import { useSymbols } from './symbol-list.js'
import { WatchButton } from './watch-button.js'

interface Props {
  /** What the address says. */
  state: ChartState
  /** What is drawn: also what the console chose where the address leaves it open. */
  drawn: Pick<ChartState, 'symbol' | 'timeframe'>
}

/** What the chart shows, and how that is changed: every choice is an address. */
export function ChartToolbar({ state, drawn }: Props) {
  const { symbols, load } = useSymbols()
  const show = (change: Partial<ChartState>) => {
    location.hash = chartAddress({ ...state, symbol: drawn.symbol, ...change })
  }
  return (
    <div class="toolbar">
      <SymbolBox
        label="Symbol"
        value={drawn.symbol}
        symbols={symbols}
        onFocus={load}
        onPick={(symbol) => show({ symbol })}
      />
      <fieldset class="choices">
        <legend>Timeframe</legend>
        {BAR_LENGTHS.map((timeframe) => (
          <label key={timeframe}>
            <input
              type="radio"
              name="timeframe"
              checked={timeframe === drawn.timeframe}
              onChange={() => show({ timeframe })}
            />
            <span>{timeframe}</span>
          </label>
        ))}
      </fieldset>
      <label class="switch">
        <input
          type="checkbox"
          checked={state.isAdjusted}
          disabled={state.other !== ''}
          onChange={(event) => show({ isAdjusted: event.currentTarget.checked })}
        />
        adjusted
      </label>
      <label class="field">
        From
        <input
          type="date"
          value={state.from}
          onChange={(event) => show({ from: event.currentTarget.value })}
        />
      </label>
      <SymbolBox
        label="Compare with"
        value={state.other}
        symbols={symbols}
        onFocus={load}
        onPick={(other) => show({ other })}
      />
      <IndicatorMenu
        indicators={state.indicators}
        latest={() => chartStateOf(location.hash.split('/').slice(2).map(decodeURIComponent)).indicators}
        disabled={state.other !== ''}
        onChange={(indicators) => show({ indicators })}
      />
      <WatchButton symbol={drawn.symbol} />
    </div>
  )
}
