import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from '@gateway/sdk'
import { holdAgainstSnapshot } from '@gateway/testing'
import type { Row } from '../../test/catalogue/catalogue.ts'
import { catalogueText } from '../references/catalogue.ts'
import type { Family } from './family.ts'
import { familyFiles } from './family-files.ts'
import { withArea, withDependency, withImport, withQuestion, withRows, withWorkspace } from './lists.ts'

/** Every list that names a family and that cannot be derived. */
const lists = {
  'plugins/standard/src/index.ts': withImport,
  'plugins/standard/src/areas.ts': withArea,
  'plugins/standard/package.json': withDependency,
  'package-lock.json': withWorkspace,
  'test/catalogue/tools.json': withRows,
  'test/catalogue/questions.json': withQuestion,
}

/** Writes the family and its list entries, links it as npm would, and takes its snapshots. Needs no network. */
export async function writeFamily(root: string, family: Family): Promise<void> {
  const folder = join(root, 'plugins', family.id)
  for (const [path, text] of familyFiles(family)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [path, add] of Object.entries(lists)) writeFileSync(join(root, path), add(readFileSync(join(root, path), 'utf8'), family))
  const link = join(root, 'node_modules/@gateway', `plugin-${family.id}`)
  if (!existsSync(link)) symlinkSync(join('../../plugins', family.id), link)
  format(root, [folder, ...Object.keys(lists).filter((path) => path !== 'package-lock.json')])
  const { default: plugin } = (await import(pathToFileURL(join(folder, 'src/index.ts')).href)) as { default: Plugin }
  const rows = join(root, 'test/catalogue/tools.json')
  writeFileSync(rows, catalogueText(JSON.parse(readFileSync(rows, 'utf8')) as Row[], [plugin]))
  const snapshots = join(folder, 'test/__snapshots__')
  for (const tool of plugin.tools) await holdAgainstSnapshot(tool, snapshots, { update: true })
}

/** Formatting is needed because names decide line breaks and the order of imports. */
function format(root: string, paths: readonly string[]): void {
  const { status, stderr } = spawnSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', ...paths], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`biome cannot format the new files:\n${stderr}`)
}
