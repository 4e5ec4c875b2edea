export { definitions } from './marts/described.js'
export { type Publication, publish } from './publication.js'
export { repairNotes } from './repairs.js'
export { type Swept, sweepLake } from './sweep-lake.js'
