import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** The checkout of the gateway that this command runs in; none when it was installed from npm. */
export function checkout(): string | undefined {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'scripts', 'pack.mjs'))) return folder
    if (dirname(folder) === folder) return undefined
  }
}

/**
 * Pack what a plugin is built and tested with as npm would publish it, and put the tarballs into `folder`. By package name: the file.
 * A link into the checkout would not do: npm would look up what the packages there depend on, and a build for running has no types.
 */
export async function packCheckout(from: string, folder: string): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(from, 'scripts', 'pack.mjs'), folder, 'sdk', 'kernel'])
  const files = stdout
    .trim()
    .split('\n')
    .map((path) => basename(path))
  return new Map(files.map((file) => [file.replace(/^gateway-(.*)-\d+\.\d+\.\d+.*\.tgz$/, '@gateway/$1'), file]))
}
