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
  const [
    { checkAddress },
    { checkAudit },
    { checkConfiguration },
    { checkDataFolder },
    { checkKeys },
    { checkClock, checkNode },
    { checkStore },
    { checkTrust },
  ] = await Promise.all([
    import('../doctor/address.ts'),
    import('../doctor/audit.ts'),
    import('../doctor/configuration.ts'),
    import('../doctor/data-folder.ts'),
    import('../doctor/keys.ts'),
    import('../doctor/runtime.ts'),
    import('../doctor/store.ts'),
    import('../doctor/trust.ts'),
  ])
  const { settings, findings, plugins: running = [] } = await checkConfiguration(env, cwd, await plugins())
  if (!settings) return [checkNode(), ...findings]
  const { dataDir } = settings
  return [
    checkNode(),
    ...findings,
    ...(await tried('clock', () => checkClock(dataDir))),
    ...(await tried('data folder', () => checkDataFolder(dataDir))),
    ...(await tried('address', () => checkAddress(settings))),
    checkTrust(settings),
    ...(await tried('store', () => {
      const collections = running.flatMap((plugin) => plugin.collections)
      return checkStore(settings, collections)
    })),
    ...(await tried('keys', () => checkKeys(settings))),
    ...(await tried('audit trail', () => checkAudit(join(dataDir, 'audit')))),
  ]
}

/** A check that fails itself, as on another user’s folder, is a finding, and the others follow. */
async function tried(name: string, check: () => Promise<Finding | readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return [await check()].flat()
  } catch (error) {
    const fix = 'Run `gateway doctor` as the user who runs the service, who needs to read all of the data folder.'
    return [{ check: name, outcome: 'fail', detail: (error as Error).message, fix }]
  }
}

const TONES = { ok: 'good', warn: 'warn', fail: 'bad' } as const

function print(found: readonly Finding[], output: Output): void {
  output.table(found.map(({ check, outcome, detail }) => [{ text: outcome, tone: TONES[outcome] }, check, detail]))
  const toDo = found.filter(({ fix }) => fix !== undefined)
  if (toDo.length > 0) output.line()
  for (const { check, fix } of toDo) output.line(`${check}: ${fix}`)
}
