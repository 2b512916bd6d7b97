import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { jsonOption } from '../args.ts'
import { defineCommand } from '../command.ts'
import { CliError, EXIT } from '../exit.ts'

export default defineCommand({
  summary: 'Copy the store into one file, also while the service runs.',
  usage: '<file>',
  details: [
    'The copy is one consistent moment of the store and appears under its name only when it is whole. An existing file is refused.',
    'To restore: with no gateway running on the data folder, remove `store/` in it, then put the copy there as `store/gateway.db`.',
    'Keep a copy of the folder `keys` as well (without it API keys are worthless), and of `audit` if you must prove the past.',
  ].join('\n'),
  options: jsonOption,
  async run({ values, positionals: [file, ...others], env, cwd, output }) {
    if (file === undefined || others.length > 0) throw new CliError(EXIT.usage, 'Expected one file to write to: `gateway backup <file>`.')
    const { loadSettings } = await import('@gateway/settings')
    const settings = loadSettings({ env, cwd })
    if (settings.mongodbUrl !== undefined)
      throw new CliError(EXIT.failure, 'The store is the MongoDB of MONGODB_URL; back it up with `mongodump`.')
    const source = join(settings.dataDir, 'store', 'gateway.db')
    if (!existsSync(source)) throw new CliError(EXIT.failure, `There is no store at ${source} yet; is GATEWAY_DATA_DIR right?`)
    const target = resolve(cwd, file)
    await copy(source, target)
    const { size } = await stat(target)
    if (values.json) output.json({ file: target, bytes: size })
    else output.line(`${target}: ${size} bytes`)
    return EXIT.ok
  },
})

/** On this thread: the command has nothing else to do meanwhile. */
async function copy(source: string, target: string): Promise<void> {
  const [{ backup }, { loadDriver }, { openReader }] = await Promise.all([
    import('@gateway/storage-sqlite'),
    import('@gateway/storage-sqlite'),
    import('@gateway/storage-sqlite'),
  ])
  const driver = await loadDriver()
  try {
    const reader = openReader(driver, source)
    try {
      await backup({ rows: async ({ sql, params }) => reader.all(sql, params) }, target)
    } finally {
      reader.close()
    }
  } catch (error) {
    throw new CliError(EXIT.failure, (error as Error).message)
  }
}
