import { standardPlugins } from '@gateway/standard'
import type { TestGateway } from '@gateway/testing'

interface LooseSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly LooseSchema[]
  readonly properties?: Readonly<Record<string, LooseSchema>>
  readonly items?: LooseSchema
  readonly minimum?: number
  readonly maxLength?: number
}

/** Tools that would close the gateway, or call outside it. */
const LEFT_OUT = /maintenance_enter|_sweep$|_purge$|_reset$|^new_app$|^notifications_|_invoke$|^tenant_suspend$/

/** Values for fields that refuse free text. */
const PLAIN: Readonly<Record<string, unknown>> = {
  cronExpr: '0 9 * * *',
  hour: '2026-01-15T10:00:00.000Z',
  holder: 'host/lane/1',
  url: 'https://example.org/',
  deployUrl: 'https://example.org/',
  account: 'sample',
  target: 'planner',
  title: 'Sample',
}

/**
 * Calls every tool that writes with `text` in each free-text field, and with ids of earlier results where an id is required.
 * Returns the tools that accepted it: many refuse, because a name must be a name.
 */
export async function fillWith(gateway: TestGateway, text: (maxLength: number) => string): Promise<readonly string[]> {
  const made = new Map<string, unknown>()
  const took: string[] = []
  const tools = standardPlugins.flatMap((plugin) => plugin.tools).filter(({ name, effect }) => effect === 'write' && !LEFT_OUT.test(name))
  // Runs twice: a tool that needs an id from another tool finds it the second time.
  for (const _ of [1, 2]) {
    for (const tool of tools) {
      if (await taken(tool.name, valueOf(tool.input as LooseSchema) as object)) took.push(tool.name)
    }
  }
  return [...new Set(took)]

  /** A refusal names its field, which then gets a plain word, and at last is omitted. */
  async function taken(name: string, args: object): Promise<boolean> {
    const plain = new Set<string>()
    for (let tries = 0; tries < 15; tries++) {
      try {
        remember(await gateway.call(name, args, { via: 'rest' }))
        return true
      } catch (error) {
        const { field } = ((error as { details?: { field?: unknown } }).details ?? {}) as { field?: unknown }
        const steps = typeof field === 'string' ? field.split(/[./[\]]/).filter((step) => step !== '') : []
        const last = steps.pop() ?? ''
        const holder = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], args) as Record<
          string,
          unknown
        >
        if (typeof holder !== 'object' || !Object.hasOwn(holder, last)) return false
        if (plain.has(field as string)) delete holder[last]
        else holder[last] = PLAIN[last] ?? 'sample'
        plain.add(field as string)
      }
    }
    return false
  }

  function valueOf(schema: LooseSchema): unknown {
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return schema.enum[0]
    if (schema.anyOf) return valueOf(schema.anyOf[0] ?? {})
    switch (schema.type) {
      case 'object':
        return Object.fromEntries(
          Object.entries(schema.properties ?? {}).flatMap(([key, of]) => {
            if (/Id$|^id$/.test(key)) return made.has(key) ? [[key, made.get(key)]] : key === 'correlationId' ? [[key, 'sample-run']] : []
            return key === 'cursor' || /At$|Until$|^expires|^if|^dependsOn|^code_commits$/.test(key) ? [] : [[key, valueOf(of)]]
          }),
        )
      case 'array':
        return [valueOf(schema.items ?? {})]
      case 'integer':
      case 'number':
        return schema.minimum ?? 1
      case 'boolean':
        return false
      default:
        return text(schema.maxLength ?? 2_000)
    }
  }

  function remember(answer: unknown): void {
    JSON.stringify(answer, (key, value: unknown) => {
      if (key.endsWith('Id') && typeof value === 'string' && !made.has(key)) made.set(key, value)
      return value
    })
  }
}
