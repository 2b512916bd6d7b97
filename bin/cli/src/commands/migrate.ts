import { chosenStore, markMigrated, storeKinds } from '@gateway/defaults/stores'
import type { CollectionRef } from '@gateway/sdk'
import { CommandError, type CommandOptions, EXIT, type ExitCode, isCommandError, jsonOption } from '@gateway/sdk/command'
import type { Settings } from '@gateway/settings'
import type { Comparison } from '@gateway/storage'
import { besideStore } from '../backup/beside-store.ts'
import { backupSource } from '../backup/source.ts'
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
    'The target must be empty. Keys, the audit trail, brains and other files of plugins stay in the data folder; if the target is another data folder, the command names those to copy there.',
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
    const sayNext = async (): Promise<Next> => nextSteps(settings, target, await filesToCopy(invocation, settings, target))
    return migrate(invocation, { settings, target, collections, sayNext })
  },
})

const USAGE = `Expected where to: ${storeKinds.map(({ form }) => `\`gateway migrate --to ${form}\``).join(' or ')}.`

/** Names of the data folder to copy to that of the target, and the sentence that says so. */
interface Next {
  readonly copy: readonly string[]
  readonly sentence: string
}
interface Migration {
  readonly settings: Settings
  readonly target: Target
  readonly collections: readonly CollectionRef[]
  sayNext(): Promise<Next>
}

async function migrate(
  { values, output, env }: Invocation<typeof options>,
  { settings, target, collections, sayNext }: Migration,
): Promise<ExitCode> {
  const { checkTarget, copy, finish, undeclared } = await import('@gateway/storage')
  const source = await foreseen(() => openSource(settings, values.finish ?? false, env))
  try {
    const strange = (await undeclared(source.rows, collections)).filter((id) => !values.leave?.includes(id))
    if (strange.length > 0)
      throw new CommandError(
        EXIT.failure,
        `No plugin here declares ${strange.join(', ')}. Install the plugin that does, or skip the collection with --leave ${strange[0]}.`,
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
      if (equal) markMigrated(target.kind, target.settings)
      const next = equal ? await sayNext() : { copy: [], sentence: DIFFERENT }
      if (values.json) output.json({ finished: equal, collections: compared, copy: next.copy })
      else {
        output.table(compared.filter(hasData).map(row), ['collection', 'documents', 'digest', ''])
        output.line(next.sentence)
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

const DIFFERENT = 'The two differ, and the copy stays marked as unfinished. Is a service still running?'

/** Returns the names of the data folder that belong to the gateway and not to its store, if the target is another data folder. */
async function filesToCopy(invocation: Invocation<typeof options>, from: Settings, { settings }: Target): Promise<readonly string[]> {
  return settings.dataDir === from.dataDir ? [] : besideStore(from.dataDir, (await backupSource(invocation)).parts)
}

function nextSteps(source: Settings, { kind, settings }: Target, copy: readonly string[]): Next {
  const { variable } = chosenStore(source)
  const steps = [
    ...(copy.length > 0 ? [`copy ${listed(copy)} from ${source.dataDir} to ${settings.dataDir}`] : []),
    ...(settings.dataDir === source.dataDir ? [] : [`set GATEWAY_DATA_DIR to ${settings.dataDir}`]),
    ...(kind.isEmbedded ? [] : [`set ${kind.variable} to the target`]),
    ...(kind.isEmbedded && variable !== undefined ? [`unset ${variable}`] : []),
    'start',
  ]
  const stays = kind.isEmbedded ? '' : ' The data folder stays, for keys, the audit trail, brains and other files of plugins.'
  return { copy, sentence: `All equal. Next: ${steps.join('; ')}.${stays}` }
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** Turns an error of a store into a sentence for the person at the terminal: it is not a fault of the program. */
async function foreseen<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isCommandError(error) ? error : new CommandError(EXIT.failure, (error as Error).message)
  }
}
