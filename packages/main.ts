import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../src/package.js'
import { PACKAGES } from './definitions.js'
import { installWithNpm, measureInstallation } from './install.js'
import { packPackage } from './pack.js'

/** `make packages`: writes the tarballs to packages/tarballs, installs each with npm and prints what that takes. */
const destination = join(packageRoot, 'packages', 'tarballs')
rmSync(destination, { recursive: true, force: true })
mkdirSync(destination)

for (const definition of PACKAGES) {
  const tarball = packPackage(packageRoot, definition, destination)
  const folder = mkdtempSync(join(tmpdir(), `${definition.name}-installed-`))
  try {
    installWithNpm(tarball, folder)
    const { packages, megabytes } = measureInstallation(folder)
    process.stdout.write(
      [
        tarball.file.slice(packageRoot.length + 1),
        `  ${kilobytes(tarball.packedBytes)} packed, ${kilobytes(tarball.unpackedBytes)} unpacked`,
        `  installed with its dependencies: ${megabytes} MB, ${packages} packages`,
        `  depends on ${Object.keys(tarball.manifest.dependencies).join(', ')}`,
        '',
      ].join('\n'),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000).toLocaleString('en')} kB`
}
