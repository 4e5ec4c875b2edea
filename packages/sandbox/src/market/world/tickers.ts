import { mix } from './hash.js'

/** Large names of each board, so that a demo reads like the market it stands for; their figures are made up. */
export const DEMO_TICKERS = {
  HOSE: [
    'ACB',
    'BCM',
    'BID',
    'CTG',
    'DGC',
    'FPT',
    'GAS',
    'GVR',
    'HDB',
    'HPG',
    'LPB',
    'MBB',
    'MSN',
    'MWG',

    'PLX',
    'SAB',
    'SHB',
    'SSB',
    'SSI',
    'STB',
    'TCB',
    'TPB',
    'VCB',
    'VHM',
    'VIB',
    'VIC',
    'VJC',
    'VNM',

    'VPB',
    'VRE',
    'DCM',
    'GMD',
    'NLG',
    'REE',
  ],
  HNX: ['CEO', 'IDC', 'MBS', 'NTP', 'PVS', 'SHS', 'TNG', 'VCS'],
  UPCOM: ['ACV', 'BSR', 'MCH', 'OIL', 'QNS', 'VEA', 'VGI', 'VTP'],
  ETF: ['E1VFVN30', 'FUEVFVND', 'FUESSVFL', 'FUEVN100'],
} as const

/** More funds of the full universe: seventeen ETFs and four closed-end funds in all. */
export const MORE_FUNDS = [
  'FUEMAV30',
  'FUESSV30',
  'FUESSV50',
  'FUEKIV30',
  'FUEKIVFS',
  'FUEDCMID',
  'FUEBFVND',
  'FUEIP100',

  'FUEKIVND',
  'FUEMAVND',
  'FUEABVND',
  'FUEFCV50',
  'FUETCC50',
  'FUCVREIT',
  'FUCTVGF3',
  'FUCTVGF4',
  'FUCTVGF5',
] as const

const LETTERS = 'ABCDEGHIKLMNPQRSTUVX'

/** `count` three-letter codes that are not in `taken`, always the same ones. */
export function moreTickers(count: number, usedSymbols: ReadonlySet<string>): string[] {
  const tickers = new Set<string>()
  for (let i = 0; tickers.size < count; i++) {
    const h = mix(i, 0x51ed, 7)
    const ticker = [h & 0xff, (h >>> 8) & 0xff, (h >>> 16) & 0xff]
      .map((byte) => LETTERS[byte % LETTERS.length] ?? 'A')
      .join('')
    if (!usedSymbols.has(ticker)) tickers.add(ticker)
  }
  return [...tickers]
}
