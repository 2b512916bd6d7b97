import { resolve } from 'node:path'
import { CommandError, type CommandOptions, EXIT, type ExitCode, jsonOption } from '@gateway/sdk/command'
import { defineCommand, type Invocation } from '../command.ts'
import type { CheckOutcome } from '../plugin/check.ts'

const options = {
  update: { type: 'boolean', description: 'With check: update the snapshots of its tools.' },
  with: {
    type: 'string',
    multiple: true,
    value: 'PLUGIN',
    description:
      'With check: an external plugin that it needs, as a config file in its folder would name it. May be repeated. Built-in plugins that it needs are added without.',
  },
  npm: {
    type: 'boolean',
    description: 'With new: take the SDK from npm, also when the command runs in a checkout of the gateway.',
  },
  ...jsonOption,
} as const satisfies CommandOptions

const USAGE = 'Expected `gateway plugin new <name>` or `gateway plugin check [folder]`.'

export default defineCommand({
  summary: 'Create a plugin package, or check one.',
  usage: 'new <name> | check [folder]',
  details: [
    'new writes a package into the folder <name>: two tools, a collection, a job, a setting, a command and their tests.',
    'In a checkout of the gateway it packs the SDK and the kernel into the new package, because npm may not have them.',
    'check tests a built package against the rules for all plugins: names, schemas, capabilities, declared errors, the snapshots of',
    'its tools in test/__snapshots__, a start and stop, and that tenants are kept apart. For the last it calls the tools on an empty',
    'store, except those that reach outside; a check that so leaves a tool or a collection out is listed as part. The exit code is 1',
    'when a check fails.',
  ].join('\n'),
  options,
  async run(invocation) {
    const [action, argument, ...more] = invocation.positionals
    if (more.length > 0) throw new CommandError(EXIT.usage, USAGE)
    if (action === 'new') return create(argument, invocation)
    if (action === 'check') return check(argument, invocation)
    throw new CommandError(EXIT.usage, USAGE)
  },
})

/** The gateway's own ids and paths under /api: a plugin of such a name could not start. */
const OWN_NAMES = ['gateway', 'tools', 'docs']

async function create(name: string | undefined, invocation: Invocation<typeof options>): Promise<ExitCode> {
  const { values, cwd, output } = invocation
  if (name === undefined || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40) {
    throw new CommandError(EXIT.usage, `Expected a name in kebab-case, like my-notes, of at most 40 characters; got ${name ?? 'none'}.`)
  }
  if (OWN_NAMES.includes(name) || (await invocation.plugins()).some(({ id }) => id === name)) {
    throw new CommandError(EXIT.usage, `${name} is the name of the gateway or of a bundled plugin; choose another.`)
  }
  const { writeScaffold } = await import('../plugin/write-scaffold.ts')
  const folder = resolve(cwd, name)
  const { checkout } = await import('../plugin/checkout.ts')
  const files = await writeScaffold(name, folder, values.npm ? undefined : checkout())
  if (values.json) output.json({ folder, files })
  else {
    output.line(`The plugin ${name} is in ${folder}:`)
    for (const file of files) output.line(`  ${file}`)
    output.line(`Next: cd ${name} && npm install && npm test`)
  }
  return EXIT.ok
}

async function check(folder: string | undefined, invocation: Invocation<typeof options>): Promise<ExitCode> {
  const { values, cwd, output } = invocation
  const { checkPlugin } = await import('../plugin/check.ts')
  const { id, outcomes } = await checkPlugin({
    folder: resolve(cwd, folder ?? '.'),
    builtIn: await invocation.plugins(),
    others: values.with ?? [],
    update: values.update === true,
  })
  const failed = outcomes.filter(({ fault }) => fault !== undefined)
  if (values.json) output.json({ plugin: id, ok: failed.length === 0, checks: outcomes })
  else {
    output.table(outcomes.map(row))
    for (const { promise, fault } of failed) output.line(`\n${promise}:\n  ${(fault ?? '').replaceAll('\n', '\n  ')}`)
    for (const { promise, note } of outcomes) if (note !== undefined) output.line(`\n${promise}, but:\n  ${note.replaceAll('\n', '\n  ')}`)
    output.line(`\n${id}: ${summary(outcomes.length, failed.length, outcomes.filter(({ note }) => note !== undefined).length)}`)
  }
  return failed.length === 0 ? EXIT.ok : EXIT.failure
}

function summary(all: number, failed: number, partial: number): string {
  if (failed > 0) return `${failed} of ${all} checks fail.`
  return partial > 0 ? `no check fails; ${partial} of ${all} could be tried only in part.` : `all ${all} checks pass.`
}

function row({ promise, fault, note }: CheckOutcome) {
  if (fault !== undefined) return [{ text: 'fail', tone: 'bad' } as const, promise]
  return [note === undefined ? ({ text: 'ok', tone: 'good' } as const) : ({ text: 'part', tone: 'warn' } as const), promise]
}
