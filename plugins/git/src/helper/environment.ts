/**
 * Returns the environment of every git process of the helper: no configuration of the machine, no hook, no prompt, no variable
 * that points git elsewhere; everything it writes is synced.
 */
export function gitEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_ATTR_NOSYSTEM: '1',
    ...extra,
  }
}

const SETTINGS: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.fsync=all',
  'core.fsyncMethod=fsync',
  'core.logAllRefUpdates=false',
  'core.quotePath=false',
  'diff.external=',
  'gc.auto=0',
  'maintenance.auto=false',
  'fastimport.unpackLimit=0',
  'pack.threads=1',
  // Memory: files above the threshold are streamed, caches and windows into packs stay below the limits of a process
  // (rules/limits.ts).
  'core.bigFileThreshold=8m',
  'core.deltaBaseCacheLimit=16m',
  'core.packedGitWindowSize=16m',
  'core.packedGitLimit=64m',
  'pack.windowMemory=32m',
  'pack.deltaCacheSize=16m',
  'log.showSignature=false',
  'protocol.allow=never',
  'safe.directory=*',
]

export const gitArguments: readonly string[] = SETTINGS.flatMap((setting) => ['-c', setting])
