import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { readable } from './readable.js'
import { warehouseOf } from './world.js'

interface PlanNode {
  name: string
  extra_info: Record<string, unknown>
  children: PlanNode[]
}

/** Conditions of joins that compare every row of one side with every row of the other, although they name a key. */
function pairwiseJoins(node: PlanNode): string[] {
  const condition = String(node.extra_info.Condition ?? '')
  const isPairwise = node.name === 'BLOCKWISE_NL_JOIN' && /\((\w+) = \w+\)/.test(condition)
  return [...(isPairwise ? [condition] : []), ...node.children.flatMap(pairwiseJoins)]
}

/**
 * DuckDB does this where an outer join has a condition on one side's columns beside its key. On five years of three accounts it took
 * two thirds of `mart.account_equity_curve`, and four times as long on twice the days.
 */
test('no view and no macro compares every row with every other where it has a key', async () => {
  const session = await warehouseOf(join(packageRoot, 'test/cases/mart/daily/with-and-without-limits'))
  const names = await session.column<string>(readable('2025-03-14'))
  const pairwise: string[] = []
  for (const name of names) {
    const [plan] = await session.rows<{ explain_value: string }>(`EXPLAIN (FORMAT json) FROM ${name}`)
    const nodes = JSON.parse(plan?.explain_value ?? '[]') as PlanNode[]
    expect(nodes, name).not.toEqual([])
    pairwise.push(...nodes.flatMap(pairwiseJoins).map((condition) => `${name}: ${condition}`))
  }
  expect(pairwise).toEqual([])
})
