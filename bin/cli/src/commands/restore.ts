import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { embeddedStore, storeNamed } from '@gateway/defaults/stores'
import type { StoreKind } from '@gateway/kernel'
import { CommandError, EXIT, jsonOption } from '@gateway/sdk/command'
import type { Settings } from '@gateway/settings'
import type { Manifest } from '../backup/manifest.ts'
import { restoreFiles, verifyParts } from '../backup/restore-files.ts'
import { backupSource } from '../backup/source.ts'
import { defineCommand } from '../command.ts'
import type { Finding } from '../doctor/finding.ts'

export default defineCommand({
  summary: 'Restore a backup into an empty data folder, and check it.',
  usage: '<backup> [--to FOLDER]',
  details: [
    'Every file is held against its hash before anything is put in its place; then the store, the keys, the audit trail and the brains',
    'are checked. A folder with something in it is refused, so no gateway can be running there.',
    'Files of the root (the config file, the list of managed repos) are restored to `root` in the data folder.',
    'A backup without the store, for one on a server, is restored in the same way; restore the database with its own tool first.',
  ].join('\n'),
  options: {
    to: { type: 'string', value: 'FOLDER', description: 'Data folder to create. Default: GATEWAY_DATA_DIR.' },
    ...jsonOption,
  },
  async run({ values, positionals: [name, ...others], env, cwd, output, plugins }) {
    if (name === undefined || others.length > 0)
      throw new CommandError(EXIT.usage, 'Expected a backup: `gateway restore <folder or file> [--to FOLDER]`.')
    const source = await backupSource({ env, cwd, plugins })
    const backup = resolve(cwd, name)
    const dataDir = values.to === undefined ? source.settings.dataDir : resolve(cwd, values.to)
    const manifest = await restoreFiles(backup, dataDir)
    const faults = [...(await checked({ ...source.settings, dataDir }, manifest.store)), ...(await verifyParts(source.parts, dataDir))]
    if (values.json) output.json({ dataDir, faults, ...manifest, files: manifest.files.length })
    else {
      output.line(`${dataDir}: ${manifest.files.length} files of ${manifest.from.host}, as of ${manifest.begun}`)
      for (const fault of faults) output.line(output.paint(fault, 'bad'))
      for (const sentence of nextSteps(dataDir, manifest, source.store)) output.line(sentence)
    }
    return faults.length === 0 ? EXIT.ok : EXIT.failure
  },
})

/** Returns the problems of the folder, as `gateway doctor` would report them. */
async function checked(settings: Settings, store: string): Promise<readonly string[]> {
  const [{ checkAudit }, { checkKeys }, { checkStore }, { runCheck }] = await Promise.all([
    import('../doctor/audit.ts'),
    import('../doctor/keys.ts'),
    import('../doctor/store.ts'),
    import('../doctor/run-check.ts'),
  ])
  const inFolder = embeddedStore.at(`${embeddedStore.name}:${settings.dataDir}`, settings, '/') ?? settings
  const found: Finding[] = [...(await runCheck('audit trail', () => checkAudit(inFolder)))]
  if (store === embeddedStore.name) {
    found.push(...(await runCheck('store', () => checkStore(inFolder, []))))
    found.push(...(await runCheck('keys', () => checkKeys(inFolder))))
  }
  return found.filter(({ outcome }) => outcome === 'fail').map(({ check, detail }) => `${check}: ${detail}`)
}

/** `chosen` is the store that a start in this environment would use. */
function nextSteps(dataDir: string, { store, environment }: Manifest, chosen: StoreKind): string[] {
  const root = join(dataDir, 'root')
  const others = environment.filter((name) => !['GATEWAY_DATA_DIR', 'GATEWAY_ROOT', 'GATEWAY_CONFIG'].includes(name))
  return [
    `To run it: GATEWAY_DATA_DIR=${dataDir}${existsSync(root) ? ` GATEWAY_ROOT=${root}` : ''} gateway start`,
    ...(others.length > 0 ? [`It ran with these variables, whose values are not in a backup: ${others.join(', ')}`] : []),
    ...restoreStore(storeNamed(store)),
    ...(store === embeddedStore.name && !chosen.isEmbedded
      ? [`${chosen.variable} is set, and a start would use that: unset it, or bring the store there with \`gateway migrate --to\`.`]
      : []),
  ]
}

function restoreStore(kind: StoreKind | undefined): string[] {
  if (kind === undefined || !('restoreTool' in kind.backup)) return []
  return [`Its store was a ${kind.title}: restore that with \`${kind.backup.restoreTool}\`, and set ${kind.variable}.`]
}
