export { readPattern } from './pattern.ts'
export { isSchemaObject, type JsonSchema, mapSchemas, schemasIn } from './places.ts'
export { published } from './published.ts'
export { ARGUMENT_NAME, portabilityFaults } from './schema.ts'
