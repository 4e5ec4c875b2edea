import { expect, test } from 'vitest'
import { releaseProblems } from '../../build/release-problems.js'

const READY = {
  version: '0.2.0',
  branch: 'main',
  changes: '',
  tags: ['v0.1.0'],
  changelog: '# Changelog\n\n## 0.2.0\n\n- new\n\n## 0.1.0\n',
}

test('a clean main whose version is the newest of the changelog and has no tag can be released', () => {
  expect(releaseProblems(READY)).toEqual([])
})

test.each([
  ['a version that is not a release', { version: '0.2.0-rc.1' }, /not MAJOR\.MINOR\.PATCH/],
  ['another branch', { branch: 'topic' }, /branch is topic/],
  ['changes that are not committed', { changes: ' M README.md' }, /not committed/],
  ['a tag that exists', { tags: ['v0.2.0'] }, /v0\.2\.0 exists/],
  ['a changelog of another version', { changelog: '## Unreleased\n' }, /begins with Unreleased/],
])('%s is refused', (_, change, reason) => {
  expect(releaseProblems({ ...READY, ...change }).join('\n')).toMatch(reason)
})
