import { defineTool } from '@gateway/sdk'
import { checkWords, forget, forgetUses } from '../operations/forget.ts'
import { forgetFilter, forgetInput, forgetOutput } from '../operations/forget-arguments.ts'

export const memoryForget = defineTool({
  name: 'memory_forget',
  description:
    'Forget for good what meets all conditions given, chunks and atoms of the brain alike; no reindex brings it back. Use preview first. Returns {forgotten, truncated?}.',
  capability: 'configure',
  effect: 'destructive',
  idempotent: true,
  listing: 'family-only',
  rest: 'POST /api/memory/forget',
  input: forgetInput,
  output: forgetOutput,
  uses: forgetUses,
  check: (args) => checkWords(forgetFilter(args)),
  handle: (args, uses, ctx) => forget(forgetFilter(args), args.preview === true, uses, ctx),
})
