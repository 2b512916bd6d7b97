import { backupPart } from '@gateway/sdk'
import type { Invocation } from '../command.ts'
import { onlyNamed } from '../named-folder.ts'
import { contributed } from '../offline.ts'
import type { Source } from './take.ts'

const OURS = /^(GATEWAY_|ADMIN_API_TOKEN$|RBAC_|MONGODB_URL$)/

/**
 * Returns the data to back up, as the settings of this environment say, and the plugins that were not asked because nobody named
 * their folder.
 */
export async function backupSource({
  env,
  cwd,
  plugins: builtIn,
}: Pick<Invocation, 'env' | 'cwd' | 'plugins'>): Promise<Source & { readonly notLookedAt: readonly string[] }> {
  const [{ loadSettings }, { preparePlugins }, { adapters }, all] = await Promise.all([
    import('@gateway/settings'),
    import('@gateway/kernel'),
    import('@gateway/defaults'),
    builtIn(),
  ])
  const { settings, leftOut, file } = onlyNamed(loadSettings({ env, cwd }), { env, cwd }, all)
  const { plugins, configs } = await preparePlugins(all, settings, env, adapters.parts)
  return {
    settings,
    configFile: file,
    parts: contributed(backupPart, { plugins, configs }),
    environment: Object.keys(env)
      .filter((name) => OURS.test(name))
      .sort(),
    store: settings.mongodbUrl === undefined ? 'sqlite' : 'mongodb',
    notLookedAt: leftOut,
  }
}
