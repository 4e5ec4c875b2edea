import { covered, type Row, type RuleCase } from '../world.js'

const ID = '20250314T110000000Z-abcd'
const page = (number: number, over: Row = {}): Row => ({
  request_id: `${ID}-00000${number}`,
  run_id: ID,
  dataset: 'masterdata',
  walk: `${ID}-w000001`,
  page: number,
  row_count: '1000',
  items_count: '1700',
  pages_count: '2',
  page_size: '1000',
  ...over,
})
const answer = (over: Row = {}): Row => covered('masterdata', { request_id: `${ID}-000002`, ...over })
const given = (pages: readonly Row[], coverage: Row = answer()) => ({
  'ops.request': pages,
  'ops.coverage': [coverage],
})
const short = { state: 'incomplete', reason: '1600 rows where itemsCount says 1700' }
const shortAnswer = (over: Row) => ({
  relation: 'market.price_limit',
  key: { dataset: 'masterdata', key: '*', timeframe: '', trading_date: '2025-03-14' },
  ...over,
})

export default {
  rule: 21,
  holds: [
    { when: 'all that was counted came', given: given([page(1), page(2, { row_count: '700' })]) },
    {
      when: 'pages slid: one record came twice, and the answer is complete',
      given: given([page(1), page(2, { row_count: '701' })]),
    },
    {
      when: 'the service tells the page size that was asked and serves less',
      given: given(
        [1, 2, 3].map((each) => page(each, { row_count: '500', items_count: '1500', pages_count: '3' })),
        answer({ request_id: `${ID}-000003` }),
      ),
    },
    {
      when: 'the page after the last one counts nothing',
      given: given(
        [
          page(1),
          page(2, { row_count: '700' }),
          page(3, { row_count: '0', items_count: '0', pages_count: '0' }),
        ],
        answer({ request_id: `${ID}-000003` }),
      ),
    },
    {
      when: 'it was asked before the session closed, or holds rejected records',
      given: {
        'ops.request': [page(1), page(2, { row_count: '700' })],
        'ops.coverage': [
          answer({ state: 'incomplete', reason: 'asked before the session closed' }),
          answer({ key: 'X', state: 'incomplete', reason: '3 records rejected' }),
        ],
      },
    },
  ],
  breaks: [
    {
      when: 'fewer came than were counted',
      given: given([page(1), page(2, { row_count: '600' })], answer(short)),
      offenders: [
        shortAnswer({
          expected: '1700 rows on 2 pages',
          actual: '1600 rows on 2 pages: 1600 rows where itemsCount says 1700',
          residual: '-100.0000',
        }),
      ],
    },
    {
      when: 'pages slid: as many came as were counted, some of them twice',
      given: given([page(1), page(2, { row_count: '700' })], answer(short)),
      offenders: [shortAnswer({ residual: '0.0000' })],
    },
    {
      when: 'the count changed on the way',
      given: given(
        [page(1), page(2, { row_count: '700', items_count: '1701' })],
        answer({ state: 'incomplete', reason: 'count changed: itemsCount 1700, then 1701' }),
      ),
      offenders: [shortAnswer({ actual: '1700 rows on 2 pages: count changed: itemsCount 1700, then 1701' })],
    },
    {
      when: 'a page was refused on the way',
      given: given(
        [page(1), page(2, { row_count: '0', items_count: null })],
        answer({ state: 'incomplete', reason: 'page 2 refused: 500' }),
      ),
      offenders: [shortAnswer({ actual: '1000 rows on 2 pages', residual: '-700.0000' })],
    },
  ],
  flags: [
    {
      when: 'all came, on another number of pages than told',
      given: given([page(1, { pages_count: '7' }), page(2, { row_count: '700', pages_count: '7' })]),
      offenders: [shortAnswer({ expected: '1700 rows on 7 pages', actual: '1700 rows on 2 pages' })],
    },
  ],
  silent: [
    {
      when: 'the service does not count',
      given: given([page(2, { items_count: null, pages_count: null })]),
      note: /show how many records there are/,
    },
    {
      when: 'the service refused the session',
      given: given([page(2, { row_count: '0' })], answer({ state: 'refused', reason: '400 too old' })),
      note: /show how many records there are/,
    },
    {
      when: 'the answer is of a run whose pages are not held',
      given: { 'ops.coverage': [answer()] },
      note: /show how many records there are/,
    },
  ],
} satisfies RuleCase
