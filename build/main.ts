import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../src/package.js'
import { installWithNpm, measureInstallation } from './install.js'
import { PACKAGES, packPackage } from './pack.js'

/** `make packages`: writes the tarballs to dist/tarballs, installs each with npm and prints what that takes. */
const destination = join(packageRoot, 'dist', 'tarballs')
rmSync(destination, { recursive: true, force: true })
mkdirSync(destination)

for (const path of PACKAGES) {
  const tarball = packPackage(join(packageRoot, path), destination)
  const folder = mkdtempSync(join(tmpdir(), `${tarball.manifest.name}-installed-`))
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
