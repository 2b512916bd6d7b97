import assert from 'node:assert/strict'

/**
 * Matcher for `assert.rejects` and `assert.throws`: the error has this code, its details name this field or setting (no field, if
 * none is given), and its message matches.
 */
export function refusal(code: string, names?: string, says?: RegExp): (error: unknown) => true {
  return (error) => {
    if (!(error instanceof Error)) throw error
    const { code: came, details } = error as Error & { readonly code?: string; readonly details?: { readonly [kind: string]: unknown } }
    assert.deepEqual({ code: came, names: details?.field ?? details?.setting }, { code, names }, error.message)
    if (says) assert.match(error.message, says)
    return true
  }
}
