import { INDICATOR_KINDS, INDICATORS, type Indicator, LONGEST, usualLength } from '../../indicators.js'

interface Props {
  indicators: readonly Indicator[]
  /** Those of the address as it is now: a length that was typed is chosen by the click on something else. */
  latest(): readonly Indicator[]
  /** A comparison has none. */
  disabled: boolean
  onChange(indicators: Indicator[]): void
}

/** Which indicators are drawn, and over how many bars. */
export function IndicatorMenu({ indicators, latest, disabled, onChange }: Props) {
  const lengthOf = new Map(indicators.map(({ kind, length }) => [kind, length]))
  const change = (kind: Indicator['kind'], length: number | undefined) => {
    const lengths = new Map(latest().map((indicator) => [indicator.kind, indicator.length]))
    if (length === undefined) lengths.delete(kind)
    else lengths.set(kind, length)
    onChange(
      INDICATOR_KINDS.flatMap((known) => {
        const own = lengths.get(known)
        return own === undefined ? [] : [{ kind: known, length: own }]
      }),
    )
  }
  return (
    <details class="menu">
      <summary>Indicators{indicators.length > 0 && !disabled ? ` (${indicators.length})` : ''}</summary>
      <fieldset class="indicators" disabled={disabled}>
        <legend class="hidden">Indicators</legend>
        {INDICATOR_KINDS.map((kind) => (
          <p key={kind}>
            <label class="switch">
              <input
                type="checkbox"
                checked={lengthOf.has(kind)}
                onChange={(event) =>
                  change(kind, event.currentTarget.checked ? usualLength(kind) : undefined)
                }
              />
              {INDICATORS[kind].title}
            </label>
            {usualLength(kind) > 0 && (
              <label class="field">
                bars
                <input
                  type="number"
                  aria-label={`Bars of ${INDICATORS[kind].title}`}
                  min={2}
                  max={LONGEST}
                  value={lengthOf.get(kind) ?? usualLength(kind)}
                  onChange={(event) => {
                    if (event.currentTarget.validity.valid) change(kind, event.currentTarget.valueAsNumber)
                  }}
                />
              </label>
            )}
          </p>
        ))}
        {disabled && <p class="quiet">A comparison has no indicators.</p>}
      </fieldset>
    </details>
  )
}
