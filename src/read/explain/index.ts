export type { Difference } from './difference.js'
export { type Explanation, explainAccount, explainAccounts } from './explain.js'
