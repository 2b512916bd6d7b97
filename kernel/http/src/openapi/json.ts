export type Json = Readonly<Record<string, unknown>>

export function ref(kind: 'schemas' | 'responses' | 'parameters' | 'headers', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}

export function json(schema: Json): Json {
  return { content: { 'application/json': { schema } } }
}

export function jsonContent(description: string, schema: Json): Json {
  return { description, ...json(schema) }
}
