import { counted } from 'candlehouse-foundation/number-text'
import type { Diagnosis } from '../../doctor/index.js'

const MARKS = { ok: 'ok  ', note: 'note', fail: 'FAIL' } as const

/** One line per check, with its meaning and what to type below it; the outcome last. */
export function renderDiagnoses(diagnoses: readonly Diagnosis[]): string {
  const widest = Math.max(...diagnoses.map(({ check }) => check.length))
  const indent = ' '.repeat(widest + 8)
  const lines = diagnoses.flatMap(({ check, state, finding, meaning, next }) => [
    `${MARKS[state]}  ${check.padEnd(widest)}  ${finding}`,
    ...(meaning === null ? [] : [`${indent}${meaning}`]),
    ...(next?.split('\n') ?? []).map((line) => `${indent}next: ${line}`),
  ])
  const failures = diagnoses.filter(({ state }) => state === 'fail').length
  const outcome =
    failures === 0
      ? withoutFailure(diagnoses)
      : `${counted(failures, 'check fails', 'checks fail')}: repair the first one, then run candlehouse doctor again`
  return [...lines, '', outcome].join('\n')
}

function withoutFailure(diagnoses: readonly Diagnosis[]): string {
  const isAdvised = diagnoses.some(({ next }) => next)
  return isAdvised ? 'no check fails; "next:" says what to type' : 'nothing must be repaired'
}
