import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CommandError, EXIT, jsonOption } from '@gateway/sdk/command'
import { createBackup } from '../backup/create.ts'
import { backupSource } from '../backup/source.ts'
import { isFile, placed } from '../backup/staging.ts'
import { defineCommand } from '../command.ts'

export default defineCommand({
  summary: 'Back up all data to a folder or one file, also while the service runs.',
  usage: '<folder | file.tar | file.tgz>',
  details: [
    'The store, keys, audit trail, brains and other files of the data folder, the config file and the list of managed repos.',
    'Every call that was answered before it began is in it. It appears under its name only when it is whole, for its owner alone to',
    'read; what exists is never written over. It holds the keys: keep it as you keep those. `gateway restore` puts it back.',
    'Not in it: the values of variables, and models, which can be had again. A store on a server is dumped first with its own tool;',
    'then take the files: `--without-store`.',
  ].join('\n'),
  options: {
    'without-store': { type: 'boolean', description: 'Only the files, for a gateway whose store is on a server.' },
    ...jsonOption,
  },
  async run({ values, positionals: [name, ...others], env, cwd, output, plugins }) {
    if (name === undefined || others.length > 0)
      throw new CommandError(
        EXIT.usage,
        'Expected where to write to: `gateway backup <folder>`, or `gateway backup <file>.tgz` for one file.',
      )
    const source = await backupSource({ env, cwd, plugins })
    const { notLookedAt, store } = source
    const tools = 'dumpTool' in store.backup ? store.backup : undefined
    if (tools && !values['without-store'])
      throw new CommandError(
        EXIT.failure,
        `The store is the ${store.title} of ${store.variable}: dump it with \`${tools.dumpTool}\`, or take a snapshot of its volumes, or stop every gateway first; then take keys, audit trail and brains with \`gateway backup --without-store\`.`,
      )
    const target = resolve(cwd, name)
    const { files, begun } = await placed(target, (folder) => createBackup(source, folder))
    const bytes = isFile(target) ? (await stat(target)).size : files.reduce((sum, file) => sum + file.bytes, 0)
    if (values.json) output.json({ path: target, bytes, files: files.length, begun, store: store.name })
    else {
      output.line(`${target}: ${files.length} files, ${bytes} bytes, as of ${begun}`)
      for (const one of notLookedAt) output.line(`Not asked what to keep: ${one}; name the folder with GATEWAY_CONFIG.`)
      if (tools) output.line(`The store is not in it: keep it with the dump (\`${tools.dumpTool}\`) or snapshot that was made before.`)
    }
    return EXIT.ok
  },
})
