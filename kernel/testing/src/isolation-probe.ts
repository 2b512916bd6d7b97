import type { CollectionRef, Operation, Plugin, Principal } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from './gateway.ts'
import { madeUpText, type TextSchema } from './made-up-text.ts'

const VICTIM = 'victim'
const INTRUDER = 'intruder'
const MARK = 'markedtext'

const as = (tenantId: string): Partial<Principal> => ({ tenantId, id: `user-of-${tenantId}`, kind: 'user', role: 'owner' })

interface LooseSchema extends TextSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly LooseSchema[]
  readonly properties?: Readonly<Record<string, LooseSchema>>
  readonly required?: readonly string[]
  readonly items?: LooseSchema
  readonly minItems?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
}

/** Values seen in answers, by their names: a caller could have learned or guessed them. */
class Loot {
  readonly #byName = new Map<string, Set<string>>()

  collect(value: unknown, name = ''): void {
    if (Array.isArray(value)) for (const item of value) this.collect(item, name)
    else if (typeof value === 'object' && value !== null) for (const [key, item] of Object.entries(value)) this.collect(item, key)
    // A text of the caller under such a name is not an id: sending it back shows nothing.
    else if (typeof value === 'string' && /(Id|Cursor)$/.test(name) && !value.includes(MARK))
      this.#byName.set(name, (this.#byName.get(name) ?? new Set()).add(value))
  }

  /** Returns the values to try under a name: `cursor` takes cursors, `id` any id, `taskId` task ids, `dependsOn` anything. */
  for(name: string): string[] {
    const own = this.#byName.get(name) ?? this.#byName.get(`next${name[0]?.toUpperCase()}${name.slice(1)}`)
    return own ? [...own] : [...this.#byName].filter(([key]) => key.endsWith('Id')).flatMap(([, values]) => [...values])
  }
}

/** Builds arguments for an operation: ids from the loot, text that carries the mark. `pick` chooses among several ids. */
function fill(schema: LooseSchema, loot: Loot, { name = '', all = true, pick = 0, text = MARK } = {}): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[pick % schema.enum.length]
  if (schema.anyOf) return fill(schema.anyOf[pick % schema.anyOf.length] ?? {}, loot, { name, all, pick, text })
  switch (schema.type) {
    case 'object': {
      const names = all ? Object.keys(schema.properties ?? {}) : (schema.required ?? [])
      return Object.fromEntries(names.map((key) => [key, fill(schema.properties?.[key] ?? {}, loot, { name: key, all, pick, text })]))
    }
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, 1) }, (_, at) =>
        fill(schema.items ?? {}, loot, { name, all, pick, text: at === 0 ? text : `${text}${at}` }),
      )
    case 'integer':
    case 'number':
      return schema.minimum ?? Math.min((schema.exclusiveMinimum ?? 0) + 1, schema.maximum ?? 1)
    case 'boolean':
      return pick % 2 === 0
    default: {
      const known = /(^id$|Id$|^cursor$|^dependsOn$|^supersededBy$)/.test(name) ? loot.for(name) : []
      return known.length > 0 ? known[pick % known.length] : madeUpText(schema, text)
    }
  }
}

/** Returns several ways to call an operation: all or only required arguments, each with one optional, and several ids. */
function attempts(operation: Operation, loot: Loot, text = MARK): Record<string, unknown>[] {
  const input = operation.input as LooseSchema
  const required = fill(input, loot, { all: false, text }) as Record<string, unknown>
  const optional = Object.keys(input.properties ?? {}).filter((name) => !(name in required))
  const picks = [0, 1, 2, 3, 4, 5]
  return [
    ...picks.map((pick) => fill(input, loot, { all: false, pick, text }) as Record<string, unknown>),
    ...picks.map((pick) => fill(input, loot, { pick, text }) as Record<string, unknown>),
    ...optional.flatMap((name) =>
      [0, 1, 2].map((pick) => ({ ...required, [name]: fill(input.properties?.[name] ?? {}, loot, { name, all: false, pick, text }) })),
    ),
  ]
}

/** Further inputs of the probe, and facts that it cannot find out itself. */
export interface ProbeOptions {
  /** Plugins that the tested ones need: they run, but are not tried. */
  readonly with?: readonly Plugin[]
  readonly env?: Readonly<Record<string, string>>
  /** Collections that are written in the background, after the call they come from: a call made meanwhile did not change them. */
  readonly restless?: readonly string[]
  /** Creates, as a tenant, the data that generic arguments cannot make. Free text carries the word `markedtext`. */
  readonly prepare?: (gateway: TestGateway, as: Partial<Principal>) => Promise<void>
}

