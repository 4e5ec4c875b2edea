export { acceptBreaks } from './accept.js'
export { audit } from './audit.js'
export type { Verdict } from './judge.js'
export { type AuditScope, runsToJudge, scopeOf } from './scope.js'
