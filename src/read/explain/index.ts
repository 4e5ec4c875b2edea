export type { Difference } from './difference.js'
export { type Explanation, explainAccount } from './explain.js'
