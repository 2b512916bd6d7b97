import { BadRequest, closed, defined, type Infer, type ObjectSchema, Type } from '@gateway/sdk'
import { type Connector, settable } from '../schema.ts'
import { referred, rewrite } from './references.ts'

const ConnectorInput = Type.Object(settable, closed) satisfies ObjectSchema
export type ConnectorInput = Infer<typeof ConnectorInput>

export type Draft = Omit<Connector, 'createdAt' | 'updatedAt'>

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/
const HEADER = /^[A-Za-z0-9_-]+$/
const MAX_ENV = 50

/**
 * Returns a custom connector after an update. Members of the other transport are refused when the update sets them, and dropped
 * when they remain from before.
 */
export function revised(key: string, before: Draft | undefined, said: ConnectorInput): Draft {
  const transport =
    said.transport ?? before?.transport ?? (said.command === undefined ? (said.url === undefined ? undefined : 'http') : 'stdio')
  if (transport === undefined) refuse('transport', 'is missing: a new connector is http, with a url, or stdio, with a command')
  const env = said.env ?? before?.env
  checkEnv(env, transport)
  const connector: Draft = {
    key,
    label: said.label ?? before?.label ?? key,
    category: said.category ?? before?.category ?? 'custom',
    transport,
    description: said.description ?? before?.description ?? '',
    ...reachedBy(transport, before, said),
    ...defined({ env }),
    requiresEnv: [],
    enabled: said.enabled ?? before?.enabled ?? true,
    source: 'custom',
  }
  // An explicit value is kept; until one is set, the list follows the references.
  const kept = before && !sameList(before.requiresEnv, referred(before)) ? before.requiresEnv : undefined
  return { ...connector, requiresEnv: said.requiresEnv ?? kept ?? referred(connector) }
}

/** Refuses an update that no connector could have, whatever it is now. */
export function checkSaid(said: ConnectorInput): void {
  const { transport, url, env } = said
  checkEnv(env, transport)
  if (transport !== undefined) checkMembers(transport, said)
  if (url !== undefined && transport !== 'stdio') checkUrl(url)
}

/** Refuses members that an update sets and the transport does not have. */
function checkMembers(transport: Draft['transport'], said: Pick<ConnectorInput, 'url' | 'command' | 'args'>): void {
  if (transport === 'http') {
    for (const field of ['command', 'args'] as const)
      if (said[field] !== undefined) refuse(field, 'belongs to a stdio connector; this one is http')
  } else if (said.url !== undefined) refuse('url', 'belongs to an http connector; this one is stdio')
}

function reachedBy(
  transport: Draft['transport'],
  before: Draft | undefined,
  said: ConnectorInput,
): Pick<Draft, 'url' | 'command' | 'args'> {
  checkMembers(transport, said)
  if (transport === 'http') {
    const url = said.url ?? before?.url
    if (url === undefined) refuse('url', 'is missing: an http connector has one')
    checkUrl(url)
    return { url }
  }
  const command = said.command ?? before?.command
  if (command === undefined) refuse('command', 'is missing: a stdio connector has one')
  const args = said.args ?? before?.args
  return { command, ...defined({ args }) }
}

function checkUrl(url: string): void {
  // The host may be a reference, and so may the whole prefix.
  const filled = rewrite(url, (_, other) => other ?? 'x')
  const absolute = url.startsWith('${') && !/^https?:/.test(filled) ? `https://${filled}` : filled
  const parsed = URL.canParse(absolute) && !/\s/.test(url) ? new URL(absolute) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol)) refuse('url', `must be an http or https address; got ${JSON.stringify(url)}`)
  if (parsed.username !== '' || parsed.password !== '') refuse('url', 'must have no user or password in it; put a reference into env')
}

/** The form of names depends on the transport, so without one only the rest is checked. */
function checkEnv(env: Readonly<Record<string, string>> | undefined, transport: Draft['transport'] | undefined): void {
  const names = Object.keys(env ?? {})
  if (names.length > MAX_ENV) refuse('env', `must have at most ${MAX_ENV} entries; got ${names.length}`)
  if (transport !== undefined) {
    const [pattern, what] = transport === 'http' ? [HEADER, 'headers'] : [VARIABLE, 'variables']
    const wrong = names.find((name) => !pattern.test(name))
    if (wrong !== undefined) refuse('env', `must have names of ${what} (${pattern.source}); got ${JSON.stringify(wrong)}`)
  }
  const broken = Object.entries(env ?? {}).find(([, value]) => /[\r\n\0]/.test(value))
  if (broken) refuse('env', `must have values of one line; ${JSON.stringify(broken[0])} has more`)
}

const sameList = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((name, i) => name === b[i])

function refuse(field: string, fault: string): never {
  throw BadRequest({ field, message: `\`${field}\` ${fault}.` })
}
