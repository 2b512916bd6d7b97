import { backupPart } from '@gateway/sdk'
import type { Invocation } from '../command.ts'
import { onlyNamed } from '../named-folder.ts'
import { contributed } from '../offline.ts'
import { ownVariables } from '../own-variables.ts'
import type { Source } from './create.ts'

/**
 * Returns the data to back up, by the settings of this environment, and the plugins that are left out because their folder was
 * not named.
 */
export async function backupSource({
  env,
  cwd,
  plugins: builtIn,
}: Pick<Invocation, 'env' | 'cwd' | 'plugins'>): Promise<Source & { readonly notLookedAt: readonly string[] }> {
  const [{ loadSettings }, { preparePlugins }, { adapters }, { chosenStore }, all] = await Promise.all([
    import('@gateway/settings'),
    import('@gateway/kernel'),
    import('@gateway/defaults'),
    import('@gateway/defaults/stores'),
    builtIn(),
  ])
  const { settings, leftOut, file } = onlyNamed(loadSettings({ env, cwd }), { env, cwd }, all)
  const { plugins, configs } = await preparePlugins(all, settings, env, adapters.parts)
  return {
    settings,
    configFile: file,
    parts: contributed(backupPart, { plugins, configs }),
    environment: ownVariables(env),
    store: chosenStore(settings),
    notLookedAt: leftOut,
  }
}
