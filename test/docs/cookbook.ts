/** The questions of docs/cookbook.md, each with its one statement: as the server of assistants reads them. */
export { type Recipe, recipes } from '../../src/mcp/packaged-docs.js'
