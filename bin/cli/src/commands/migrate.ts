import { chosenStore, storeKinds } from '@gateway/defaults/stores'
import type { CollectionRef } from '@gateway/sdk'
import { CommandError, type CommandOptions, EXIT, type ExitCode, isCommandError, jsonOption } from '@gateway/sdk/command'
import type { Settings } from '@gateway/settings'
import type { Comparison } from '@gateway/storage'
import { defineCommand, type Invocation } from '../command.ts'
import { openSource, openTarget, type Target, targetAt } from '../migration-stores.ts'
import { onlyNamed } from '../named-folder.ts'

const options = {
  to: { type: 'string', value: 'STORE', description: `${storeKinds.map(({ form }) => form).join(' or ')}.` },
  finish: { type: 'boolean', description: 'Make the last pass; the service must be stopped.' },
  leave: { type: 'string', multiple: true, value: 'COLLECTION', description: 'Skip a collection that no plugin declares.' },
  ...jsonOption,
} as const satisfies CommandOptions

export default defineCommand({
  summary: 'Copy the store to a database of another kind, also while the service runs.',
  usage: '--to <store> [--finish]',
  details: [
    'The store in the settings is copied and not changed. Run it first while the service runs: it copies, then catches up with later changes. After an interruption it continues where it stopped.',
    'Then stop the service (every node of it) and run it again with --finish: it copies the rest, reads both sides again and compares number and digest of every collection. Only then does a gateway start on the copy.',
    'The target must be empty. Keys and the audit trail are files in the data folder and stay there.',
  ].join('\n'),
  options,
  async run(invocation) {
    const { values, positionals, env, cwd } = invocation
    if (positionals.length > 0 || values.to === undefined) throw new CommandError(EXIT.usage, USAGE)
    const [{ loadSettings }, { everyPlugin, kernelRecords }, { adapters }] = await Promise.all([
      import('@gateway/settings'),
      import('@gateway/kernel'),
      import('@gateway/defaults'),
    ])
    const settings = loadSettings({ env, cwd })
    const target = targetAt(values.to, settings, cwd)
    if (target === undefined) throw new CommandError(EXIT.usage, USAGE)
    const builtIn = await invocation.plugins()
    const { leftOut, file } = onlyNamed(settings, { env, cwd }, builtIn)
    if (leftOut.length > 0) {
      throw new CommandError(
        EXIT.failure,
        `${file} loads ${leftOut.join(', ')}, but the file was not named. If it is yours, name it: GATEWAY_CONFIG=${file}`,
      )
    }
    // Includes plugins that are switched off: their data is migrated too.
    const plugins = await everyPlugin(builtIn, settings)
    const collections = [...kernelRecords(adapters.parts), ...plugins.flatMap((plugin) => plugin.collections)]
    return migrate(invocation, settings, target, collections)
  },
})

const USAGE = `Expected where to: ${storeKinds.map(({ form }) => `\`gateway migrate --to ${form}\``).join(' or ')}.`

async function migrate(
  { values, output, env }: Invocation<typeof options>,
  settings: Settings,
  target: Target,
  collections: readonly CollectionRef[],
): Promise<ExitCode> {
  const { checkTarget, copy, finish, undeclared } = await import('@gateway/storage')
  const source = await foreseen(() => openSource(settings, values.finish ?? false, env))
  try {
    const strange = (await undeclared(source.rows, collections)).filter((id) => !values.leave?.includes(id))
    if (strange.length > 0)
      throw new CommandError(
        EXIT.failure,
        `No plugin here declares ${strange.join(', ')}. Install what does, or leave it behind with --leave ${strange[0]}.`,
      )
    const opened = await foreseen(() => openTarget(target, collections, (rows) => checkTarget(source.rows, rows)))
    try {
      const copying = {
        sides: { source: source.rows, target: opened.rows, writer: opened.writer },
        collections,
        now: () => new Date(),
        progress: ({ pass, collection, documents, changed }: { pass: number; collection: string; documents: number; changed: number }) => {
          if (!values.json && documents + changed > 0) output.line(`pass ${pass}  ${collection}  ${documents} read, ${changed} put right`)
        },
      }
      if (!values.finish) {
        const outcome = await foreseen(() => copy(copying))
        if (values.json) output.json({ finished: false, ...outcome })
        else
          output.line(
            `Copied; ${outcome.lastChanged} documents changed during the last pass. Stop the service, then run this again with --finish.`,
          )
        return EXIT.ok
      }
      const compared = await foreseen(() => finish(copying))
      const equal = compared.every((one) => one.equal)
      if (values.json) output.json({ finished: equal, collections: compared })
      else {
        output.table(compared.filter(hasData).map(row), ['collection', 'documents', 'digest', ''])
        output.line(equal ? next(settings, target) : 'The two differ, and the copy stays marked as unfinished. Is a service still running?')
      }
      return equal ? EXIT.ok : EXIT.failure
    } finally {
      await opened.close()
    }
  } finally {
    await source.close()
  }
}

const hasData = ({ documents, equal }: Comparison): boolean => documents > 0 || !equal

function row({ collection, documents, digest, equal, example }: Comparison) {
  return [
    collection,
    String(documents),
    digest.slice(0, 16),
    equal ? { text: 'equal', tone: 'good' as const } : { text: `differs: ${example}`, tone: 'bad' as const },
  ]
}

function next(source: Settings, { kind, settings }: Target): string {
  if (!kind.isEmbedded)
    return `All equal. Set ${kind.variable} to the target and start; the data folder stays, for keys and the audit trail.`
  const moved =
    settings.dataDir === source.dataDir
      ? ''
      : ` Copy keys/ and audit/ from ${source.dataDir}, and set GATEWAY_DATA_DIR to ${settings.dataDir}.`
  const { variable } = chosenStore(source)
  return `All equal. ${variable === undefined ? 'Start' : `Unset ${variable} and start`}.${moved}`
}

/** Turns an error of a store into a sentence for the person at the terminal: it is not a fault of the program. */
async function foreseen<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isCommandError(error) ? error : new CommandError(EXIT.failure, (error as Error).message)
  }
}
