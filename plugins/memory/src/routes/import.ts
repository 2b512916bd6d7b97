import { BadRequest, closed, defineRoute, LARGE_BODY_BYTES, LARGE_BODY_VALUES, Type } from '@gateway/sdk'
import { importFiles } from '../operations/import.ts'
import { memoryUses } from '../operations/uses.ts'
import { BUNDLE_VERSION } from '../rules/bundle.ts'

const remark = Type.Object({ path: Type.String(), reason: Type.String() }, closed)

export const importRoute = defineRoute({
  name: 'memory.import',
  description:
    'Import an export, or Markdown notes of other programs: each file is stored and embedded again, and existing content is left as it is. Front matter may be YAML; members that a chunk does not have become tags. Returns the number of files by outcome; a second import stores nothing.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/memory/import',
  bodyLimitBytes: LARGE_BODY_BYTES,
  bodyLimitValues: LARGE_BODY_VALUES,
  input: Type.Object(
    {
      manifest: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'Manifest of the export, unchanged.' })),
      files: Type.Array(Type.Unknown({ description: '{path, content}; further members are ignored.' }), {
        maxItems: 10_000,
        description: 'Files of an export. Each is checked individually, so a faulty file does not affect the others.',
      }),
    },
    closed,
  ),
  output: Type.Object(
    {
      filesTotal: Type.Integer(),
      parsed: Type.Integer(),
      invalid: Type.Array(remark, { description: 'Files that were rejected.' }),
      dedupedInBundle: Type.Integer(),
      hashMismatches: Type.Integer({ description: 'Files whose content does not match their hash; they were not stored.' }),
      mismatches: Type.Optional(Type.Array(remark, { description: 'Files counted by hashMismatches; absent when there are none.' })),
      ignoredMembers: Type.Optional(
        Type.Record(Type.String(), Type.Integer(), {
          description: 'Front matter members that were dropped, with the number of files; absent when there are none.',
        }),
      ),
      stored: Type.Integer(),
      skippedExisting: Type.Integer(),
      failed: Type.Integer(),
    },
    closed,
  ),
  uses: memoryUses,
  async handle({ manifest, files }, uses, ctx) {
    const { version = BUNDLE_VERSION } = (manifest ?? {}) as { version?: unknown }
    if (version !== BUNDLE_VERSION)
      throw BadRequest({
        message: `\`manifest.version\` must be ${BUNDLE_VERSION}; got ${JSON.stringify(version).slice(0, 100)}.`,
        field: 'manifest',
      })
    const { invalid, mismatches, ignoredMembers, ...counts } = await importFiles(files, uses, ctx)
    return {
      ...counts,
      invalid: [...invalid],
      ...(mismatches && { mismatches: [...mismatches] }),
      ...(ignoredMembers && { ignoredMembers: { ...ignoredMembers } }),
    }
  },
})
