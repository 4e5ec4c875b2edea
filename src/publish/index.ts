export { type Publication, publish } from './publish.js'
