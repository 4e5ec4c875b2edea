export interface ReleaseState {
  readonly version: string
  readonly branch: string
  /** `git status --porcelain`. */
  readonly changes: string
  /** Names of all tags. */
  readonly tags: readonly string[]
  readonly changelog: string
}

/** Why this state of the repository cannot be released, one sentence each; empty when it can. */
export function releaseProblems({ version, branch, changes, tags, changelog }: ReleaseState): string[] {
  const problems: string[] = []
  if (!/^\d+\.\d+\.\d+$/.test(version))
    problems.push(`version ${version} in package.json is not MAJOR.MINOR.PATCH`)
  if (branch !== 'main') problems.push(`the branch is ${branch}, not main`)
  if (changes.trim() !== '') problems.push('there are changes that are not committed')
  if (tags.includes(tagOf(version)))
    problems.push(`tag ${tagOf(version)} exists: raise the version in package.json`)
  const [, newest] = /^## (\S+)/m.exec(changelog) ?? []
  if (newest !== version)
    problems.push(`CHANGELOG.md begins with ${newest ?? 'no version'}, not with ${version}`)
  return problems
}

export function tagOf(version: string): string {
  return `v${version}`
}
