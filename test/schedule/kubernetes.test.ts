import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { backfill } from '../../jobs/backfill.js'
import { nightly } from '../../jobs/nightly.js'
import { packageRoot, packageVersion } from '../../src/package.js'
import { kubernetesManifests } from '../../src/schedule/kubernetes.js'
import { jobArguments } from '../../src/schedule/place.js'
import { temporaryFolder } from '../support/folder.js'
import { cli } from '../support/program.js'

const jobs = [nightly, backfill]
const IMAGE = 'registry.example:5000/desk/candlehouse:1'
const text = kubernetesManifests(jobs, IMAGE)
const cronJobs = text.split('---\n').filter((document) => document.includes('kind: CronJob'))

const python = process.env.PYTHON || 'python3'
const hasValidator = spawnSync(python, ['-c', 'import kubernetes_validate']).status === 0

describe('manifests for Kubernetes', () => {
  test('are one CronJob per job, in its zone, never two at once, without a second try', () => {
    expect(cronJobs).toHaveLength(jobs.length)
    for (const [index, job] of jobs.entries()) {
      const manifest = cronJobs[index] ?? ''
      for (const line of [
        `  name: candlehouse-${job.name}`,
        `  schedule: "${job.schedule}"`,
        '  timeZone: Asia/Ho_Chi_Minh',
        '  concurrencyPolicy: Forbid',
        '      backoffLimit: 6',
        `              image: "${IMAGE}"`,
        `              args: ${JSON.stringify(jobArguments(job))}`,
      ])
        expect(manifest.split('\n')).toContain(line)
    }
  })

  test('use the user and the home of the image, and a secret that must exist', () => {
    const image = readFileSync(join(packageRoot, 'Dockerfile'), 'utf8')
    const [, user = ''] = /^USER (\d+):\1$/m.exec(image) ?? []
    const [, home = ''] = /CANDLEHOUSE_HOME=(\S+)/.exec(image) ?? []
    expect(image).toContain(`VOLUME ${home}\n`)
    for (const manifest of cronJobs) {
      expect(manifest).toContain(
        `runAsUser: ${user}\n            runAsGroup: ${user}\n            fsGroup: ${user}\n`,
      )
      expect(manifest).toContain(`- name: home\n                  mountPath: ${home}\n`)
      expect(manifest).toContain('- secretRef:\n                    name: candlehouse\n')
      expect(manifest).not.toContain('optional')
    }
  })

  test.skipIf(!hasValidator)(
    `match the schema of Kubernetes (needs kubernetes-validate in ${python}; PYTHON names another)`,
    () => {
      const file = join(temporaryFolder(), 'candlehouse.yaml')
      writeFileSync(file, kubernetesManifests(jobs, 'odd "image": name'))
      const program = `import sys, yaml, kubernetes_validate
for document in yaml.safe_load_all(open(sys.argv[1])):
    kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)
    print(document["kind"])`
      const { status, stdout, stderr } = spawnSync(python, ['-c', program, file], { encoding: 'utf8' })
      expect(status, stderr).toBe(0)
      expect(stdout).toBe('PersistentVolumeClaim\nCronJob\nCronJob\n')
    },
  )

  test('name the image of this version, or the one that is given', async () => {
    const cwd = temporaryFolder()
    const args = ['schedule', 'print', 'k8s']
    const image = `image: "candlehouse:${packageVersion}"`
    expect((await cli(args, { cwd })).stdout.split(image)).toHaveLength(4)
    expect((await cli([...args, '--image', IMAGE], { cwd })).stdout).toContain(`image: "${IMAGE}"`)
  })
})
