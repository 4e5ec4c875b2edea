import { folderWith } from 'candlehouse-foundation/package'

export { packageVersion } from 'candlehouse-foundation/package'

/** Folder with package.json, sql/ and data/reference/. It is the same for code that runs from src/ and from dist/. */
export const packageRoot: string = folderWith('package.json', import.meta.url)
