import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../src/package.js'
import { releaseProblems, tagOf } from './release-problems.js'

/**
 * `make release`: `check` ends with 1 where this state cannot be released, before anything slow runs; `tag` checks again
 * and makes the tag, after tests and tarballs. Nothing is pushed or published: it prints the commands for that.
 */
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: packageRoot, encoding: 'utf8' }).trim()
const read = (path: string): string => readFileSync(join(packageRoot, path), 'utf8')

const { version } = JSON.parse(read('package.json')) as { version: string }
const problems = releaseProblems({
  version,
  branch: git('rev-parse', '--abbrev-ref', 'HEAD'),
  changes: git('status', '--porcelain'),
  tags: git('tag', '--list').split('\n'),
  changelog: read('CHANGELOG.md'),
})
for (const problem of problems) process.stderr.write(`release: ${problem}\n`)
if (problems.length > 0) process.exit(1)

if (process.argv[2] === 'tag') {
  git('tag', '--annotate', tagOf(version), '--message', `candlehouse ${version}`)
  process.stdout.write(
    [
      `Tagged ${tagOf(version)}. To publish it:`,
      `  git push origin main ${tagOf(version)}`,
      '  for tarball in dist/tarballs/*.tgz; do npm publish "$tarball"; done',
      '',
    ].join('\n'),
  )
}