/** Operations that the probe tried, and its findings. */
export interface ProbeResult {
  readonly operations: readonly string[]
  /** Collections in which the first tenant could not be given a document: the probe says nothing about them. */
  readonly unseeded: readonly string[]
  /** Sentences that name the tool and what it does. */
  readonly violations: readonly string[]
  /** Sentences that name a tool and its undeclared failure: its callers saw INTERNAL_ERROR. */
  readonly undeclared: readonly string[]
}

/**
 * Checks that tenants are kept apart. The first tenant fills the gateway with everything that tools accept, each free text
 * carrying a mark; then another tries every tool and route with the first one's ids, cursors, texts and `tenantId`. Tools that
 * reach outside of the gateway are skipped: their effects cannot be undone.
 */
export async function probeIsolation(
  plugins: readonly Plugin[],
  { with: others = [], env = {}, restless = [], prepare = async () => {} }: ProbeOptions = {},
): Promise<ProbeResult> {
  await using gateway = await startTestGateway({ plugins: [...others, ...plugins], env })
  const operations: Operation[] = plugins.flatMap(({ tools, routes }) => [
    ...tools.filter(({ openWorld }) => !openWorld),
    ...routes.filter((route) => !('raw' in route)),
  ])
  const loot = new Loot()
  const undeclared = new Map<string, string>()

  async function call(operation: Operation, args: object, tenantId: string): Promise<{ ok: boolean; text: string }> {
    try {
      const result: unknown = await gateway.call(operation.name, args, { as: as(tenantId) })
      if (tenantId === VICTIM) loot.collect(result)
      return { ok: true, text: JSON.stringify(result) }
    } catch (error) {
      const { code, message } = error as Error & { readonly code?: unknown }
      if (code === 'INTERNAL_ERROR')
        undeclared.set(operation.name, `${operation.name} fails with what it does not declare: ${lastFault(gateway)}`)
      return { ok: false, text: message }
    }
  }

  await prepare(gateway, as(VICTIM))
  // Destructive tools run last and only a few times, so that some data is left to reach for.
  const building = operations.filter((operation) => operation.effect !== 'destructive')
  for (let round = 0; round < 2; round++)
    for (const operation of building) for (const args of attempts(operation, loot)) await call(operation, args, VICTIM)
  const destructive = operations.filter((operation) => operation.effect === 'destructive')
  for (const operation of destructive) for (const args of attempts(operation, loot).slice(0, 3)) await call(operation, args, VICTIM)

  const documentsOfVictim = async () => {
    const documents = Object.entries(await gateway.documents(VICTIM))
    return Object.fromEntries(documents.filter(([id]) => !restless.includes(id)))
  }
  const all = await gateway.documents(VICTIM)
  const before = await documentsOfVictim()
  const unseeded = plugins
    .flatMap((plugin): readonly CollectionRef[] => plugin.collections)
    .map(({ id }) => id)
    .filter((id) => (all[id] ?? []).length === 0)

  const violations: string[] = []
  for (const operation of operations) {
    // The intruder's own words do not carry the mark, so a mark in an answer is the other tenant's text.
    for (const args of attempts(operation, loot, 'ownwords')) {
      const answer = await call(operation, { ...args, tenantId: VICTIM }, INTRUDER)
      if (answer.ok && answer.text.includes(MARK)) violations.push(`${operation.name} shows another tenant’s text`)
    }
    const after = await documentsOfVictim()
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      violations.push(`${operation.name} changes another tenant’s documents`)
      break
    }
  }
  for (const job of plugins.flatMap((plugin) => plugin.jobs)) await gateway.runJob(job.id)
  const seenByIntruder = JSON.stringify(await gateway.documents(INTRUDER))
  if (seenByIntruder.includes(MARK)) violations.push('the intruder’s documents hold another tenant’s text')
  return {
    operations: operations.map(({ name }) => name),
    unseeded,
    violations: [...new Set(violations)],
    undeclared: [...undeclared.values()],
  }
}

/** The log holds details that the caller is not shown. */
function lastFault({ logs }: TestGateway): string {
  const { err } = (logs.findLast(({ err }) => err !== undefined) ?? {}) as { readonly err?: { readonly message: string } }
  return err?.message ?? 'its log says nothing of it'
}
