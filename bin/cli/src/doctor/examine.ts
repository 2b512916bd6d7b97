import type { Settings } from '@gateway/settings'
import type { Invocation } from '../command.ts'
import type { Finding } from './finding.ts'

export interface Examined {
  readonly found: readonly Finding[]
  /** Absent if the settings are invalid. */
  readonly settings?: Settings
}

/** Runs every check, in the order of the report. */
export async function examine({ env, cwd, plugins }: Pick<Invocation, 'env' | 'cwd' | 'plugins'>): Promise<Examined> {
  const [
    { checkAddress },
    { checkAudit },
    { checkConfiguration },
    { checkDataFolder },
    { checkFamilies },
    { checkKeys },
    { checkMcp },
    { checkPublicAddress },
    { checkClock, checkNode },
    { checkStore },
    { runCheck },
    { checkTrust },
  ] = await Promise.all([
    import('./address.ts'),
    import('./audit.ts'),
    import('./configuration.ts'),
    import('./data-folder.ts'),
    import('./families.ts'),
    import('./keys.ts'),
    import('./mcp.ts'),
    import('./public-address.ts'),
    import('./runtime.ts'),
    import('./store.ts'),
    import('./run-check.ts'),
    import('./trust.ts'),
  ])
  const { settings, findings, offline } = await checkConfiguration(env, cwd, await plugins())
  if (!settings) return { found: [checkNode(), ...findings] }
  const { dataDir } = settings
  const collections = offline?.plugins.flatMap((plugin) => plugin.collections) ?? []
  const found = [
    checkNode(),
    ...findings,
    ...(await runCheck('clock', () => checkClock(dataDir))),
    ...(await runCheck('data folder', () => checkDataFolder(dataDir))),
    ...(await runCheck('address', () => checkAddress(settings))),
    ...(await runCheck('mcp', () => checkMcp(settings, env))),
    checkTrust(settings),
    ...(offline === undefined ? [] : checkPublicAddress(settings, offline)),
    ...(await runCheck('store', () => checkStore(settings, collections))),
    ...(await runCheck('keys', () => checkKeys(settings))),
    ...(await runCheck('audit trail', () => checkAudit(settings))),
    ...(offline === undefined ? [] : await runCheck('families', () => checkFamilies(settings, offline))),
  ]
  return { found, settings }
}
