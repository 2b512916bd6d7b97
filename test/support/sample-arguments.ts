interface LooseSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly anyOf?: readonly LooseSchema[]
  readonly properties?: Readonly<Record<string, LooseSchema>>
  readonly required?: readonly string[]
  readonly items?: LooseSchema
  readonly minItems?: number
  readonly minimum?: number
  readonly minLength?: number
}

/** Returns a value that meets a schema: the required properties only, or all of them. The plain word `sample` meets patterns. */
export function sampleValue(schema: LooseSchema, all: boolean): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  if (schema.anyOf) return sampleValue(schema.anyOf[0] ?? {}, all)
  switch (schema.type) {
    case 'object': {
      const names = all ? Object.keys(schema.properties ?? {}) : (schema.required ?? [])
      return Object.fromEntries(names.map((name) => [name, sampleValue(schema.properties?.[name] ?? {}, all)]))
    }
    case 'array':
      return Array.from({ length: all ? Math.max(1, schema.minItems ?? 1) : (schema.minItems ?? 0) }, () =>
        sampleValue(schema.items ?? {}, all),
      )
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    default:
      return 'sample'.padEnd(schema.minLength ?? 0, 'x')
  }
}
