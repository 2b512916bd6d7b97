/** Variables that every command may see. They hold no credential. */
const COMMON = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TERM', 'TZ', 'TMPDIR', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME']

type Env = Readonly<Record<string, string | undefined>>

/** Returns the variables that a command of a run sees: an allow list, never the environment of the runner. */
export function allowedEnv(env: Env, more: readonly string[], own: Readonly<Record<string, string>>): Record<string, string> {
  const names = [...COMMON, ...Object.keys(env).filter((name) => name.startsWith('LC_')), ...more]
  return { ...Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name] as string]]))), ...own }
}

/** Values of these variables that must not appear in a log. Short values would garble it. */
export const secretsOf = (env: Env, names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const value = env[name]
    return value !== undefined && value.length >= 8 && !/URL|DIR|HOME|MODEL|PROJECT/.test(name) ? [value] : []
  })

/** Replaces secrets in a text that leaves the machine. */
export const redacted = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text)
