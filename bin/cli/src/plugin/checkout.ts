import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** Returns the checkout of the gateway that this command runs in, or `undefined` if it was installed from npm. */
export function checkout(): string | undefined {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'scripts', 'pack.mjs'))) return folder
    if (dirname(folder) === folder) return undefined
  }
}

/**
 * Packs the packages that a plugin is built and tested with as npm would publish them, and puts the tarballs into `folder`.
 * Returns the file by package name. A link into the checkout would not do: npm would look up the dependencies of the packages
 * there, and a build for running has no types.
 */
export async function packCheckout(from: string, folder: string): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(from, 'scripts', 'pack.mjs'), folder, 'sdk', 'kernel'])
  const files = stdout
    .trim()
    .split('\n')
    .map((path) => basename(path))
  return new Map(files.map((file) => [file.replace(/^gateway-(.*)-\d+\.\d+\.\d+.*\.tgz$/, '@gateway/$1'), file]))
}
