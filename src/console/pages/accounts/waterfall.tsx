import type { Row } from '../api.js'
import { grouped } from '../words.js'

const STEPS = [
  ['balance_before', 'before'],
  ['settled_sells', 'sales settled'],
  ['settled_buys', 'buys settled'],
  ['fees', 'fees'],
  ['dividends', 'dividends'],
  ['loan_change', 'loan'],
  ['residual', 'unexplained'],
  ['balance', 'balance'],
] as const

const [WIDTH, HEIGHT, STEP] = [760, 220, 95]

/** Which way a step goes: buys and fees are stored as amounts that leave. */
function signed(name: string, value: number): number {
  return name === 'settled_buys' || name === 'fees' ? -Math.abs(value) : value
}

/** Cash between two snapshots: what was there, what came and went, what nothing explains, what is there. */
export function Waterfall({ cash }: { cash: Row }) {
  let level = 0
  const bars = STEPS.map(([name, label]) => {
    const value = signed(name, Number(cash[name] ?? 0))
    const isTotal = name === 'balance_before' || name === 'balance'
    const [from, to] = isTotal ? [0, value] : [level, level + value]
    level = to
    return { name, label, value, from, to, isTotal }
  })
  const values = bars.flatMap(({ from, to }) => [from, to])
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)]
  const y = (value: number) => 20 + (1 - (value - low) / (high - low)) * (HEIGHT - 60)
  return (
    <figure
      class="waterfall"
      tabIndex={0}
      aria-label="Cash between two snapshots as a waterfall; the same numbers are written below each bar"
    >
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width={WIDTH}
        height={HEIGHT}
        role="img"
        aria-label="Waterfall of cash"
      >
        {bars.map(({ name, label, value, from, to, isTotal }, index) => (
          <g key={name}>
            <rect
              x={index * STEP + 12}
              width={STEP - 24}
              y={Math.min(y(from), y(to))}
              height={Math.max(2, Math.abs(y(from) - y(to)))}
              class={isTotal ? 'total' : name === 'residual' ? 'unexplained' : value < 0 ? 'out' : 'in'}
            />
            <text x={index * STEP + STEP / 2} y={HEIGHT - 22}>
              {label}
            </text>
            <text x={index * STEP + STEP / 2} y={HEIGHT - 6} class="value">
              {cash[name] === null ? 'unknown' : grouped(Math.round(value))}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  )
}
