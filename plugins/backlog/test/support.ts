import assert from 'node:assert/strict'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import backlog from '../src/index.ts'

export type { TestGateway }

export const start = (): Promise<TestGateway> => startTestGateway({ plugins: [backlog] })

/** For `assert.rejects`: BAD_REQUEST that names this field. */
export function names(field: string): (error: unknown) => boolean {
  return (error) => {
    const { code, details } = error as { code?: string; details?: { field?: string } }
    assert.deepEqual([code, details?.field], ['BAD_REQUEST', field])
    return true
  }
}
