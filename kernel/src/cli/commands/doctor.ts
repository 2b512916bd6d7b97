import { join } from 'node:path'
import { jsonOption } from '../args.ts'
import { defineCommand, type Invocation } from '../command.ts'
import type { Finding } from '../doctor/finding.ts'
import { EXIT } from '../exit.ts'
import type { Output } from '../output.ts'

export default defineCommand({
  summary: 'Check the installation, the settings and the data, and say what to do.',
  usage: '',
  details: 'Writes nothing, so it may run beside the service. Ends with 1 when a check fails; warnings alone end with 0.',
  options: jsonOption,
  async run(invocation) {
    const { values, output } = invocation
    const found = await examine(invocation)
    const healthy = found.every(({ outcome }) => outcome !== 'fail')
    if (values.json) output.json({ healthy, checks: found })
    else print(found, output)
    return healthy ? EXIT.ok : EXIT.failure
  },
})

async function examine({ env, cwd, plugins }: Pick<Invocation, 'env' | 'cwd' | 'plugins'>): Promise<readonly Finding[]> {
  const [{ checkAddress }, { checkAudit }, { checkConfiguration }, { checkDataFolder }, { checkClock, checkNode }, { checkStore }] =
    await Promise.all([
      import('../doctor/address.ts'),
      import('../doctor/audit.ts'),
      import('../doctor/configuration.ts'),
      import('../doctor/data-folder.ts'),
      import('../doctor/runtime.ts'),
      import('../doctor/store.ts'),
    ])
  const { settings, findings, plugins: running = [] } = await checkConfiguration(env, cwd, await plugins())
  if (!settings) return [checkNode(), ...findings]
  const { dataDir } = settings
  return [
    checkNode(),
    ...findings,
    await checkClock(dataDir),
    await checkDataFolder(dataDir),
    await checkAddress(settings),
    ...(await checkStore(
      settings,
      running.flatMap((plugin) => plugin.collections),
    )),
    await checkAudit(join(dataDir, 'audit')),
  ]
}

const TONES = { ok: 'good', warn: 'warn', fail: 'bad' } as const

function print(found: readonly Finding[], output: Output): void {
  output.table(found.map(({ check, outcome, detail }) => [{ text: outcome, tone: TONES[outcome] }, check, detail]))
  const toDo = found.filter(({ fix }) => fix !== undefined)
  if (toDo.length > 0) output.line()
  for (const { check, fix } of toDo) output.line(`${check}: ${fix}`)
}
