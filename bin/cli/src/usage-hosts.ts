import { join, resolve } from 'node:path'
import { type Json, objectOf, readJson, restoreJson, writeJson } from './json-file.ts'

interface Place {
  readonly home: string
  readonly cwd: string
}

/** Entry of a host that has it report the quotas of its account. */
interface UsageHost {
  file(place: Place): string
  readonly event: 'status-line' | 'turn-end'
  /** Other files that may already have such an entry, which is then left in effect. */
  others?(place: Place): readonly string[]
  /** Returns the settings with the command; `undefined` if an entry of the user stands there. */
  add(settings: Json, command: string): Json | undefined
  /** Returns the settings without the command; `undefined` if it was not there. */
  remove(settings: Json): Json | undefined
  /** Steps its user has to take. */
  readonly afterwards?: string
}

const isOurs = (entry: unknown, event: UsageHost['event']): boolean =>
  typeof objectOf(entry)?.command === 'string' && String(objectOf(entry)?.command).includes(` hook ${event}`)

const claudeCode: UsageHost = {
  // The command names places of this machine, so it is not part of the settings that a project shares.
  file: ({ cwd }) => join(cwd, '.claude', 'settings.local.json'),
  event: 'status-line',
  others: ({ home, cwd }) => [home, cwd].map((folder) => join(folder, '.claude', 'settings.json')),
  add: (settings, command) =>
    settings.statusLine === undefined || isOurs(settings.statusLine, 'status-line')
      ? { ...settings, statusLine: { type: 'command', command } }
      : undefined,
  remove({ statusLine, ...rest }) {
    return isOurs(statusLine, 'status-line') ? rest : undefined
  },
}

type Group = { readonly hooks?: unknown }
const groupsOf = (settings: Json): readonly Group[] => {
  const { Stop: groups } = objectOf(settings.hooks) ?? {}
  return Array.isArray(groups) ? groups : []
}
const isOurGroup = ({ hooks }: Group): boolean => Array.isArray(hooks) && hooks.some((hook) => isOurs(hook, 'turn-end'))

const codex: UsageHost = {
  file: ({ home }) => join(home, '.codex', 'hooks.json'),
  event: 'turn-end',
  add(settings, command) {
    const others = groupsOf(settings).filter((group) => !isOurGroup(group))
    const Stop = [...others, { hooks: [{ type: 'command', command, timeout: 10 }] }]
    return { ...settings, hooks: { ...objectOf(settings.hooks), Stop } }
  },
  remove(settings) {
    const groups = groupsOf(settings)
    const Stop = groups.filter((group) => !isOurGroup(group))
    if (Stop.length === groups.length) return undefined
    const { Stop: _ours, ...events } = objectOf(settings.hooks) ?? {}
    const hooks = Stop.length === 0 ? events : { ...events, Stop }
    const { hooks: _before, ...rest } = settings
    return Object.keys(hooks).length === 0 ? rest : { ...rest, hooks }
  },
  afterwards: 'Codex asks you to trust the hook that reports the quotas of its account: open /hooks there.',
}

const usageHosts: Readonly<Record<string, UsageHost>> = { 'claude-code': claudeCode, codex }

/** Result of setting up the reports of a host. */
export interface UsageReport {
  readonly file: string
  readonly isWritten: boolean
  /** For people: steps to take, or the reason why nothing was written. */
  readonly say?: string
}

/** Makes a host report the quotas of its account. Returns `undefined` for a host that shows none. */
export async function writeUsage(name: string, place: Place, args: readonly string[]): Promise<UsageReport | undefined> {
  const host = usageHosts[name]
  if (!host) return undefined
  const file = host.file(place)
  const command = [process.execPath, resolve(process.argv[1] ?? ''), 'hook', host.event, ...args].map(quoted).join(' ')
  const byHand = `To record the quotas of its account, have your own status line run by \`${command} --line YOUR-COMMAND\`.`
  for (const other of host.others?.(place) ?? []) {
    const settings = await readJson(other)
    if (settings && host.add(settings, '') === undefined)
      return { file, isWritten: false, say: `${other} has a status line and stays as it is. ${byHand}` }
  }
  const settings = await readJson(file)
  if (settings === undefined) return { file, isWritten: false, say: `${file} is not plain JSON and was not changed.` }
  const changed = host.add(settings, command)
  if (changed === undefined) return { file, isWritten: false, say: `${file} has a status line and stays as it is. ${byHand}` }
  await writeJson(file, changed)
  return { file, isWritten: true, ...(host.afterwards && { say: host.afterwards }) }
}

/** Resolves to the file from which the entry was removed, if it was there. */
export async function removeUsage(name: string, place: Place): Promise<string | undefined> {
  const host = usageHosts[name]
  if (!host) return undefined
  const file = host.file(place)
  const rest = host.remove((await readJson(file)) ?? {})
  if (rest === undefined) return undefined
  await restoreJson(file, rest)
  return file
}

/** A word for a shell. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
