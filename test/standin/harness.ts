// What the tests of the stand-in share: one running service and a client of global fetch.

import { type StandIn, startStandIn } from './index.js'
import type { StandInOptions } from './options.js'

export const JSON_TYPE = { 'Content-Type': 'application/json' }
export const SUMMARY = { from: '2025/03/03', to: '2025/03/07' }
export const OHLC = { symbol: 'HPG', from: '2025/03/03 00:00:00', to: '2025/03/07 23:59:59' }

export type Body = Record<string, unknown>[] & { data: Record<string, unknown>[] }

export const at = {} as { standIn: StandIn; token: string }

export const login = async (body: object = {}) => {
  const { apiKey, apiSecret } = at.standIn
  const answer = await fetch(`${at.standIn.url}/api/v3/auth/token`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ apiKey, apiSecret, ...body }),
  })
  const tokens = (await answer.json()) as { accessToken: string; refreshToken: string }
  return { ...tokens, status: answer.status }
}

export const start = async (options: Partial<StandInOptions> = {}, body: object = {}) => {
  at.standIn = await startStandIn(options)
  at.token = (await login(body)).accessToken
}

export const raw = (path: string, query: Record<string, string> = {}) =>
  fetch(`${at.standIn.url}/api/v3/${path}?${new URLSearchParams(query)}`, {
    headers: { ...JSON_TYPE, Authorization: `Bearer ${at.token}` },
  })

export const get = async (path: string, query: Record<string, string> = {}) => {
  const answer = await raw(path, query)
  return { status: answer.status, body: (await answer.json()) as Body }
}

export const rows = async (path: string, query: Record<string, string>) =>
  (await get(path, { pageSize: '1000', ...query })).body.data
