/** A second copy of the SDK, like in the node_modules of a third-party plugin: compiled, in a separate folder. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../../scripts/workspaces.mjs'

export interface SecondCopy {
  /** Writes a file of a plugin next to the copy; returns its path. */
  readonly write: (name: string, source: string) => string
  readonly folder: string
  readonly remove: () => void
}

export function secondCopy(): SecondCopy {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-copy-'))
  const modules = join(folder, 'node_modules')
  const sdk = join(modules, '@gateway', 'sdk')
  mkdirSync(sdk, { recursive: true })
  compile(folder)
  renameSync(join(folder, 'out', 'sdk', 'src'), join(sdk, 'dist'))
  const manifest = JSON.parse(readFileSync(join(root, 'sdk', 'package.json'), 'utf8')) as {
    exports: Record<string, Record<string, string>>
  }
  for (const target of Object.values(manifest.exports)) delete target['@gateway/source']
  writeFileSync(join(sdk, 'package.json'), JSON.stringify(manifest))
  for (const name of ['typebox', 'croner', 'yaml']) symlinkSync(join(root, 'node_modules', name), join(modules, name))
  return {
    folder,
    write(name, source) {
      const file = join(folder, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, source)
      return file
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function compile(folder: string): void {
  const config = join(folder, 'tsconfig.json')
  const compilerOptions = { noEmit: false, noCheck: true, declaration: false, rootDir: root, outDir: join(folder, 'out') }
  const types = { typeRoots: [join(root, 'node_modules', '@types')] }
  const files = ['index', 'cron'].map((name) => join(root, 'sdk', 'src', `${name}.ts`))
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions: { ...compilerOptions, ...types }, files, include: [] }),
  )
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', config], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stdout)
}
